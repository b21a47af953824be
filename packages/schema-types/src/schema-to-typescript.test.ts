import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { docComment, MAX_DOC_CHARS } from './doc-comment.ts';
import { propertyKey, schemasToTypeScript, schemaToTypeScript, toTypeName } from './index.ts';

const search = {
  type: 'object',
  description: 'What to look for',
  properties: {
    limit: { type: 'integer', description: 'At most so many', default: 10, minimum: 1, deprecated: true },
    query: { type: 'string', description: 'Words' },
    'sort-by': { enum: ['date', 'name'] },
  },
  required: ['query'],
  additionalProperties: false,
};

test('an object is printed with its comments, required properties first', () => {
  expect(schemaToTypeScript(search, { name: 'Search' })).toEqual({
    type: `/** What to look for */ {
  /** Words */
  query: string;
  /** At most so many
 * @default 10
 * @integer
 * @minimum 1
 * @deprecated */
  limit?: number;
  'sort-by'?: 'date' | 'name';
}`,
    declarations: '',
    complete: true,
  });
});

test('the compact layout takes few lines', () => {
  expect(schemaToTypeScript(search, { name: 'Search', layout: 'compact' }).type).toBe(
    "/** What to look for */ { /** Words */ query: string; /** At most so many @default 10 @integer @minimum 1\n * @deprecated */ limit?: number; 'sort-by'?: 'date' | 'name' }",
  );
});

test('an open type of the caller stands for further keys', () => {
  const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'object' } } } };
  expect(schemaToTypeScript(schema, { name: 'A', layout: 'compact', openType: 'Open' }).type).toBe(
    'Open<{ a?: Open[] }>',
  );
});

test('what is declared is added to the taken names', () => {
  const taken = new Set(['CaseNode']);
  const schema = {
    $ref: '#/$defs/node',
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
  };
  expect(schemaToTypeScript(schema, { name: 'case', taken }).type).toBe('CaseNode2');
  expect([...taken]).toEqual(['CaseNode', 'CaseNode2']);
});

test('what cannot be resolved is told', () => {
  expect(schemaToTypeScript({ $ref: 'https://example.com/x.json' }, { name: 'A' })).toEqual({
    type: 'unknown',
    declarations: '',
    complete: false,
  });
  expect(schemaToTypeScript({ $ref: '#/$defs/None' }, { name: 'A' }).complete).toBe(false);
  expect(schemaToTypeScript({ type: 'file' }, { name: 'A' }).complete).toBe(false);
});

const json = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constantFrom('string', 'number', 'object'), description: fc.string() }, { requiredKeys: [] }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.string(), tie('node'), { maxKeys: 4 }),
        required: fc.array(fc.string(), { maxLength: 2 }),
      },
      { requiredKeys: ['properties'] },
    ),
    fc.record(
      {
        anyOf: fc.array(tie('node'), { maxLength: 3 }),
        $defs: fc.dictionary(fc.string(), tie('node'), { maxKeys: 2 }),
      },
      { requiredKeys: ['anyOf'] },
    ),
  ),
}));

function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

test('the order of keys does not show', () => {
  fc.assert(
    fc.property(json.node, (schema) => {
      expect(schemaToTypeScript(turned(schema), { name: 'A' })).toEqual(schemaToTypeScript(schema, { name: 'A' }));
    }),
    { numRuns: 200 },
  );
});

describe('many schemas of one file', () => {
  const address = (about: string) => ({
    type: 'object',
    description: about,
    properties: { street: { type: 'string' }, city: { type: 'string' } },
    required: ['street', 'city'],
    additionalProperties: false,
  });

  test('equal parts are declared once, named by their property', () => {
    const entries = ['home', 'work'].map((name) => ({
      name,
      schema: { type: 'object', properties: { address: address(`Of ${name}`) }, additionalProperties: false },
    }));
    expect(schemasToTypeScript(entries, { layout: 'compact' })).toEqual({
      types: [
        { type: '{ /** Of home */ address?: Address }', complete: true, acceptsEmptyObject: true },
        { type: '{ /** Of work */ address?: Address }', complete: true, acceptsEmptyObject: true },
      ],
      declarations: 'type Address = { city: string; street: string };\n',
    });
  });

  test('properties that many have in common become one type', () => {
    const common = Object.fromEntries(
      ['timeout', 'retries', 'tenant'].map((key) => [
        key,
        { type: 'string', description: `${key} ${'x'.repeat(200)}` },
      ]),
    );
    const entries = ['a', 'b', 'c', 'd'].map((name) => ({
      name,
      schema: {
        type: 'object',
        properties: { ...common, [name]: { type: 'number' } },
        required: [name],
        additionalProperties: false,
      },
    }));
    const { types, declarations } = schemasToTypeScript(entries, { layout: 'compact' });
    expect(types.map((item) => item.type)).toEqual([
      '{ a: number } & Common',
      '{ b: number } & Common',
      '{ c: number } & Common',
      '{ d: number } & Common',
    ]);
    expect(types.every((item) => !item.acceptsEmptyObject)).toBe(true);
    expect(declarations).toMatch(
      /^type Common = \{ .*retries\?: string; .*tenant\?: string; .*timeout\?: string \};\n$/,
    );
  });
});

describe('names and keys', () => {
  test.each([
    ['get_weather', 'GetWeather'],
    ['3d-render', 'T3dRender'],
    ['', 'T'],
    ['名前', '名前'],
    ['a.b<c>', 'ABC'],
    ['Promise', 'Promise2'],
  ])('%j becomes the type name %s', (text, name) => {
    expect(toTypeName(text, new Set())).toBe(name);
  });

  test('two names that meet are told apart', () => {
    const taken = new Set<string>();
    expect([toTypeName('get_weather', taken), toTypeName('getWeather', taken)]).toEqual(['GetWeather', 'GetWeather2']);
  });

  test('type names are identifiers of bounded length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const name = toTypeName(text, new Set());
        expect(name).toMatch(/^[\p{ID_Start}][\p{ID_Continue}]*$/u);
        expect([...name].length).toBeLessThanOrEqual(66);
      }),
    );
  });

  test.each([
    ['plain', 'plain'],
    ['class', 'class'],
    ['$ref', '$ref'],
    ['dash-prop', "'dash-prop'"],
    ["it's", "'it\\'s'"],
    ['1x', "'1x'"],
    ['', "''"],
    ['a\nb\u2028', "'a\\nb\\u2028'"],
  ])('the key %j is printed as %s', (key, printed) => {
    expect(propertyKey(key)).toBe(printed);
  });
});

describe('doc comments', () => {
  test('hold texts on lines of their own', () => {
    expect(docComment('Page size.', '@default 10')).toBe('/** Page size.\n * @default 10 */');
    expect(docComment(undefined, '')).toBe('');
    expect(docComment('a */ b\r\nc\u2028d\0')).toBe('/** a *\\/ b\nc\nd  */');
  });

  test('long text is cut at a code point', () => {
    const comment = docComment('🎉'.repeat(MAX_DOC_CHARS));
    expect(comment.length).toBeLessThanOrEqual(MAX_DOC_CHARS + 7);
    expect(comment).toMatch(/🎉… \*\/$/u);
    expect(comment).not.toMatch(/\p{Surrogate}/u);
  });
});
