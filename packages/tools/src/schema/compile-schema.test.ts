import { readFileSync } from 'node:fs';
import type { JsonValue } from '@codeseam/lossless-json';
import { describe, expect, test } from 'vitest';
import { type CompileOptions, compileSchema } from './compile-schema.ts';
import { lineOf } from './describe-violations.ts';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');

const compile = (schema: unknown, options: Partial<CompileOptions> = {}) =>
  compileSchema(schema, { name: 'parameters', lenient: false, objectRoot: false, ...options });

function linesOf(schema: unknown, value: JsonValue, options?: Partial<CompileOptions>): string[] {
  const checked = compile(schema, options).check(value);
  if ('uncheckable' in checked) throw new Error(checked.uncheckable);
  return checked.violations.map(lineOf);
}

const accepts = (schema: unknown, value: JsonValue) => linesOf(schema, value, { lenient: true }).length === 0;

describe('the public suite', () => {
  interface Row {
    id: string;
    file: string;
    schema: unknown;
    tests: { description: string; data: JsonValue; valid: boolean }[];
  }
  const rows: Row[] = fixture('json-schema-test-suite.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const judged = rows.flatMap((row) => row.tests.map((one) => ({ row, one, accepted: accepts(row.schema, one.data) })));

  test('no valid instance is refused, but for schemas of draft 7 that do not say so', () => {
    const refused = judged.filter(({ one, accepted }) => one.valid && !accepted).map(({ row }) => row.id);
    expect(refused).toEqual([
      'draft7/ref#$ref prevents a sibling $id from changing the base uri',
      'draft7/ref#ref overrides any sibling keywords',
      'draft2020-12/ref#order of evaluation: $id and $anchor and $ref',
    ]);
  });

  test('invalid instances are refused, but where a reference is remote, dynamic or between ids', () => {
    const loose = judged.filter(({ one, accepted }) => !one.valid && accepted);
    const invalid = judged.filter(({ one }) => !one.valid);
    const files = new Set(loose.map(({ row }) => row.file));
    expect([...files].sort()).toEqual([
      'definitions.json',
      'defs.json',
      'dynamicRef.json',
      'patternProperties.json',
      'recursiveRef.json',
      'ref.json',
      'refRemote.json',
      'unevaluatedItems.json',
      'unevaluatedProperties.json',
    ]);
    expect(loose.length / invalid.length).toBeLessThan(0.07);
  });
});

test('schemas as servers send them accept and reject what they should', () => {
  const cases: { name: string; schema: unknown; accepts: string[]; rejects: string[] }[] = JSON.parse(
    fixture('schema-cases.json'),
  );
  const wrong: string[] = [];
  for (const { name, schema, accepts: good, rejects } of cases) {
    // The instances are JavaScript literals of the fixture.
    const read = (literal: string): JsonValue => new Function(`return (${literal.replace(' as any', '')})`)();
    for (const literal of good) if (!accepts(schema, read(literal))) wrong.push(`${name}: refuses ${literal}`);
    for (const literal of rejects) if (accepts(schema, read(literal))) wrong.push(`${name}: accepts ${literal}`);
  }
  expect(wrong).toEqual([]);
});

describe('violations', () => {
  const schema = {
    type: 'object',
    properties: {
      rows: { type: 'array', items: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
      limit: { type: 'integer', minimum: 1, maximum: 50 },
      sort: { enum: ['asc', 'desc'] },
      when: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      code: { type: 'string', pattern: '^[A-Z]{2}$' },
      'odd key': { const: true },
    },
    required: ['rows'],
  };

  test('every one is listed, with its path, what was expected, what was found', () => {
    expect(
      linesOf(schema, {
        rows: [{ city: 'Oslo' }, { city: 1 }, {}],
        limit: 0.5,
        sort: 'up',
        when: 4,
        code: 'x',
        'odd key': false,
      }),
    ).toEqual([
      'rows[1].city: expected string, found number',
      'rows[2].city: is required',
      'limit: expected integer, found number',
      'limit: must be at least 1',
      'sort: must be one of "asc", "desc"',
      'when: expected string or null, found number',
      'code: does not match ^[A-Z]{2}$',
      '["odd key"]: must be true',
    ]);
  });

  test('the nearest variant of a choice says what it lacks', () => {
    const shape = {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] },
        {
          type: 'object',
          properties: { kind: { const: 'box' }, w: { type: 'number' }, h: { type: 'number' } },
          required: ['kind', 'w', 'h'],
        },
      ],
    };
    expect(linesOf(shape, { kind: 'circle' })).toEqual(['matches none of 2 variants; for the nearest: r: is required']);
    expect(linesOf({ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1)).toEqual([
      'matches 2 variants, where exactly one may match',
    ]);
  });

  test('an unknown key violates a closed schema only, and is otherwise named beside the missing key that it may be', () => {
    const open = { type: 'object', properties: { repository: { type: 'string' } }, required: ['repository'] };
    const closed = { ...open, additionalProperties: false };
    expect(linesOf(open, { repository: 'a', more: 1 })).toEqual([]);
    expect(linesOf(closed, { repository: 'a', repositry: 1 })).toEqual([
      'repositry: unknown key; did you mean "repository"?',
    ]);
    const checked = compile(open).check({ repositry: 'a' });
    expect(checked).toEqual({
      violations: [
        {
          path: 'repository',
          message: 'is required',
          hint: '"repositry" is not a known key; did you mean "repository"?',
        },
      ],
    });
  });

  test('a hint also finds its place behind references', () => {
    const nested = {
      type: 'object',
      properties: { at: { $ref: '#/$defs/Place' } },
      $defs: { Place: { type: 'object', properties: { latitude: { type: 'number' } }, required: ['latitude'] } },
    };
    expect(compile(nested).check({ at: { latitide: 1 } })).toMatchObject({
      violations: [{ path: 'at.latitude', hint: '"latitide" is not a known key; did you mean "latitude"?' }],
    });
  });

  test('no violation repeats a value of the instance', () => {
    const secret = {
      type: 'object',
      properties: { pin: { type: 'integer', maximum: 9, multipleOf: 2 }, name: { maxLength: 3, enum: ['a'] } },
    };
    expect(linesOf(secret, { pin: 4711, name: 'hunter2' }).join()).not.toMatch(/4711|hunter2/);
  });
});

