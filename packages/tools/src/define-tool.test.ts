import type { StandardSchemaV1 } from '@standard-schema/spec';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { createToolRegistry, defineTool, type FromSchema, type ToolDefinition, toolResult } from './index.ts';

async function call(tool: ToolDefinition, args: unknown) {
  const tools = createToolRegistry();
  tools.register(tool);
  return tools.execute({ callId: '1', name: tool.name, arguments: args, scope: {} });
}

describe('types from JSON Schema literals', () => {
  test('arguments and result of a tool are those of its schemas, with defaulted arguments always there', async () => {
    const tool = defineTool({
      name: 'forecast',
      description: 'Weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer', default: 3 }, units: { enum: ['c', 'f'] } },
        required: ['city'],
      },
      output: {
        schema: { type: 'array', items: { type: 'number' } },
        render: (value) => [{ type: 'text', text: value.join('°') }],
      },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ city: string; units?: 'c' | 'f'; days: number }>();
        return [args.days];
      },
    });
    expect(await call(tool, { city: 'Oslo' })).toMatchObject({ value: [3], content: [{ type: 'text', text: '3' }] });
  });

  test('every construct of a literal becomes its type', () => {
    expectTypeOf<FromSchema<{ type: ['string', 'null'] }>>().toEqualTypeOf<string | null>();
    expectTypeOf<FromSchema<{ type: 'string'; nullable: true }>>().toEqualTypeOf<string | null>();
    expectTypeOf<FromSchema<{ anyOf: [{ type: 'number' }, { const: 'auto' }] }>>().toEqualTypeOf<number | 'auto'>();
    expectTypeOf<FromSchema<{ type: 'array'; prefixItems: [{ type: 'string' }, { type: 'number' }] }>>().toEqualTypeOf<
      [string, number]
    >();
    expectTypeOf<FromSchema<{ type: 'object'; additionalProperties: { type: 'number' } }>>().toEqualTypeOf<
      Record<string, number>
    >();
    expectTypeOf<FromSchema<{ type: 'object'; properties: { a: { type: 'boolean' } } }>>().toEqualTypeOf<{
      a?: boolean;
    }>();
    expectTypeOf<FromSchema<{ $ref: '#/$defs/x' }>>().toEqualTypeOf<unknown>();
  });

  test('a body that gives another type is refused by the compiler', () => {
    defineTool({
      name: 't',
      description: '',
      parameters: { type: 'object' },
      output: { schema: { type: 'number' } },
      // @ts-expect-error the schema says number
      execute: () => 'text',
    });
  });
});

describe('Standard Schema objects', () => {
  test('a zod schema is shown as JSON Schema and applied with its coercions and refinements', async () => {
    const tool = defineTool({
      name: 'book',
      description: 'Books',
      parameters: z.object({ seats: z.coerce.number().int(), when: z.string().transform((text) => text.length) }),
      output: { schema: z.object({ ok: z.boolean(), note: z.string().default('none') }) },
      execute(args) {
        expectTypeOf(args).toEqualTypeOf<{ seats: number; when: number }>();
        return { ok: args.seats === 2 && args.when === 4 };
      },
    });
    expect(tool.parameters).toMatchObject({ type: 'object', required: ['seats', 'when'] });
    expect(await call(tool, { seats: 2, when: 'noon' })).toMatchObject({ value: { ok: true, note: 'none' } });
    expect(await call(tool, { seats: 2.5, when: 'noon' })).toMatchObject({
      code: 'INVALID_ARGS',
      message: expect.stringMatching(/^invalid arguments for "book": seats: /),
    });
  });

  test('a valibot schema works through its JSON Schema converter, and says so without it', async () => {
    const schema = v.object({ name: v.pipe(v.string(), v.minLength(2)) });
    const define = (parameters: StandardSchemaV1<{ name: string }>) =>
      defineTool({ name: 'greet', description: '', parameters, execute: ({ name }) => `hi ${name}` });
    expect(() => define(schema)).toThrow(
      'tool "greet": parameters: this valibot schema cannot be written as JSON Schema',
    );
    const tool = define(toStandardJsonSchema(schema));
    expect(await call(tool, { name: 'Jo' })).toMatchObject({ value: 'hi Jo' });
    expect(await call(tool, { name: 'J' })).toMatchObject({ code: 'INVALID_ARGS' });
  });

  test('an output that the library refuses is an invalid output, with its path; the tool’s own failure is left as it is', async () => {
    const define = (given: unknown) =>
      defineTool({
        name: 'list',
        description: '',
        parameters: z.object({}),
        output: { schema: z.object({ rows: z.array(z.number().refine((n) => n > 0, 'must be positive')) }) },
        execute: () => given as { rows: number[] },
      });
    expect(await call(define({ rows: [1, -1] }), {})).toMatchObject({
      code: 'INVALID_TOOL_OUTPUT',
      message: expect.stringContaining('rows[1]: must be positive'),
    });
    expect(await call(define(toolResult({ value: 'quota', isError: true })), {})).toMatchObject({
      code: 'TOOL_FAILED',
      message: 'quota',
    });
  });
});
