import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryRunStore } from './memory-run-store.ts';
import type { SuspendedRunRecord, Tombstone } from './suspended-run-store.ts';

const record = (runId: string): SuspendedRunRecord<string> => ({
  runId,
  scope: {},
  ownership: [],
  catalogKey: 'k',
  program: `program of ${runId}`,
});
const tombstone = (more: Partial<Tombstone> = {}): Tombstone => ({
  reason: 'aborted',
  session: 's',
  fields: [],
  ownership: 'h',
  until: Date.now() + 1_000,
  ...more,
});

describe('MemoryRunStore', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('gives a run to one resumer at a time', () => {
    const store = new MemoryRunStore<string>();
    store.reserve('a', 10);
    store.save(record('a'));
    expect(store.claim('a')).toMatchObject({ state: 'claimed', record: { program: 'program of a' } });
    expect(store.claim('a')).toMatchObject({ state: 'in_use' });
    store.save(record('a'));
    expect(store.claim('a')).toMatchObject({ state: 'claimed' });
    expect(store.find('a')).toMatchObject({ runId: 'a' });
  });

  test('a run that was never suspended cannot be claimed', () => {
    const store = new MemoryRunStore<string>();
    store.reserve('a', 10);
    expect(store.claim('a')).toEqual({ state: 'unknown' });
    expect(store.find('a')).toBeUndefined();
  });

  test('has no more places than the limit, and gives them back', () => {
    const store = new MemoryRunStore<string>();
    expect([store.reserve('a', 2), store.reserve('b', 2), store.reserve('c', 2), store.reserve('a', 2)]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(store.size).toBe(2);
    store.end('a');
    store.end('a');
    expect(store.reserve('c', 2)).toBe(true);
  });

  test('remembers why a run is gone until its TTL, or until its session ends', () => {
    const store = new MemoryRunStore<string>();
    store.end('a', tombstone());
    store.end('b', tombstone({ session: 't' }));
    expect(store.claim('a')).toMatchObject({ state: 'gone', tombstone: { reason: 'aborted' } });
    store.dropTombstones((session) => session === 't');
    expect(store.claim('b')).toEqual({ state: 'unknown' });
    vi.advanceTimersByTime(1_001);
    expect(store.claim('a')).toEqual({ state: 'unknown' });
  });

  test('a long series of runs leaves a bounded number of tombstones', () => {
    const store = new MemoryRunStore<string>();
    for (let at = 0; at < 10_500; at++) store.end(`run-${at}`, tombstone({ until: Date.now() + 1e9 }));
    expect(store.claim('run-0')).toEqual({ state: 'unknown' });
    expect(store.claim('run-10499')).toMatchObject({ state: 'gone' });
  });
});
