// The tools of 69 real servers: everything compiles, nothing valid is refused, every description is there once.

import { Validator } from '@cfworker/json-schema';
import jsf from 'json-schema-faker';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CompileResult, compileDeclarations, type SourceText } from './check.ts';
import { describeMcp, type McpServerCatalog } from './index.ts';
import { readCorpus } from './testing/read-corpus.ts';

const catalogs = readCorpus();
const api = describeMcp(catalogs);

/** The same values every time. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Valid values of a schema: with all optional properties, and with none if that is wanted too. */
function validValues(schema: unknown, random: () => number, withNone: boolean): unknown[] {
  const values: unknown[] = [];
  for (const alwaysFakeOptionals of withNone ? [true, false] : [true]) {
    jsf.option({
      random,
      alwaysFakeOptionals,
      optionalsProbability: 0,
      failOnInvalidTypes: false,
      failOnInvalidFormat: false,
      maxItems: 2,
      maxLength: 12,
    });
    try {
      const value: unknown = jsf.generate(schema as never);
      if (new Validator(schema as never, '2020-12').validate(value).valid) values.push(value);
    } catch {
      // A schema that the generator or the validator cannot take; how many values there are is checked below.
    }
  }
  return values;
}

let count = 0;

/** A program for each server that gives every tool's types valid values. */
function valuePrograms(): SourceText[] {
  const random = seededRandom(7);
  return api.servers.map((server) => {
    const infos = new Map(
      catalogs.find((catalog) => catalog.name === server.server)!.tools.map((tool) => [tool.name, tool]),
    );
    const lines: string[] = [];
    for (const { tool, identifier } of server.tools) {
      const path = `typeof MCP.${server.identifier}.${identifier}`;
      const { inputSchema, outputSchema } = infos.get(tool)!;
      const sides = [
        [inputSchema, `NonNullable<Parameters<${path}>[0]>`],
        [outputSchema, `NonNullable<Awaited<ReturnType<${path}>>['structuredContent']>`],
      ] as const;
      for (const [schema, type] of sides) {
        const values = schema === undefined ? [] : validValues(schema, random, server.tools.length < 500);
        count += values.length;
        if (values.length > 0) lines.push(`const v${lines.length}: ${type}[] = ${JSON.stringify(values)};`);
      }
    }
    return { path: `values/${server.identifier}.ts`, content: `export {};\n${lines.join('\n')}\n` };
  });
}

describe('the whole corpus', () => {
  let result: CompileResult;
  beforeAll(async () => {
    result = await compileDeclarations([...api.files, ...valuePrograms()]);
  }, 120_000);

  test('all declarations compile and all valid values are assignable', () => {
    expect(result.failed).toEqual([]);
    expect(count).toBeGreaterThan(2_800);
  });

  test('nothing says any', () => {
    expect(result.anyCount).toBe(0);
  });
});

test('every tool is reached by its identifier and by its raw name, and its path leads back', () => {
  let tools = 0;
  for (const server of api.servers) {
    expect(new Set(server.tools.map((tool) => tool.identifier)).size).toBe(server.tools.length);
    for (const { tool, identifier } of server.tools) {
      tools++;
      const target = { server: server.server, tool };
      expect(api.resolve([server.identifier, identifier])).toEqual(target);
      expect(api.resolve([server.server, tool])).toEqual(target);
      expect(api.pathOf(server.server, tool)).toEqual(['MCP', server.identifier, identifier]);
    }
  }
  expect([api.servers.length, tools]).toEqual([69, 2_273]);
});

/** All texts called `description` in schema positions, and those of the tools. */
function descriptionsOf(catalog: McpServerCatalog): Set<string> {
  const texts = new Set<string>();
  const add = (text: unknown) => {
    if (typeof text === 'string' && text.trim() !== '') texts.add(text);
  };
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { description, properties, items, anyOf, oneOf, additionalProperties } = schema as Record<string, unknown>;
    add(description);
    for (const inner of Object.values((properties ?? {}) as object)) visit(inner);
    for (const inner of [items, additionalProperties, anyOf, oneOf].flat()) visit(inner);
  };
  for (const tool of catalog.tools) {
    add(tool.description);
    visit(tool.inputSchema);
    visit(tool.outputSchema);
  }
  return texts;
}

test('each description is in the file of its server, unchanged but for comment ends and line breaks', () => {
  const missing: string[] = [];
  for (const server of api.servers) {
    const { content } = api.read(`mcp/${server.identifier}.d.ts`);
    for (const text of descriptionsOf(catalogs.find((catalog) => catalog.name === server.server)!)) {
      const printed = text.replace(/\r\n?/g, '\n').replaceAll('*/', '*\\/');
      if (!content.includes(printed)) missing.push(`${server.server}: ${text.slice(0, 100)}`);
    }
  }
  expect(missing).toEqual([]);
});

test('what all tools of a server have in common is there once', () => {
  const { content } = api.read('mcp/azureMcpModeAll.d.ts');
  expect(content.split('Initial delay in seconds between retry attempts.').length - 1).toBe(1);
});
