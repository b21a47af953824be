import { describe, expect, test } from 'vitest';
import { KeptResults } from './kept-results.ts';

describe('KeptResults', () => {
  test('gives back the whole, or characters, items or members of it', () => {
    const kept = new KeptResults();
    const list = kept.keep('s', [1, 2, 3, 4], 1_000)!;
    const word = kept.keep('s', 'abcdef', 1_000)!;
    const record = kept.keep('s', { a: 1, b: 2, c: 3 }, 1_000)!;
    const number = kept.keep('s', 7, 1_000)!;
    expect([list, word, record, number]).toEqual(['result-1', 'result-2', 'result-3', 'result-4']);
    expect(kept.read('s', list, undefined)).toEqual([1, 2, 3, 4]);
    expect(kept.read('s', list, { offset: 1, limit: 2 })).toEqual([2, 3]);
    expect(kept.read('s', word, { offset: 4 })).toBe('ef');
    expect(kept.read('s', record, { limit: 1 })).toEqual({ a: 1 });
    expect(kept.read('s', number, { limit: 0 })).toBe(7);
    expect(kept.read('s', list, { offset: 9 })).toEqual([]);
  });

  test('parts of a text join to the whole, whatever characters it has', () => {
    const kept = new KeptResults();
    const whole = 'a😀b😀😀c';
    const ref = kept.keep('s', whole, 1_000)!;
    for (let limit = 1; limit < 5; limit++) {
      let joined = '';
      for (let offset = 0; offset < whole.length; offset += limit) joined += kept.read('s', ref, { offset, limit });
      expect(joined).toBe(whole);
    }
  });

  test('drops the oldest within its budget, and keeps nothing that is larger than all of it', () => {
    const kept = new KeptResults();
    const first = kept.keep('s', 'x'.repeat(60), 150)!;
    const second = kept.keep('s', 'y'.repeat(60), 150)!;
    expect(kept.keep('s', 'z'.repeat(200), 150)).toBeUndefined();
    const third = kept.keep('s', 'w'.repeat(60), 150)!;
    expect(() => kept.read('s', first, undefined)).toThrow(/"result-1" is not a kept result/);
    expect(kept.read('s', second, undefined)).toHaveLength(60);
    expect(kept.read('s', third, undefined)).toHaveLength(60);
    expect(kept.keep('s', 1, 0)).toBeUndefined();
  });

  test('belongs to its session and goes with it', () => {
    const kept = new KeptResults();
    const ref = kept.keep('s', 'mine', 100)!;
    expect(() => kept.read('t', ref, undefined)).toThrow(/not a kept result of this session/);
    kept.drop((session) => session === 's');
    expect(() => kept.read('s', ref, undefined)).toThrow(/not a kept result of this session/);
  });

  test.each([
    ['result-1', 5, 'the second argument must be { offset, limit }'],
    ['result-1', { limt: 5 }, 'unknown option "limt"; there are offset and limit'],
    ['result-1', { offset: -1 }, 'offset must be a whole number from 0'],
    ['result-1', { limit: '5' }, 'limit must be a whole number from 0'],
    ['result-9', undefined, '"result-9" is not a kept result of this session'],
    [7, undefined, 'a number is not a kept result of this session'],
  ])('refuses %j, %j and says why', (ref, options, problem) => {
    const kept = new KeptResults();
    kept.keep('s', [1], 100);
    expect(() => kept.read('s', ref, options)).toThrow(problem);
  });
});
