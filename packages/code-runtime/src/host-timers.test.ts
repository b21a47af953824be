import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HostControls } from './host-controls.ts';
import { HostTimers, MOST_TIMERS } from './host-timers.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a timer fires once when it is due, and a number that is armed is armed once', () => {
  const due: number[] = [];
  const timers = new HostTimers((seq) => due.push(seq));
  expect(timers.arm(1, 1_500)).toBe(true);
  expect(timers.arm(1, 1_001)).toBe(true);
  expect(timers.arm(2, 900)).toBe(true);
  expect(timers.entries()).toEqual([
    [1, 1_500],
    [2, 900],
  ]);
  vi.advanceTimersByTime(1);
  expect(due).toEqual([2]);
  vi.advanceTimersByTime(10_000);
  expect(due).toEqual([2, 1]);
  expect([timers.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test('timers of one delay fire in the order in which they were set, though the clock went on in between', () => {
  const due: number[] = [];
  const timers = new HostTimers((seq) => due.push(seq));
  timers.arm(1, 1_005, 1_000);
  vi.setSystemTime(1_002);
  timers.arm(2, 1_005, 1_000);
  vi.advanceTimersByTime(10);
  expect(due).toEqual([1, 2]);
});

test('a delay beyond what Node can wait does not fire at once', () => {
  const due: number[] = [];
  const timers = new HostTimers((seq) => due.push(seq));
  timers.arm(1, Number.MAX_SAFE_INTEGER);
  vi.advanceTimersByTime(60_000);
  expect(due).toEqual([]);
  expect(timers.pending()).toEqual([
    { kind: 'timer', id: 'timer-1', path: [], args: [], dueAt: Number.MAX_SAFE_INTEGER },
  ]);
  timers.clearAll();
  expect(vi.getTimerCount()).toBe(0);
});

test('a run has ten thousand timers at most', () => {
  const timers = new HostTimers(() => {});
  for (let seq = 0; seq < MOST_TIMERS; seq++) timers.arm(seq, 2_000);
  expect(timers.arm(MOST_TIMERS, 2_000)).toBe(false);
  expect([timers.size, vi.getTimerCount()]).toEqual([10_000, 10_000]);
  timers.clear(5);
  expect(timers.arm(MOST_TIMERS, 2_000)).toBe(true);
  timers.clearAll();
});

test('controls are raised once, listed, and taken in order', () => {
  const controls = new HostControls();
  expect(controls.raise(4, 'yield', { a: 1 })).toEqual({ id: 'control-4', name: 'yield', payload: { a: 1 } });
  expect(controls.raise(4, 'yield', null)).toBeUndefined();
  controls.raise(2, 'other', null);
  expect(controls.pending()).toEqual([
    { kind: 'control', id: 'control-4', path: ['yield'], args: [{ a: 1 }], startedAt: 1_000 },
    { kind: 'control', id: 'control-2', path: ['other'], args: [null], startedAt: 1_000 },
  ]);
  expect(controls.takeAll()).toEqual([4, 2]);
  expect(controls.size).toBe(0);
});
