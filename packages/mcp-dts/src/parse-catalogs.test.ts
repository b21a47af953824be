import { describe, expect, test } from 'vitest';
import { McpDtsError, parseCatalogs } from './index.ts';

function problemOf(document: unknown, options?: { server?: string }): string {
  try {
    parseCatalogs(document, options);
  } catch (error) {
    if (error instanceof McpDtsError && error.code === 'invalid_catalog') return error.message;
  }
  throw new Error('nothing was thrown');
}

describe('a document of tools', () => {
  test('by server', () => {
    const tools = [{ name: 'a', description: 'd', inputSchema: { type: 'object' }, other: 1 }];
    expect(
      parseCatalogs({
        one: { tools, resources: [], prompts: [{ name: 'p' }] },
        two: { tools: [], resources: { list: true }, title: 'Two' },
      }),
    ).toEqual([
      {
        name: 'one',
        tools: [{ name: 'a', description: 'd', inputSchema: { type: 'object' } }],
        prompts: { list: true, get: true },
      },
      { name: 'two', title: 'Two', tools: [], resources: { list: true, read: false } },
    ]);
  });

  test('as one list, under the name given', () => {
    expect(parseCatalogs({ tools: [{ name: 'a' }], nextCursor: 'x' }, { server: 'files' })).toEqual([
      { name: 'files', tools: [{ name: 'a' }] },
    ]);
    expect(problemOf({ tools: [] })).toBe(
      'No catalog of MCP tools: the document is one list of tools, and no server name was given for it.',
    );
  });

  test('a server may be called tools', () => {
    expect(parseCatalogs({ tools: { tools: [{ name: 'a' }] } })).toEqual([{ name: 'tools', tools: [{ name: 'a' }] }]);
  });

  test('what is wrong is named, place by place', () => {
    expect(problemOf([])).toBe('No catalog of MCP tools: the document is an array, expected an object.');
    expect(problemOf(null)).toContain('the document is null');
    expect(problemOf({})).toContain('names no server');
    expect(
      problemOf({
        a: 1,
        b: {},
        c: { tools: [1, {}, { name: 'x' }, { name: 'x' }, { name: 'y', inputSchema: 'z' }], resources: 5 },
      }),
    ).toBe(
      'No catalog of MCP tools: "a" is a number, expected an object with "tools"; "b".tools is missing, expected an array; "c".tools[0] is a number, expected a tool; ' +
        '"c".tools[1].name is missing, expected a string; "c".tools[3].name "x" stands there twice; "c".tools[4].inputSchema is a string, expected a JSON schema; ' +
        '"c".resources is a number, expected a list, true or { list, read }.',
    );
  });

  test('many problems are counted', () => {
    expect(problemOf({ a: { tools: Array.from({ length: 20 }, () => 1) } })).toContain('; and 12 more.');
  });
});
