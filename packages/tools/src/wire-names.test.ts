import { finish } from '@codeseam/schema-types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toolId } from './identity.ts';
import type { ToolSource } from './types.ts';
import { assignWireNames, type NamedTool } from './wire-names.ts';

const tool = (source: ToolSource, owner: string, name: string): NamedTool => ({
  id: toolId(source, owner, name),
  source,
  owner,
  name,
});

function namesOf(...tools: NamedTool[]): Record<string, string> {
  return Object.fromEntries(finish(assignWireNames(tools)));
}

test('a plain name stands where it is alone; an MCP tool always carries its server', () => {
  expect(namesOf(tool('host', 'core', 'read'), tool('mcp', 'files', 'read'), tool('plugin', 'git', 'log'))).toEqual({
    'host:core:read': 'read',
    'mcp:files:read': 'mcp__files__read',
    'plugin:git:log': 'log',
  });
});

test('two owners of a name are told apart, and a tool of the client keeps the plain name', () => {
  expect(namesOf(tool('host', 'core', 'read'), tool('plugin', 'git', 'read'))).toEqual({
    'host:core:read': 'core__read',
    'plugin:git:read': 'git__read',
  });
  expect(namesOf(tool('host', 'core', 'read'), tool('client', 'ide', 'read'))).toEqual({
    'host:core:read': 'core__read',
    'client:ide:read': 'read',
  });
});

test('names that would meet after joining are told apart, and nobody takes the name of an MCP tool', () => {
  const met = namesOf(
    tool('plugin', 'a', 'b__c'),
    tool('plugin', 'x', 'b__c'),
    tool('plugin', 'a__b', 'c'),
    tool('plugin', 'x', 'c'),
  );
  expect(met['plugin:a:b__c']).toMatch(/^a__b__c_[0-9a-f]{10}$/);
  expect(met['plugin:a__b:c']).toMatch(/^a__b__c_[0-9a-f]{10}$/);
  expect(met['plugin:x:c']).toBe('x__c');
  const shadowing = namesOf(
    tool('mcp', 'files', 'read'),
    tool('client', 'ide', 'mcp__files__read'),
    tool('host', 'core', 'mcp__files__read'),
  );
  expect(shadowing['mcp:files:read']).toBe('mcp__files__read');
});

describe('for any tools', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'a',
      'b',
      'a__b',
      'b__c',
      'c',
      '__',
      'exec',
      '名前',
      'a b',
      'a:b',
      'a%3Ab',
      '',
      'x'.repeat(70),
      'A',
    ),
    fc.string({ maxLength: 80 }),
  );
  const tools = fc.uniqueArray(
    fc
      .tuple(fc.constantFrom<ToolSource>('host', 'plugin', 'mcp', 'client'), part, part)
      .map(([source, owner, name]) => tool(source, owner, name)),
    { selector: ({ id }) => id, maxLength: 30 },
  );

  test('names fit the wire and are unique, whatever the order of registration', () => {
    fc.assert(
      fc.property(tools, fc.integer(), (list, seed) => {
        const names = finish(assignWireNames(list));
        expect(names.size).toBe(list.length);
        expect(new Set(names.values()).size).toBe(list.length);
        for (const name of names.values()) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        const shuffled = [...list].sort((a, b) => ((a.id.length * 31 + seed) % 7) - ((b.id.length * 31 + seed) % 7));
        for (const [id, name] of finish(assignWireNames(shuffled))) expect(names.get(id)).toBe(name);
      }),
      { numRuns: 300 },
    );
  });

  test('different identities have different ids', () => {
    fc.assert(
      fc.property(part, part, part, part, (a, b, c, d) => {
        expect(toolId('host', a, b) === toolId('host', c, d)).toBe(a === c && b === d);
      }),
    );
  });
});
