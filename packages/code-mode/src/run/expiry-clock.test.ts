import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ExpiryClock } from './expiry-clock.ts';

describe('ExpiryClock', () => {
  let asked = false;
  let expired = 0;
  const clock = (ttlMs: number, approvalTtlMs = 100_000) =>
    new ExpiryClock({ ttlMs, approvalTtlMs, isAwaitingApproval: () => asked, onExpired: () => expired++ });
  beforeEach(() => {
    vi.useFakeTimers();
    asked = false;
    expired = 0;
  });
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test('expires once after its time', () => {
    clock(1_000).start(true);
    vi.advanceTimersByTime(999);
    expect(expired).toBe(0);
    vi.advanceTimersByTime(5_000);
    expect(expired).toBe(1);
  });

  test('stops with the run', () => {
    const running = clock(1_000);
    running.start(true);
    running.stop();
    vi.advanceTimersByTime(5_000);
    expect(expired).toBe(0);
  });

  test('a start that does not renew keeps the old time', () => {
    const running = clock(1_000);
    running.start(true);
    vi.advanceTimersByTime(600);
    running.start(false);
    vi.advanceTimersByTime(400);
    expect(expired).toBe(1);
  });

  test('a start that renews begins anew', () => {
    const running = clock(1_000);
    running.start(true);
    vi.advanceTimersByTime(600);
    running.start(true);
    vi.advanceTimersByTime(999);
    expect(expired).toBe(0);
    vi.advanceTimersByTime(1);
    expect(expired).toBe(1);
  });

  test('does not run while a person is asked, also where the question comes later, and begins anew after the answer', () => {
    clock(1_000).start(true);
    vi.advanceTimersByTime(500);
    asked = true;
    vi.advanceTimersByTime(60_000);
    expect(expired).toBe(0);
    asked = false;
    vi.advanceTimersByTime(900);
    expect(expired).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(expired).toBe(1);
  });

  test('a question is not open for ever', () => {
    asked = true;
    clock(1_000, 20_000).start(true);
    vi.advanceTimersByTime(19_000);
    expect(expired).toBe(0);
    vi.advanceTimersByTime(2_000);
    expect(expired).toBe(1);
  });

  test('outlives the longest timer that there is', () => {
    clock(30 * 86_400_000).start(true);
    vi.advanceTimersByTime(29 * 86_400_000);
    expect(expired).toBe(0);
    vi.advanceTimersByTime(86_400_000);
    expect(expired).toBe(1);
  });
});
