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

test('where another thread had the processor, many are left out', () => {
  const quick = new QuickAnswers();
  quick.begin(1);
  lookInVain(quick, 0.3);
  expect(skipped(quick)).toBe(512);
});
