import { types } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ConsoleLevel, type FormatOptions, formatLog, formatValue, makeConsole } from '../guest.ts';

const options: FormatOptions = { labelOf: (value) => (types.isProxy(value) ? '[Proxy]' : undefined) };
const show = (value: unknown) => formatValue(value, options);

class Point {
  x = 1;
  readonly #hidden = 2;
  get sum() {
    return this.x + this.#hidden;
  }
}

describe('formatValue', () => {
  test.each<[unknown, string]>([
    ['a', "'a'"],
    ['it\'s "so"\n', '"it\'s \\"so\\"\\n"'],
    [-0, '-0'],
    [10n, '10n'],
    [Symbol('s'), 'Symbol(s)'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, '{}'],
    [[], '[]'],
    [{ a: 1, 'b-c': ['x'], [Symbol('k')]: null }, "{ a: 1, 'b-c': [ 'x' ], [Symbol(k)]: null }"],
    [{ deep: { nested: { list: [{ a: 1 }] } } }, '{ deep: { nested: { list: [ { a: 1 } ] } } }'],
    [Object.create(null), '[Object: null prototype] {}'],
    [new Point(), 'Point { x: 1 }'],
    [new (class Rows extends Array<number> {})(2), 'Rows(2) [ 2 empty items ]'],
    [Object.assign([1, 2], { extra: true }), '[ 1, 2, extra: true ]'],
    [Object.assign([], { 0: 1, 2: 3 }), '[ 1, empty, 3 ]'],
    [
      new Map<unknown, unknown>([
        ['k', 1],
        [{ a: 1 }, [2]],
      ]),
      "Map(2) { 'k' => 1, { a: 1 } => [ 2 ] }",
    ],
    [new Set(['x']), "Set(1) { 'x' }"],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), 'Invalid Date'],
    [/a\/b/gi, '/a\\/b/gi'],
    [new Uint8Array([1, 2]), 'Uint8Array(2) [ 1, 2 ]'],
    [new BigInt64Array(1), 'BigInt64Array(1) [ 0n ]'],
    [new ArrayBuffer(3), 'ArrayBuffer { byteLength: 3 }'],
    [Promise.resolve(1), 'Promise {}'],
    [Object(1), '[Number: 1]'],
    [function named() {}, '[Function: named]'],
    [() => 1, '[Function: (anonymous)]'],
    [Point, '[class Point]'],
    [Object.assign(() => 1, { a: 1 }), '[Function: (anonymous)] { a: 1 }'],
    [new TypeError('no'), 'TypeError: no'],
    [[new TypeError('no')], '[ [TypeError: no] ]'],
    [Object.assign(new Error('no'), { code: 'E1' }), "Error: no { code: 'E1' }"],
    [new Error('outer', { cause: new Error('inner') }), 'Error: outer\n  [cause]: [Error: inner]'],
    [
      new (class ToolError extends Error {
        override name = 'ToolError';
      })('m'),
      "ToolError: m { name: 'ToolError' }",
    ],
    [
      {
        get a() {
          return 1;
        },
        set b(_: number) {},
        get c() {
          return 1;
        },
        set c(_) {},
      },
      '{ a: [Getter], b: [Setter], c: [Getter/Setter] }',
    ],
    [new Proxy({}, {}), '[Proxy]'],
    [{ p: new Proxy(() => 1, {}) }, '{ p: [Proxy] }'],
  ])('shows %o', (value, shown) => {
    expect(show(value)).toBe(shown);
  });

  test('marks cycles, and shows what is only shared', () => {
    const cyclic: Record<string, unknown> = { name: 'loop' };
    cyclic['self'] = cyclic;
    const shared = { n: 1 };
    expect(show(cyclic)).toBe("{ name: 'loop', self: [Circular] }");
    expect(show([shared, shared])).toBe('[ { n: 1 }, { n: 1 } ]');
  });

  test('breaks lines that grow too long, indented by depth', () => {
    const row = { title: 'a title of some length', url: 'https://example.com/a/long/path', tags: ['one', 'two'] };
    expect(show({ rows: [row], total: 1 })).toBe(
      [
        '{',
        '  rows: [',
        '    {',
        "      title: 'a title of some length',",
        "      url: 'https://example.com/a/long/path',",
        "      tags: [ 'one', 'two' ]",
        '    }',
        '  ],',
        '  total: 1',
        '}',
      ].join('\n'),
    );
    expect(show(Array.from({ length: 30 }, (_, index) => index * 1000)).split('\n').length).toBeLessThan(6);
  });

  test('shows the frames that the engine keeps for an error', () => {
    const framesOf = () => '    at run (program:1:2)';
    expect(formatValue(new Error('no'), { ...options, framesOf })).toBe('Error: no\n    at run (program:1:2)');
  });

  test('runs no code of the program', () => {
    let ran = 0;
    const run = () => {
      ran++;
      return 'ran';
    };
    const handler = new Proxy({}, { get: () => run });
    const named = class {};
    Object.defineProperty(named, 'name', { get: run });
    const values = [
      { get a() { return run() }, toString: run, toJSON: run, valueOf: run, [Symbol.toPrimitive]: run },
      new Proxy({}, handler),
      new Proxy([], handler),
      new Proxy(() => 1, handler),
      Object.create(new Proxy({}, handler)),
      Object.setPrototypeOf(new Error('x'), new Proxy(Error.prototype, handler)),
      Object.defineProperty(new Error('x'), 'message', { get: run }),
      Object.defineProperty(new Error('x'), 'stack', { get: run }),
      Object.defineProperty([], '0', { get: run, enumerable: true }),
      Object.defineProperty(/x/, 'source', { get: run }),
      Object.defineProperty(new Map([[1, 2]]), 'size', { get: run }),
      Object.defineProperty(new Date(0), 'toISOString', { value: run }),
      new named(),
      Object.create({ get constructor() { return run() } }),
    ]; // biome-ignore format: one a line
    for (const [index, value] of values.entries()) {
      show(value);
      formatLog(['%s %d %i %j', value, value, value, value], options);
      expect([index, ran]).toEqual([index, 0]);
    }
  });

  test('keeps within bounds whatever it is given', () => {
    const long = show(Array.from({ length: 100_000 }, () => 'x'.repeat(10_000)));
    expect(long.length).toBeLessThan(500_000);
    expect(long).toContain('... 99900 more items');
    let deep: unknown = 1;
    for (let index = 0; index < 50_000; index++) deep = [deep];
    expect(show(deep)).toBe('[ [ [ [ [ [ [ [Array] ] ] ] ] ] ] ]');
    let wide: unknown = 'leaf';
    for (let index = 0; index < 7; index++) wide = Array.from({ length: 100 }, () => wide);
    expect(show(wide).length).toBeLessThan(1_000_000);
  });

  test('shows any value that there is', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
          withSparseArray: true,
          withBoxedValues: true,
        }),
        (value) => {
          expect(typeof show(value)).toBe('string');
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('formatLog', () => {
  test.each<[unknown[], string]>([
    [[], ''],
    [['a', 1, true, null, undefined], 'a 1 true null undefined'],
    [['100%', 5], '100% 5'],
    [['%s is %d of %i (%j) %%', 'it', 1.5, 2.7, { a: 1 }, 'more'], 'it is 1.5 of 2 ({ a: 1 }) % more'],
    [['%c styled', 'color: red'], ' styled'],
    [['%s'], '%s'],
    [['%s %s', 'one'], 'one %s'],
    [['%d', {}], 'NaN'],
    [[{ a: 'x' }, 'y'], "{ a: 'x' } y"],
    [['50% of', { a: 1 }], '50% of { a: 1 }'],
  ])('of %j is %j', (args, text) => {
    expect(formatLog(args, options)).toBe(text);
  });
});

describe('makeConsole', () => {
  test('writes each call with its level, groups indented', () => {
    const lines: [ConsoleLevel, string][] = [];
    const console = makeConsole((level, text) => lines.push([level, text]), options) as Console;
    console.log('a');
    console.info('b');
    console.warn('c');
    console.error('d');
    console.debug('e');
    console.group('g');
    console.log('in\nside');
    console.groupEnd();
    console.assert(true, 'fine');
    console.assert(false, 'bad');
    console.count();
    console.count('x');
    console.count();
    console.time('t');
    console.timeEnd('t');
    console.timeEnd('t');
    expect(lines.slice(0, -1)).toEqual([
      ['log', 'a'],
      ['info', 'b'],
      ['warn', 'c'],
      ['error', 'd'],
      ['debug', 'e'],
      ['log', 'g'],
      ['log', '  in\n  side'],
      ['error', 'Assertion failed: bad'],
      ['log', 'default: 1'],
      ['log', 'x: 1'],
      ['log', 'default: 2'],
    ]);
    expect(lines.at(-1)![1]).toMatch(/^t: \d+ ms$/);
  });
});
