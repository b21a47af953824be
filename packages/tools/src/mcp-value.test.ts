import { expect, test } from 'vitest';
import { createToolRegistry } from './create-registry.ts';
import { mcpValueSchema, structuredSchemaOf } from './mcp-value.ts';

const declared = {
  type: 'object',
  properties: { node: { $ref: '#/$defs/Node' } },
  required: ['node'],
  $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
};

test('the declared schema comes back as it was, also one with a root of its own', () => {
  for (const schema of [declared, { $id: 'https://example.org/x', ...declared }]) {
    expect(structuredSchemaOf({ source: 'mcp', outputSchema: mcpValueSchema('a:b', 'c d', schema) })).toEqual(schema);
  }
  expect(structuredSchemaOf({ source: 'mcp', outputSchema: { type: 'object' } })).toBeUndefined();
  expect(structuredSchemaOf({ source: 'host', outputSchema: declared })).toBe(declared);
});

test('local references of the declared schema still point into it', async () => {
  const tools = createToolRegistry({ mode: 'native' });
  const registrar = tools.registrar({ source: 'mcp', owner: 's' });
  const give = (name: string, structuredContent: unknown) =>
    registrar.register({
      name,
      description: '',
      parameters: { type: 'object' },
      output: { schema: mcpValueSchema('s', name, declared) },
      execute: () => ({ content: [], structuredContent }),
    });
  give('right', { node: { next: { next: {} } } });
  give('wrong', { node: { next: { next: 5 } } });
  const call = (name: string) => tools.execute({ callId: 'c', id: `mcp:s:${name}`, scope: {} });
  expect(await call('right')).toMatchObject({ isError: false });
  expect(await call('wrong')).toMatchObject({ isError: true, code: 'INVALID_TOOL_OUTPUT' });
});
