// A smoke run: every case measures, with few rounds, and the table says what it should.
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { loadCases } from './load-cases.ts';
import { blockMedians, median, medianTimes } from './measure.ts';
import { makeTable } from './table.ts';

/** Cases that start new processes need the built packages. */
const NEED_BUILD = ['P5'];
const isBuilt = [
  'code-runtime-quickjs',
  'code-runtime',
  'cell',
  'lossless-json',
  'nearest-names',
  'strict-config',
].every((name) => existsSync(new URL(`../../packages/${name}/dist/index.js`, import.meta.url)));

// Before the cases are loaded: they take their sizes from it.
process.env['BENCH_SMOKE'] = '1';
afterAll(() => {
  delete process.env['BENCH_SMOKE'];
});

const cases = await loadCases();

describe('the bench', () => {
  test('has every case of the runtimes, in order', () => {
    expect(cases.map((it) => it.id)).toEqual(
      expect.arrayContaining(['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8', 'P9', 'P13']),
    );
    const numbers = cases.map((it) => Number(it.id.slice(1)));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  test('refuses a case that it does not have', async () => {
    await expect(loadCases(['P99'])).rejects.toThrow('there is no case P99; there are P1, P2');
  });

  test.each(cases.map((it) => [it.id, it] as const))('%s measures', { timeout: 60_000 }, async (id, it) => {
    if (NEED_BUILD.includes(id) && !isBuilt) return;
    const rows = await it.measure({ rounds: 1 });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(Number.isFinite(row.ours)).toBe(true);
      expect(row.unit).not.toBe('');
    }
  });

  test('takes contestants in turn and gives the median of each', async () => {
    const order: string[] = [];
    const times = await medianTimes({ a: async () => order.push('a'), b: async () => order.push('b') }, 3);
    expect(order).toEqual(Array(5).fill(['a', 'b']).flat());
    expect(Object.keys(times)).toEqual(['a', 'b']);
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
  });

  test('gives short work blocks of runs, and tells their first ones apart', async () => {
    const order: string[] = [];
    const isFirst = () => order.at(-2) !== order.at(-1);
    const wait = () => new Promise((resolve) => setTimeout(resolve, isFirst() ? 30 : 0));
    const { warm, first } = await blockMedians(
      {
        async a() {
          order.push('a');
          await wait();
        },
        b: async () => order.push('b'),
      },
      20,
    );
    expect(order.join('')).toBe(`${'a'.repeat(20)}${'b'.repeat(20)}`.repeat(7));
    expect(first.a).toBeGreaterThan(warm.a);
    expect(Object.keys(first)).toEqual(['a', 'b']);
  });

  test('prints figures and ratios', () => {
    const table = makeTable([
      { id: 'P1', what: 'work', unit: 'ms', ours: 0.5, peer: 12.5, floor: 0.25, reach: '1/25', reached: true },
      { id: 'P2', what: 'more', unit: 'KB', ours: 1234.5, reached: false },
    ]);
    expect(table.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      '| # | work | ours | peer | floor | ours/peer | ours/floor | reach | |',
      expect.stringMatching(/^\|-+\|/),
      '| P1 | work | 0.5 ms | 12.5 ms | 0.25 ms | 1/25 | 2 | 1/25 | yes |',
      '| P2 | more | 1235 KB | | | | | | NO |',
    ]);
  });
});
