import { describe, expect, test, vi } from 'vitest';
import { bindingTable } from './binding-table.ts';
import { type CallOutcome, callId, HostCalls, type HostCallsOptions, showPath } from './host-calls.ts';
import type { CodeBinding, CodeCallContext } from './types.ts';

function calls(functions: Record<string, CodeBinding>, options: Partial<HostCallsOptions> = {}) {
  const settled: [number, CallOutcome][] = [];
  const made = new HostCalls({
    namespaces: [{ global: 'ns', table: bindingTable({ global: 'ns', functions }) }],
    maxPendingCalls: Number.POSITIVE_INFINITY,
    maxCallBytes: 1000,
    drainMs: 20,
    abortGraceMs: 20,
    onSettled: (seq, outcome) => void settled.push([seq, outcome]),
    ...options,
  });
  return { calls: made, settled };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the calls of a run', () => {
  test('start host functions and give their outcomes', async () => {
    const { calls: it, settled } = calls({
      add: (a: number, b: number) => a + b,
      none: () => undefined,
      no: () => Promise.reject(new Error('no')),
    });
    expect(it.accept(1, ['ns', 'add'], '[1,2]')).toBe(true);
    it.accept(2, ['ns', 'none'], '[]');
    it.accept(3, ['ns', 'no'], '[]');
    expect(settled).toEqual([]);
    await turn();
    expect(settled.sort()).toEqual([
      [1, { ok: true, json: '3' }],
      [2, { ok: true }],
      [3, { ok: false, message: 'no' }],
    ]);
    expect([it.made, it.size, it.pending()]).toEqual([3, 0, []]);
  });

  test('drop a number that was used, is not above the last, or is no number', async () => {
    const run = vi.fn(() => 1);
    const { calls: it } = calls({ run });
    expect([5, 5, 4, 0, -1, 1.5, Number.NaN, Infinity].map((seq) => it.accept(seq, ['ns', 'run'], '[]'))).toEqual([
      true,
      ...Array(7).fill(false),
    ]);
    await turn();
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('reject a path that is no function and arguments that are no list, without a call', async () => {
    const run = vi.fn();
    const { calls: it, settled } = calls({ run, data: [1] });
    const bad: [string[], string][] = [
      [['ns', 'constructor'], '[]'],
      [['ns', 'data'], '[]'],
      [['other', 'run'], '[]'],
      [[], '[]'],
      [['ns', 'run'], '{}'],
      [['ns', 'run'], 'not json'],
      [['ns', 'run'], `["${'x'.repeat(2000)}"]`],
    ];
    for (const [index, [path, args]] of bad.entries()) it.accept(index + 1, path, args);
    await turn();
    expect(run).not.toHaveBeenCalled();
    expect(settled.map(([, outcome]) => outcome.ok)).toEqual(Array(bad.length).fill(false));
  });

  test('refuse a lossy or oversized result, naming the place', async () => {
    const { calls: it, settled } = calls({
      lossy: () => ({ rows: [{ when: new Date(0) }] }),
      big: () => 'x'.repeat(2000),
    });
    it.accept(1, ['ns', 'lossy'], '[]');
    it.accept(2, ['ns', 'big'], '[]');
    await turn();
    const messages = settled.map(([, outcome]) => (outcome.ok ? '' : outcome.message));
    expect(messages[0]).toBe('the result of ns.lossy is not lossless JSON: result.rows[0].when: Date is not JSON');
    expect(messages[1]).toContain('the result of ns.big is over maxCallBytes (1000 bytes)');
  });

  test('bound a result that shares itself too often to be written', async () => {
    let wide: unknown = 1;
    for (let i = 0; i < 60; i++) wide = [wide, wide];
    const { calls: it, settled } = calls({ wide: () => wide }, { maxCallBytes: Number.POSITIVE_INFINITY });
    it.accept(1, ['ns', 'wide'], '[]');
    await turn();
    expect(settled[0]?.[1]).toMatchObject({ ok: false });
  });

  test('keep more than maxPendingCalls waiting, in order', async () => {
    const gates: (() => void)[] = [];
    const { calls: it } = calls(
      { wait: () => new Promise<void>((resolve) => gates.push(resolve)) },
      { maxPendingCalls: 2 },
    );
    for (let seq = 1; seq <= 4; seq++) it.accept(seq, ['ns', 'wait'], `[${seq}]`);
    expect(gates).toHaveLength(2);
    expect(it.pending().map(({ id, args, startedAt }) => [id, args, startedAt !== undefined])).toEqual([
      [callId(1), [1], true],
      [callId(2), [2], true],
      [callId(3), [3], false],
      [callId(4), [4], false],
    ]);
    gates[1]!();
    await turn();
    expect(gates).toHaveLength(3);
    expect([it.made, it.size]).toEqual([3, 3]);
  });

  test('give a context whose signal aborts with the run', async () => {
    const seen: CodeCallContext[] = [];
    function hang(this: CodeCallContext) {
      seen.push(this);
      return new Promise(() => {});
    }
    const { calls: it, settled } = calls({ deep: { hang } }, { context: 'mine', abortGraceMs: 5 });
    it.accept(1, ['ns', 'deep', 'hang'], '[]');
    const context = seen[0]!;
    expect([context.id, context.path, context.context, context.signal.aborted]).toEqual([
      'call-1',
      ['ns', 'deep', 'hang'],
      'mine',
      false,
    ]);
    expect(await it.abort('enough')).toEqual(['call-1']);
    expect(context.signal.aborted).toBe(true);
    expect((context.signal.reason as Error).message).toBe('enough');
    expect(settled).toEqual([]);
    expect(it.accept(2, ['ns', 'deep', 'hang'], '[]')).toBe(false);
  });

  test('drain: calls finish, queued ones too, and nothing is delivered', async () => {
    const log: unknown[] = [];
    const slow = async (n: number) => {
      await turn();
      log.push(n);
    };
    const { calls: it, settled } = calls({ slow }, { maxPendingCalls: 1, drainMs: 5000 });
    it.accept(1, ['ns', 'slow'], '[1]');
    const drained = it.drain();
    it.accept(2, ['ns', 'slow'], '[2]');
    expect(await drained).toEqual([]);
    expect([log, settled]).toEqual([[1, 2], []]);
  });

  test('drain: what is late is aborted, then unknown, and its late result is dropped', async () => {
    let finish!: (value: string) => void;
    const { calls: it, settled } = calls(
      {
        late: () =>
          new Promise((resolve) => {
            finish = resolve;
          }),
      },
      { maxPendingCalls: 1, drainMs: 5, abortGraceMs: 5 },
    );
    it.accept(1, ['ns', 'late'], '[]');
    it.accept(2, ['ns', 'late'], '[]');
    expect(await it.drain()).toEqual(['call-1']);
    finish('late');
    await turn();
    expect([settled, it.made]).toEqual([[], 1]);
  });

  test('cut a drain short when they are aborted meanwhile', async () => {
    const { calls: it } = calls({ hang: () => new Promise(() => {}) }, { drainMs: 600_000, abortGraceMs: 1 });
    it.accept(1, ['ns', 'hang'], '[]');
    const drained = it.drain();
    await it.abort('now');
    expect(await drained).toEqual(['call-1']);
  });

  test('adopt a call of another process and deliver its settlement', async () => {
    const { calls: it, settled } = calls({}, { madeBefore: 7 });
    it.adopt({ seq: 4, path: ['ns', 'a'], argsJson: '[1]' }, { ok: true, value: { b: 2 } });
    it.adopt(
      { seq: 5, path: ['ns', 'a'], argsJson: '[]' },
      Promise.resolve({ ok: false, message: 'denied', code: 'DENIED' }),
    );
    it.adopt({ seq: 6, path: ['ns', 'a'], argsJson: '[]' }, Promise.reject(new Error('lost')));
    it.adopt({ seq: 7, path: ['ns', 'a'], argsJson: '[]' }, { ok: true, value: Number.NaN });
    expect(it.pending().map((call) => call.id)).toEqual(['call-4', 'call-5', 'call-6', 'call-7']);
    await turn();
    expect(settled.sort()).toEqual([
      [4, { ok: true, json: '{"b":2}' }],
      [5, { ok: false, message: 'denied', code: 'DENIED' }],
      [6, { ok: false, message: 'lost' }],
      [7, expect.objectContaining({ ok: false })],
    ]);
    expect(it.accept(7, ['ns', 'a'], '[]')).toBe(false);
    expect([it.accept(8, ['ns', 'a'], '[]'), it.made]).toEqual([true, 8]);
  });

  test('detach without touching the host functions', async () => {
    let signal: AbortSignal | undefined;
    const { calls: it, settled } = calls({
      wait(this: CodeCallContext) {
        signal = this.signal;
        return Promise.resolve(1);
      },
    });
    it.accept(1, ['ns', 'wait'], '[]');
    it.detach();
    await turn();
    expect([signal?.aborted, settled]).toEqual([false, []]);
  });

  test('show a path as a program would write it', () => {
    expect(showPath(['tools', 'issues', 'a b', '0', 'x'])).toBe('tools.issues["a b"]["0"].x');
  });
});
