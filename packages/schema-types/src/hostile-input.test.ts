// Whatever a schema is, the converters end, do not throw, and give bounded text.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { docComment, schemasToTypeScript, schemaToHint, schemaToPython, schemaToTypeScript } from './index.ts';
import { compileCases } from './testing/compile-cases.ts';

type Schema = Record<string, unknown>;

function nested(levels: number, wrap: (inner: Schema, level: number) => Schema): Schema {
  let schema: Schema = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = wrap(schema, level);
  return schema;
}

function definitions(count: number, define: (index: number) => Schema): Schema {
  return {
    $ref: '#/$defs/n0',
    $defs: Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, define(index)])),
  };
}

function cyclicObject(): Schema {
  const schema: Schema = { type: 'object', required: ['self'] };
  schema.properties = { self: { anyOf: [schema, { type: 'null' }] } };
  return schema;
}

function cyclicKeywords(): Schema {
  const schema: Schema = { type: 'object', properties: { a: { type: 'string' } } };
  schema.allOf = [schema];
  schema.const = undefined;
  const map: Schema = {};
  map.inner = { properties: map, default: map, enum: [map] };
  schema.patternProperties = map;
  return schema;
}

function sharedObjects(): Schema {
  return nested(60, (inner) => ({ type: 'object', properties: { a: inner, b: inner } }));
}

function throwingProxy(): unknown {
  const fail = () => {
    throw new Error('trap');
  };
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail });
}

/** Has a `properties` that has an `a` that has a `properties`, and so on: a new object each time. */
function endlessProxy(): unknown {
  const ownKeys = () => ['a', 'properties'];
  const getOwnPropertyDescriptor = () => ({ value: endlessProxy(), enumerable: true, configurable: true });
  return new Proxy({}, { ownKeys, getOwnPropertyDescriptor });
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return { type: 'object', properties: { a: proxy }, anyOf: proxy };
}

const LEVELS = 10_000;
const inputs: Record<string, () => unknown> = {
  '10,000 levels of properties': () => nested(LEVELS, (inner) => ({ type: 'object', properties: { a: inner } })),
  '10,000 levels of items': () => nested(LEVELS, (items) => ({ type: 'array', items })),
  '10,000 levels of tuples': () => nested(LEVELS, (inner) => ({ type: 'array', prefixItems: [inner] })),
  '10,000 levels of dictionaries': () => nested(LEVELS, (inner) => ({ type: 'object', additionalProperties: inner })),
  '10,000 levels of allOf': () =>
    nested(LEVELS, (inner, level) => ({ properties: { [`p${level % 9}`]: {} }, allOf: [inner] })),
  '10,000 levels of anyOf': () => nested(LEVELS, (inner) => ({ anyOf: [inner, { type: 'null' }] })),
  '10,000 levels of not': () => nested(LEVELS, (inner) => ({ not: inner })),
  '10,000 references in a row': () => definitions(LEVELS, (index) => ({ $ref: `#/$defs/n${index + 1}` })),
  '10,000 described references in a circle': () =>
    definitions(LEVELS, (index) => ({ $ref: `#/$defs/n${(index + 1) % LEVELS}`, description: 'd' })),
  '3,000 unions in a circle': () =>
    definitions(3_000, (index) => ({ anyOf: [{ $ref: `#/$defs/n${(index + 1) % 3_000}` }, { const: index }] })),
  '100,000 enum values': () => ({ enum: Array.from({ length: 100_000 }, (_, index) => `v${index}`) }),
  '50,000 properties': () => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`p${index}`, {}])),
  }),
  '110,000 members of anyOf': () => ({ anyOf: Array.from({ length: 110_000 }, (_, index) => ({ const: index })) }),
  '20,000 members of allOf': () => ({
    allOf: Array.from({ length: 20_000 }, (_, index) => ({ properties: { [`p${index}`]: {} } })),
  }),
  '500 unions intersected': () => ({
    allOf: Array.from({ length: 500 }, (_, index) => ({
      anyOf: [{ required: [`a${index}`] }, { required: [`b${index}`] }],
    })),
  }),
  'an object that holds itself': cyclicObject,
  'keywords that hold themselves': cyclicKeywords,
  'one object in 2^60 places': sharedObjects,
  'a proxy that throws': throwingProxy,
  'a proxy without end': endlessProxy,
  'a revoked proxy': revokedProxy,
  'an array of a billion items': () => ({
    anyOf: new Proxy([], {
      getOwnPropertyDescriptor: (_, key) => ({
        value: key === 'length' ? 1e9 : {},
        writable: true,
        enumerable: key !== 'length',
        configurable: key !== 'length',
      }),
    }),
  }),
  'a pointer of 100,000 segments': () => ({ $ref: `#/${'a/'.repeat(100_000)}` }),
  'a key of a million characters': () => ({
    type: 'object',
    properties: { ['k'.repeat(1e6)]: { type: 'string', description: '*/'.repeat(1e6) } },
  }),
};

