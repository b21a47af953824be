import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';
import { nearestNames } from './index.ts';

/** The textbook recurrence, with the whole table. */
function slowDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 0; j <= b.length; j++) table[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
        table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, table[i - 2]![j - 2]! + 1);
      }
      table[i]![j] = cost;
    }
  }
  return table[a.length]![b.length]!;
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 14 });

describe('editDistance', () => {
  test('agrees with the textbook recurrence up to its bound', () => {
    fc.assert(
      fc.property(word, word, fc.nat(15), (a, b, most) => {
        expect(editDistance(a, b, most)).toBe(Math.min(slowDistance(a, b), most + 1));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('nearestNames', () => {
  test.each([
    ['get_sum', ['echo', 'getSum', 'get_summary'], ['getSum', 'get_summary']],
    ['get_summ', ['getSum', 'echo'], ['getSum']],
    ['read_fil', ['write_file', 'read_file', 'list'], ['read_file']],
    ['serch_docs', ['search_docs', 'core'], ['search_docs']],
    ['host:core:serch_docs', ['host:core:search_docs', 'host:core:list'], ['host:core:search_docs']],
    ['worker', ['workers', 'computeMs'], ['workers']],
    ['compueMs', ['workers', 'computeMs', 'wallMs'], ['computeMs']],
    ['sum', ['getSum', 'other'], ['getSum']],
    ['cmd', ['cwd', 'command', 'env'], ['command', 'cwd']],
    ['cfg', ['cfb', 'config'], ['config', 'cfb']],
    ['opts', ['opus', 'options'], ['options', 'opus']],
    ['msg', ['messaging', 'message'], ['message', 'messaging']],
    ['command', ['comma', 'cmd'], ['cmd']],
    ['getsm', ['getSystem', 'getSum'], ['getSum']],
    ['fn', ['fun', 'function'], ['fun']],
    ['qqqq', ['getSum', 'other'], []],
    ['', ['a', 'b'], []],
    ['__', ['_', '__'], ['__']],
  ])('for %j among %j gives %j', (wanted, known, expected) => {
    expect(nearestNames(wanted, known).slice(0, expected.length || 1)).toEqual(expected);
  });

  test('gives at most the limit, best first, the earlier of equals first', () => {
    expect(nearestNames('file', ['filed', 'files', 'filet', 'file1', 'fil'], 2)).toEqual(['filed', 'files']);
    expect(nearestNames('file', ['file'], 0)).toEqual([]);
  });

  test('takes any iterable', () => {
    expect(nearestNames('echoo', new Map([['echo', 1]]).keys())).toEqual(['echo']);
  });

  test('finds a name with one letter changed, whatever its case and separators', () => {
    const name = fc.stringMatching(/^[a-z]{4,10}(_[a-z]{3,8}){0,3}$/);
    fc.assert(
      fc.property(name, fc.nat(), (wanted, seed) => {
        const at = seed % wanted.length;
        const changed = `${wanted.slice(0, at)}Q${wanted.slice(at + 1)}`;
        const camel = wanted.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
        expect(nearestNames(changed, ['zzzzzzzzzzzz', camel])).toEqual([camel]);
      }),
    );
  });

  test('stays bounded for very long names and many candidates', () => {
    const long = 'x'.repeat(1_000_000);
    expect(nearestNames(long, [`${long}y`, 'short'])).toEqual([`${long}y`]);
    const many = Array.from({ length: 10_000 }, (_, i) => `some_tool_with_a_long_name_${i}`);
    expect(nearestNames('some_tool_with_a_long_name_77x', many)).toContain('some_tool_with_a_long_name_77');
  });
});
