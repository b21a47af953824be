import { describe, expect, test } from 'vitest';
import { createHarness, deferred, readTool } from '../testing/harness.ts';
import { MemoryRunStore } from './memory-run-store.ts';
import type { Claim, SuspendedRunRecord, SuspendedRunStore, Tombstone } from './suspended-run-store.ts';

/** A store of another kind: each answer comes later, and all that happens is written down. */
class SlowStore implements SuspendedRunStore {
  readonly log: string[] = [];
  readonly records = new Map<string, SuspendedRunRecord>();
  readonly claimed = new Set<string>();
  readonly tombstones = new Map<string, Tombstone>();
  readonly places = new Set<string>();

  get size(): number {
    return this.places.size;
  }

  reserve(runId: string, limit: number): boolean {
    if (!this.places.has(runId) && this.places.size >= limit) return false;
    this.places.add(runId);
    return true;
  }

  async save(record: SuspendedRunRecord): Promise<void> {
    await later();
    this.log.push('save');
    this.records.set(record.runId, record);
    this.claimed.delete(record.runId);
  }

  async find(runId: string): Promise<SuspendedRunRecord | undefined> {
    await later();
    return this.records.get(runId);
  }

  async claim(runId: string): Promise<Claim> {
    await later();
    const record = this.records.get(runId);
    if (record) {
      const state = this.claimed.has(runId) ? 'in_use' : 'claimed';
      this.log.push(state);
      this.claimed.add(runId);
      return { state, record };
    }
    const tombstone = this.tombstones.get(runId);
    return tombstone ? { state: 'gone', tombstone } : { state: 'unknown' };
  }

  async end(runId: string, tombstone?: Tombstone): Promise<void> {
    this.log.push(`end ${tombstone?.reason ?? 'without a trace'}`);
    this.places.delete(runId);
    this.records.delete(runId);
    if (tombstone) this.tombstones.set(runId, tombstone);
  }

  dropTombstones(isDropped: (session: string) => boolean): void {
    for (const [runId, { session }] of this.tombstones) if (isDropped(session)) this.tombstones.delete(runId);
  }
}

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

async function withStore<Store extends SuspendedRunStore>(store: Store, config = {}) {
  const answer = deferred();
  const harness = await createHarness({ store, config, tools: [readTool('ask', () => answer.promise)] });
  return { ...harness, store, answer };
}

describe('a store of another hand', () => {
  test('keeps a suspended run, gives it to one resumer, and forgets it at its end', async () => {
    const { execUntilCall, wait, store, answer } = await withStore(new SlowStore());
    const { runId } = await execUntilCall('return await tools.ask()');
    expect(store.records.get(runId)).toMatchObject({ runId, scope: { sessionId: 'session-1' } });
    expect(await wait(runId, { scope: { sessionId: 'other' } })).toMatchObject({ code: 'invalid_input' });
    const first = wait(runId);
    const second = await wait(runId);
    expect(second).toMatchObject({ code: 'invalid_input', error: expect.stringContaining('another wait') });
    answer.resolve('done');
    expect(await first).toMatchObject({ status: 'completed', value: 'done' });
    expect(store.log).toEqual(['save', 'claimed', 'in_use', 'end without a trace']);
    expect(store.size).toBe(0);
  });

  test('remembers why a run is gone, and forgets that with the session', async () => {
    const { execUntilCall, wait, codeMode, store } = await withStore(new SlowStore());
    const { runId } = await execUntilCall('return await tools.ask()');
    expect(await wait(runId, { cancel: true })).toMatchObject({ code: 'aborted' });
    expect(await wait(runId)).toMatchObject({ code: 'aborted', error: expect.stringContaining('was ended') });
    await codeMode.endSession({ sessionId: 'session-1' });
    expect(store.tombstones.size).toBe(0);
    expect(await wait(runId)).toMatchObject({ code: 'invalid_input' });
  });

  test('decides how many runs there may be', async () => {
    const { execUntilCall, exec, store } = await withStore(new SlowStore(), { maxSuspendedRuns: 1 });
    await execUntilCall('return await tools.ask()');
    expect(store.size).toBe(1);
    expect(await exec('return await tools.ask()')).toMatchObject({ code: 'too_many_suspended_runs' });
  });

  test('may be provided by a getter, which is asked when the first program runs', async () => {
    let asked = 0;
    const store = new MemoryRunStore<never>();
    const { exec } = await createHarness({
      store: () => {
        asked++;
        return store as never;
      },
      tools: [readTool('ask', () => 1)],
    });
    expect(asked).toBe(0);
    for (let at = 0; at < 2; at++) await exec('return await tools.ask()');
    expect(asked).toBe(1);
  });
});

describe('a store that fails', () => {
  test.each(['reserve', 'save'] as const)('at %s ends the run with its reason, and nothing is left', async (method) => {
    const store = new SlowStore();
    store[method] = () => {
      throw new Error('the disk is full');
    };
    const { codeMode, callOptions } = await withStore(store);
    const run = { code: 'return await tools.ask()', restartSafe: true };
    expect(await codeMode.exec(run, callOptions())).toMatchObject({
      status: 'failed',
      code: 'internal_error',
      error: 'the store of suspended runs failed: the disk is full',
    });
    expect(store.size).toBe(0);
    expect(store.records.size).toBe(0);
  });

  test('at a look-up fails that wait alone', async () => {
    const { execUntilCall, wait, store, answer } = await withStore(new SlowStore());
    const { runId } = await execUntilCall('return await tools.ask()');
    store.find = () => Promise.reject(new Error('no connection'));
    expect(await wait(runId)).toMatchObject({
      code: 'internal_error',
      error: expect.stringContaining('no connection'),
    });
    Reflect.deleteProperty(store, 'find');
    answer.resolve(5);
    expect(await wait(runId)).toMatchObject({ value: 5 });
  });

  test('at the end of a run is a warning', async () => {
    const { execUntilCall, wait, store, answer, warnings } = await withStore(new SlowStore());
    const { runId } = await execUntilCall('return await tools.ask()');
    store.end = () => Promise.reject(new Error('no connection'));
    answer.resolve(5);
    expect(await wait(runId)).toMatchObject({ value: 5 });
    await later();
    expect(warnings).toEqual(['the store of suspended runs failed: no connection']);
  });
});

describe('what a store gives back is checked', () => {
  test.each<[string, (own: SuspendedRunRecord, other: SuspendedRunRecord) => object]>([
    ['another run’s program', (own, other) => ({ ...own, program: other.program })],
    ['something that is no program', (own) => ({ ...own, program: { id: own.runId } })],
  ])('%s cannot be restored', async (_, forge) => {
    const { execUntilCall, wait, store } = await withStore(new SlowStore());
    const own = await execUntilCall('return await tools.ask()');
    const other = await execUntilCall('return await tools.ask()');
    const [a, b] = [store.records.get(own.runId)!, store.records.get(other.runId)!];
    store.records.set(own.runId, forge(a, b) as SuspendedRunRecord);
    expect(await wait(own.runId)).toMatchObject({ status: 'failed', code: 'snapshot_restore_failed' });
  });

  test('a record that names another owner opens the run to nobody else', async () => {
    const { execUntilCall, wait, store } = await withStore(new SlowStore());
    const { runId } = await execUntilCall('return await tools.ask()');
    store.records.set(runId, { ...store.records.get(runId)!, ownership: [['sessionId', 'thief']] });
    expect(await wait(runId, { scope: { sessionId: 'thief' } })).toMatchObject({ code: 'invalid_input' });
  });
});
