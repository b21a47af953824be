import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QuickAnswers } from './quick-answers.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Looks out until it is of no use any more; each look takes `stepMs`. */
function lookInVain(quick: QuickAnswers, stepMs: number): void {
  do vi.advanceTimersByTime(stepMs);
  while (quick.lookedInVain());
}

function skipped(quick: QuickAnswers): number {
  let count = 0;
  while (!quick.begin(1)) count++;
  return count;
}

test('each look-out in vain makes twice as many be left out, until an answer comes', () => {
  const quick = new QuickAnswers();
  expect(quick.begin(1)).toBe(true);
  const left: number[] = [];
  for (let round = 0; round < 8; round++) {
    lookInVain(quick, 0.05);
    left.push(skipped(quick));
  }
  expect(left).toEqual([1, 2, 4, 8, 16, 32, 64, 64]);
  quick.came();
  expect(skipped(quick)).toBe(0);
  lookInVain(quick, 0.05);
  expect(skipped(quick)).toBe(1);
});

test('where another thread had the processor, more are left out each time, until many answers have come', () => {
  const quick = new QuickAnswers();
  const busy = (times: number) =>
    Array.from({ length: times }, () => {
      lookInVain(quick, 0.3);
      return skipped(quick);
    });
  quick.begin(1);
  expect(busy(9)).toEqual([8, 16, 32, 64, 128, 256, 512, 512, 512]);
  for (let answer = 0; answer < 63; answer++) quick.came();
  expect(busy(1)).toEqual([512]);
  for (let answer = 0; answer < 64; answer++) quick.came();
  expect(busy(2)).toEqual([8, 16]);
});
