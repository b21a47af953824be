import { describe, expect, test } from 'vitest';
import { bindingTable } from './binding-table.ts';

const one = () => 1;
const table = (functions: unknown) => bindingTable({ global: 'ns', functions: functions as never });

/** Frozen records in each other, as many as said, around something. */
const nest = (levels: number, inner: object = Object.freeze({ run: one })): object =>
  levels === 0 ? inner : nest(levels - 1, Object.freeze({ inner }));

describe('the table of a namespace', () => {
  test('describes functions, data, records and arrays', () => {
    const made = table({
      run: one,
      version: 2,
      tags: ['a'],
      deep: { run: one, note: null },
      list: [one, 5],
      gone: undefined,
    });
    expect(JSON.parse(made.text)).toEqual({
      o: [
        ['run', 0],
        ['version', { d: 2 }],
        ['tags', { d: ['a'] }],
        [
          'deep',
          {
            o: [
              ['run', 0],
              ['note', { d: null }],
            ],
          },
        ],
        ['list', { a: [0, { d: 5 }] }],
      ],
    });
  });

  test('finds functions by own path only', () => {
    const made = table(
      Object.assign(Object.create(null), { run: one, deep: { run: one }, list: [one], ['__proto__']: one }),
    );
    for (const path of [['run'], ['deep', 'run'], ['list', '0'], ['__proto__']]) expect(made.find(path)).toBe(one);
    for (const path of [
      [],
      ['deep'],
      ['constructor'],
      ['run', 'call'],
      ['list', 'map'],
      ['list', '1'],
      ['toString'],
      ['deep', 'run', 'x'],
    ]) {
      expect(made.find(path)).toBeUndefined();
    }
  });

  test('has the same hash for the same shape, whatever the functions are', () => {
    expect(table({ a: one }).hash).toBe(table({ a: () => 2 }).hash);
    expect(table({ a: one }).hash).not.toBe(table({ b: one }).hash);
  });

  test('is made once for a tree that is frozen all through, and each time for any other', () => {
    const frozen = Object.freeze({ a: one, deep: Object.freeze({ b: one, tags: Object.freeze(['x']) }) });
    expect(table(frozen)).toBe(table(frozen));
    const open = Object.freeze({ a: one, deep: { b: one } });
    expect(table(open)).not.toBe(table(open));
    const data = Object.freeze({ a: one, tags: [1] });
    expect(table(data)).not.toBe(table(data));
  });

  test('knows a part that is frozen all through wherever it stands, also beside parts that are not', () => {
    let reads = 0;
    const tags = new Proxy(['x'], {
      getOwnPropertyDescriptor(target, key) {
        reads++;
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
    const part = Object.freeze({ a: one, tags: Object.freeze(tags) });
    table(part);
    const before = reads;
    const whole = table({ first: part, second: { deep: part }, more: one });
    expect(reads).toBe(before);
    expect(whole.find(['second', 'deep', 'a'])).toBe(one);
    expect(JSON.parse(whole.text).o[0]).toEqual([
      'first',
      {
        o: [
          ['a', 0],
          ['tags', { d: ['x'] }],
        ],
      },
    ]);
  });

  test('a known part does not get deeper than parts may be', () => {
    const part = Object.freeze({ deep: nest(60) });
    table(part);
    expect(() => table({ a: nest(60, part) })).toThrow('nest deeper than 100 levels');
  });

  test('a member that is not enumerable is another spelling of one that is', () => {
    const inner = Object.defineProperty({ getSum: one }, 'get-sum', { value: one });
    const made = table(Object.defineProperty({ files: inner }, '1', { value: inner }));
    expect(JSON.parse(made.text)).toEqual({
      o: [['files', { o: [['getSum', 0]], s: [['get-sum', 'getSum']] }]],
      s: [['1', 'files']],
    });
    const stray = Object.defineProperty({ getSum: one }, 'other', { value: () => 2 });
    expect(() => table({ deep: stray })).toThrow('"ns"."deep"."other" is not enumerable, and not the value');
  });

  test('takes the same record in two places, but no cycle', () => {
    const shared = { run: one };
    expect(table({ a: shared, b: shared }).find(['b', 'run'])).toBe(one);
    const cycle: Record<string, unknown> = { run: one };
    cycle['again'] = { cycle };
    expect(() => table(cycle)).toThrow('cycle');
  });

  test('reads thousands of members quickly enough to be done at each run', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`tool_${i}`, one]));
    expect(table(many).find(['tool_9999'])).toBe(one);
  });
});