describe('a nonsense keyword', () => {
  const bad = {
    type: 'object',
    properties: { a: { type: 'strnig' }, b: { type: 'number', minimum: 'low' }, c: { anyOf: [] }, d: { pattern: '(' } },
    required: true,
  };

  test('of a host tool is an error that names keyword and place', () => {
    expect(() => compile(bad)).toThrow(
      [
        'parameters.properties.a.type must be one of null, boolean, number, integer, string, array, object, or a non-empty array of them',
        'parameters.properties.b.minimum must be a number',
        'parameters.properties.c.anyOf must be a non-empty array of schemas',
        'parameters.properties.d.pattern must be a regular expression',
        'parameters.required must be an array of strings',
      ].join('; '),
    );
  });

  test('of a foreign tool leaves only its place open', () => {
    expect(linesOf(bad, { a: 1, b: 'x', c: [], d: '(' }, { lenient: true })).toEqual([
      'b: expected number, found string',
    ]);
  });
});

describe('references', () => {
  test('that lead nowhere, into the network, or in a circle accept anything', () => {
    for (const $ref of ['#/$defs/missing', 'https://example.com/schema.json', '#/properties/a', '#nowhere', '%%%']) {
      expect(
        linesOf(
          { type: 'object', properties: { a: { $ref }, b: { type: 'number' } } },
          { a: [1], b: 'x' },
          { lenient: true },
        ),
      ).toEqual(['b: expected number, found string']);
    }
    expect(accepts({ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, 1)).toBe(true);
  });

  test('ids that are no addresses, or that two places claim, do not break the schema', () => {
    const claimed = {
      type: 'object',
      properties: { a: { $id: 'urn:x', type: 'string' }, b: { $id: 'urn:x', type: 'number' }, id: { id: 5 } },
    };
    expect(linesOf(claimed, { a: 1, b: 2 }, { lenient: true })).toEqual(['a: expected string, found number']);
  });
});

describe('hostile schemas', () => {
  test('a pattern that a backtracking engine chokes on is matched in linear time', () => {
    const line = `${'a'.repeat(50_000)}!`;
    for (const pattern of ['^(a+)+$', '(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', 'a*a*a*a*a*b', '(.*)*x']) {
      expect(linesOf({ type: 'string', pattern }, line)).toEqual([`does not match ${pattern}`]);
    }
  });

  test('a pattern that no linear engine takes is not checked', () => {
    expect(accepts({ type: 'string', pattern: '^(?=(a+)+$)b' }, `${'a'.repeat(5_000)}!`)).toBe(true);
    expect(accepts({ type: 'string', pattern: String.raw`(a+)+\1$` }, `${'a'.repeat(5_000)}!`)).toBe(true);
  });

  test('a pattern over names leaves names open where it could be slow, and counts where it is plain', () => {
    const slow = { patternProperties: { '^(a+)+$': { type: 'number' } }, additionalProperties: false };
    expect(accepts(slow, { [`${'a'.repeat(5_000)}!`]: 'x' })).toBe(true);
    const plain = {
      patternProperties: { '^x-': { type: 'number' }, _id$: { type: 'string' } },
      additionalProperties: false,
    };
    expect(linesOf(plain, { 'x-a': 'no', user_id: 'u', other: 1 })).toEqual([
      '["x-a"]: expected number, found string',
      'other: unknown key',
    ]);
  });

  test('a schema that explodes over a small value is given up on', () => {
    const bomb = {
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] }, end: { type: 'string' } },
    };
    let value: JsonValue = { end: 1 };
    for (let depth = 0; depth < 30; depth++) value = { next: value };
    expect(compile(bomb).check(value)).toEqual({ uncheckable: 'it needs too many combinations' });
    // The budget is that of one check.
    expect(compile(bomb).check({ next: { end: 'x' } })).toEqual({ violations: [] });
  });

  test('a value that is nested too deeply for a recursive schema is given up on, not crashed on', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' } } };
    let value: JsonValue = {};
    for (let depth = 0; depth < 9_000; depth++) value = { child: value };
    expect(compile(tree).check(value)).toEqual({ uncheckable: 'the value is nested too deeply for it' });
  });

  test('uniqueness of long arrays, and schemas of any depth, cost little', () => {
    expect(
      accepts(
        { type: 'array', uniqueItems: true },
        Array.from({ length: 50_000 }, () => ({ a: 1 })),
      ),
    ).toBe(true);
    expect(linesOf({ type: 'array', uniqueItems: true }, [1, 2, 1])).toEqual(['duplicate items at indexes 0 and 2']);
    let deep: JsonValue = { type: 'string' };
    for (let depth = 0; depth < 5_000; depth++) deep = { type: 'array', items: deep };
    expect(accepts(deep, [[[[]]]])).toBe(true);
  });

  test('odd names are ordinary', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"number"},"constructor":{"type":"string"},"a/b~c%":{"type":"null"}},"required":["__proto__"],"additionalProperties":false}',
    );
    expect(linesOf(schema, JSON.parse('{"__proto__":"x","constructor":1,"a/b~c%":0,"toString":1}'))).toEqual([
      '__proto__: expected number, found string',
      'constructor: expected string, found number',
      '["a/b~c%"]: expected null, found number',
      'toString: unknown key',
    ]);
    expect(linesOf(schema, {})).toEqual(['__proto__: is required']);
  });

  test('nothing of ours stays behind in the validator that other code shares', async () => {
    const { format } = await import('@cfworker/json-schema');
    const before = Object.keys(format);
    linesOf({ type: 'string', pattern: '^a' }, 'b');
    expect(Object.keys(format)).toEqual(before);
  });
});

test('formats are annotations', () => {
  expect(accepts({ type: 'string', format: 'email' }, 'not an address')).toBe(true);
});

test('the root of parameters must be an object; foreign ones are made so', () => {
  const root = { objectRoot: true };
  expect(() => compile({ type: 'string' }, root)).toThrow('parameters.type must be "object", found "string"');
  expect(() => compile(true, root)).toThrow('parameters must be a JSON Schema object, found boolean');
  expect(compile({ properties: {} }, root).schema).toEqual({ properties: {}, type: 'object' });
  expect(compile(null, { ...root, lenient: true }).schema).toEqual({ type: 'object' });
  expect(compile({ type: 'string' }, { ...root, lenient: true }).schema).toEqual({ type: 'object' });
});

test('a schema is a snapshot', () => {
  const source = { type: 'object', properties: { a: { type: 'string' } } };
  const compiled = compile(source);
  (source.properties.a as { type: string }).type = 'number';
  expect(compiled.check({ a: 'x' })).toEqual({ violations: [] });
  expect(Object.isFrozen(compiled.schema['properties'])).toBe(true);
});