/** The reading takes the time here, and is the same for all three. */
const ONCE = new Set(['110,000 members of anyOf', 'a proxy without end', 'an array of a billion items']);

describe('the converters end', () => {
  test.each(Object.entries(inputs))(
    'on %s',
    (name, make) => {
      const schema = make();
      const { type, declarations } = schemaToTypeScript(schema, { name: 'Case' });
      expect(type.length + declarations.length).toBeLessThan(4_000_000);
      if (ONCE.has(name)) return;
      expect(schemaToHint(schema, { maxChars: 300 }).text.length).toBeLessThanOrEqual(300);
      expect(schemaToPython(schema, { name: 'Case' }).type).toBeTypeOf('string');
    },
    120_000,
  );

  test.each([[undefined], [null], [1], ['x'], [Symbol('x')], [() => 1], [10n], [Number.NaN], [[]], [[[]]], [/x/]])(
    'on %s',
    (value) => {
      expect(schemaToTypeScript(value, { name: 'Case' }).type).toMatch(/^(unknown|Record<string, unknown>)$/);
      expect(schemaToPython(value, { name: 'Case' }).type).toBe('Any');
      expect(schemaToHint(value).complete).toBe(false);
      expect(schemasToTypeScript([{ schema: value, name: '' }]).types).toHaveLength(1);
    },
  );
});

test('a getter is never called', () => {
  const calls: string[] = [];
  const schema = {
    get type() {
      calls.push('type');
      return 'object';
    },
    properties: {
      get a() {
        calls.push('a');
        return {};
      },
    },
    required: ['a'],
  };
  expect(schemaToTypeScript(schema, { name: 'Case' }).complete).toBe(false);
  expect(calls).toEqual([]);
});

test('a cyclic object becomes a recursive type', () => {
  expect(schemaToTypeScript(cyclicObject(), { name: 'Case' })).toEqual({
    type: 'CaseRoot',
    declarations: 'type CaseRoot = {\n  self: CaseRoot | null;\n  [key: string]: unknown;\n};\n',
    complete: true,
  });
});

const anyText = fc.string({ unit: 'binary', maxLength: 20 });
const junk = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 'string', 'object', 'array', '#', '#/$defs/a', '#a', ['object', 'null'], []),
    anyText,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'type',
          'properties',
          'items',
          'prefixItems',
          'anyOf',
          'oneOf',
          'allOf',
          'not',
          '$ref',
          '$defs',
          'enum',
          'const',
          'required',
          'default',
          'description',
          'additionalProperties',
          'patternProperties',
          'propertyNames',
          'nullable',
          '$id',
          '$anchor',
          'minItems',
          'dependentRequired',
          'if',
        ),
        anyText,
      ),
      tie('node'),
      { maxKeys: 5 },
    ),
  ),
}));

test('any JSON at all gives a type that compiles and never says any', () => {
  const samples = fc.sample(junk.node, { numRuns: 300, seed: 11 });
  const compiled = compileCases(
    samples.map((schema, index) => {
      const { type, declarations } = schemaToTypeScript(schema, { name: 'Case' });
      return { name: String(index), declarations: `${declarations}type Value = ${type};`, statements: [] };
    }),
  );
  const failed = compiled.flatMap((result, index) =>
    result.errors.map((error) => `${error}: ${JSON.stringify(samples[index])}`),
  );
  expect(failed).toEqual([]);
  expect(compiled.every((result) => result.anyCount === 0)).toBe(true);
});

test('nothing ends a doc comment but its own end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('*/', '*', '/', '*\\/', '\n', '\0', '\u2028'), anyText), {
        minLength: 1,
        maxLength: 8,
      }),
      (texts) => {
        const comment = docComment(...texts);
        if (comment !== '') expect(comment.indexOf('*/')).toBe(comment.length - 2);
      },
    ),
  );
});
