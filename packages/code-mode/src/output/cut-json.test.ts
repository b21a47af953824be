import { type JsonValue, jsonBytes } from '@codeseam/lossless-json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutJson } from './cut-json.ts';
import { shareBytes } from './share-bytes.ts';

describe('cutJson', () => {
  test('gives what fits unchanged', () => {
    const value = { a: [1, 'two', null] };
    expect(cutJson(value, 100)).toBe(value);
  });

  test('a text says how many characters are missing', () => {
    expect(cutJson('x'.repeat(1_000), 50)).toBe(`${'x'.repeat(22)}… [978 more characters]`);
  });

  test('a long list keeps its first items whole', () => {
    const items = Array.from({ length: 1_000 }, (_, id) => ({ id }));
    const cut = cutJson(items, 120) as JsonValue[];
    expect(cut.slice(0, 2)).toEqual([{ id: 0 }, { id: 1 }]);
    expect(cut.at(-1)).toBe(`… ${1_000 - (cut.length - 1)} more items`);
  });

  test('an object keeps its small members and cuts the large one', () => {
    const cut = cutJson({ name: 'report', body: 'y'.repeat(10_000), pages: 12 }, 200) as Record<string, string>;
    expect(cut).toMatchObject({ name: 'report', pages: 12 });
    expect(cut['body']).toMatch(/^y+… \[\d+ more characters\]$/);
  });

  test('an object of many members counts the ones left out', () => {
    const cut = cutJson(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key${at}`, at])), 200) as object;
    const shown = Object.keys(cut).length - 1;
    expect(cut).toMatchObject({ key0: 0, '…': `${500 - shown} more members` });
  });

  test('a cut goes as deep as the value', () => {
    const cut = cutJson({ data: { rows: [{ text: 'z'.repeat(5_000) }] } }, 200) as {
      data: { rows: [{ text: string }] };
    };
    expect(cut.data.rows[0].text).toMatch(/^z+… \[\d+ more characters\]$/);
  });

  test('what is nested past all bounds becomes a count', () => {
    let deep: JsonValue = 'x'.repeat(10_000);
    for (let level = 0; level < 5_000; level++) deep = [deep];
    const cut = cutJson(deep, 2_000);
    expect(jsonBytes(cut!)).toBeLessThanOrEqual(2_000);
  });

  test('never splits a character, and nothing fits into next to nothing', () => {
    expect(cutJson('😀'.repeat(100), 60)).toMatch(/^(😀)+… \[\d+ more characters\]$/u);
    expect(cutJson('x'.repeat(100), 8)).toBeUndefined();
  });

  test('any value fits its budget after the cut, and is JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 400 }), (value, budget) => {
        const json = JSON.parse(JSON.stringify(value)) as JsonValue;
        const cut = cutJson(json, budget);
        if (cut === undefined) return;
        expect(jsonBytes(cut)).toBeLessThanOrEqual(budget);
        if (jsonBytes(json) <= budget) expect(cut).toBe(json);
      }),
      { numRuns: 500 },
    );
  });
});

test('shareBytes gives small parts all they need and never more than the budget', () => {
  expect(shareBytes([10, 1_000, 20, 1_000], 230)).toEqual([10, 100, 20, 100]);
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 30 }), fc.nat(5_000), (sizes, budget) => {
      const shares = shareBytes(sizes, budget);
      const sum = shares.reduce((a, b) => a + b, 0);
      expect(sum).toBeLessThanOrEqual(budget);
      expect(shares.every((share, at) => share <= sizes[at]!)).toBe(true);
      // Who got less than he needs got as much as anybody.
      const most = Math.max(0, ...shares);
      for (const [at, share] of shares.entries())
        if (share < sizes[at]!) expect(share).toBeGreaterThanOrEqual(most - sizes.length);
    }),
  );
});
