import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createHarness, deferred, tool } from './testing/harness.ts';
import type { CodeModeResult, WaitingResult } from './types.ts';

function waiting(result: CodeModeResult): WaitingResult {
  if (result.status !== 'waiting') throw new Error(`expected waiting, got ${JSON.stringify(result)}`);
  return result;
}

describe('a deadline', () => {
  test('covers many awaits: as long as calls settle within it, a program is one turn', async () => {
    const { exec } = await createHarness({ tools: [tool('next', ({ n }) => sleep(2, n + 1))] });
    const result = await exec('let n = 0; for (let i = 0; i < 20; i++) n = await tools.next({ n }); return n');
    expect(result).toMatchObject({ status: 'completed', value: 20 });
  });

  test('ends a busy program as timeout, and the next one runs', async () => {
    const { exec } = await createHarness({ config: { timeoutMs: 800 } });
    expect(await exec('text("begin"); for (;;);')).toMatchObject({ status: 'failed', code: 'timeout', calls: [] });
    expect(await exec('return 1')).toMatchObject({ status: 'completed', value: 1 });
  });

  test('ends a program that is busy in small steps as timeout too', async () => {
    const { exec } = await createHarness({ config: { timeoutMs: 200 } });
    expect(await exec('for (;;) await null')).toMatchObject({ status: 'failed', code: 'timeout' });
  });

  test('suspends a program that only waits for a timer, and says so', async () => {
    const { exec, wait } = await createHarness({ config: { timeoutMs: 100 } });
    const first = waiting(await exec('await new Promise((r) => setTimeout(r, 400)); return "late"'));
    expect(first).toMatchObject({ reason: 'pending_tools', pendingToolCalls: [] });
    expect(JSON.stringify(first.output)).toContain('waits for a timer');
    await sleep(400);
    expect(await wait(first.runId)).toMatchObject({ status: 'completed', value: 'late' });
  });

  test('does not make a program whose body has settled wait for its own calls', async () => {
    const never = deferred();
    const { exec } = await createHarness({ tools: [tool('slow', () => never.promise)], config: { timeoutMs: 150 } });
    const result = await exec('tools.slow({}).catch(() => {}); return "done"');
    expect(result).toMatchObject({ status: 'completed', value: 'done' });
    expect(result.status === 'completed' && result.calls).toMatchObject([
      { toolId: 'host:core:slow', status: expect.stringMatching(/unknown|failed/) },
    ]);
  });

  test('that nothing can settle fails at once', async () => {
    const { exec } = await createHarness({ config: { timeoutMs: 5_000 } });
    const started = Date.now();
    const result = await exec('await new Promise(() => {})');
    expect(result).toMatchObject({ status: 'failed', code: 'guest_error' });
    expect(result.status === 'failed' && result.hint).toContain('nothing can settle');
    expect(Date.now() - started).toBeLessThan(4_000);
  });
});

describe('a held run', () => {
  test('does not go on behind the model’s back', async () => {
    const gate = deferred();
    let later = 0;
    const { exec, wait } = await createHarness({
      tools: [tool('first', () => gate.promise), tool('second', () => ++later)],
      config: { timeoutMs: 100 },
    });
    const first = waiting(await exec('await tools.first({}); return await tools.second({})'));
    gate.resolve(1);
    await sleep(120);
    expect(later).toBe(0);
    expect(await wait(first.runId)).toMatchObject({ status: 'completed', value: 1 });
  });

  test('keeps what settles, in order, for the next wait; a race is one', async () => {
    const slow = deferred();
    const fast = deferred();
    const { exec, wait } = await createHarness({
      tools: [tool('slow', () => slow.promise), tool('fast', () => fast.promise)],
      config: { timeoutMs: 100 },
    });
    const first = waiting(await exec('return await Promise.race([tools.slow({}), tools.fast({})])'));
    fast.resolve('fast');
    expect(await wait(first.runId)).toMatchObject({ status: 'completed', value: 'fast' });
  });

  test('keeps its catalog, and a tool that is gone or denied since fails that call alone', async () => {
    const gate = deferred();
    const { exec, wait, tools } = await createHarness({
      tools: [tool('gate', () => gate.promise)],
      config: { timeoutMs: 100 },
    });
    const undo = tools.register(tool('later', () => 1));
    const first = waiting(
      await exec(`await tools.gate({}); const out = [];
        for (const name of ['later', 'gate']) { try { await tools[name]({}); out.push('ok'); } catch (e) { out.push(e.code) } }
        return [out, ALL_TOOLS.length]`),
    );
    undo();
    gate.resolve(1);
    expect(await wait(first.runId)).toMatchObject({ status: 'completed', value: [['UNKNOWN_TOOL', 'ok'], 2] });
  });

  test('is cancelled by wait, and its calls with it', async () => {
    let aborted = false;
    const { exec, wait } = await createHarness({
      tools: [
        tool(
          'slow',
          (_, { signal }) =>
            new Promise((_, reject) => {
              signal.addEventListener('abort', () => {
                aborted = true;
                reject(signal.reason);
              });
            }),
        ),
      ],
      config: { timeoutMs: 100 },
    });
    const first = waiting(await exec('await tools.slow({})'));
    expect(await wait(first.runId, { cancel: true })).toMatchObject({
      status: 'failed',
      code: 'aborted',
      calls: [{ toolId: 'host:core:slow' }],
    });
    expect(aborted).toBe(true);
    expect(await wait(first.runId)).toMatchObject({ status: 'failed', code: 'aborted' });
  });

  test('is cancelled also while another wait is open on it: both answer aborted', async () => {
    const { exec, wait } = await createHarness({
      tools: [tool('slow', () => new Promise(() => {}))],
      config: { timeoutMs: 500 },
    });
    const first = waiting(await exec('await tools.slow({})'));
    const open = wait(first.runId);
    await sleep(50);
    expect(await wait(first.runId)).toMatchObject({
      status: 'failed',
      code: 'invalid_input',
      error: expect.stringContaining('being resumed by another wait'),
    });
    expect(await wait(first.runId, { cancel: true })).toMatchObject({ status: 'failed', code: 'aborted' });
    expect(await open).toMatchObject({ status: 'failed', code: 'aborted' });
  });

  test('expires after its TTL, its calls aborted; a wait says so until the tombstone is gone', async () => {
    let aborted = 0;
    const { exec, wait } = await createHarness({
      tools: [
        tool(
          'slow',
          (_, { signal }) =>
            new Promise((_, reject) =>
              signal.addEventListener('abort', () => {
                aborted++;
                reject(signal.reason);
              }),
            ),
        ),
      ],
      config: { timeoutMs: 100, snapshotTtlSeconds: 1 },
    });
    const first = waiting(await exec('await tools.slow({})'));
    await sleep(1_300);
    expect(aborted).toBe(1);
    expect(await wait(first.runId)).toMatchObject({ status: 'failed', code: 'snapshot_expired' });
    await sleep(1_100);
    expect(await wait(first.runId)).toMatchObject({ status: 'failed', code: 'invalid_input' });
  });

  test('does not expire while a person is asked', async () => {
    const answer = deferred<{ decision: 'allow' }>();
    const { exec, wait, tools } = await createHarness({
      tools: [tool('delete_all', () => 'deleted')],
      config: { timeoutMs: 100, snapshotTtlSeconds: 1 },
      services: { approval: () => ({ request: () => answer.promise }) },
    });
    tools.hook('preExecute', (call) => (call.tool.name === 'delete_all' ? { decision: 'ask' } : undefined));
    const first = waiting(await exec('return await tools.delete_all({})'));
    expect(first.pendingToolCalls).toMatchObject([{ tool: 'host:core:delete_all', approval: 'pending' }]);
    await sleep(1_500);
    answer.resolve({ decision: 'allow' });
    expect(await wait(first.runId)).toMatchObject({ status: 'completed', value: 'deleted' });
  });

  test('a wait without progress does not renew the TTL', async () => {
    const { exec, wait } = await createHarness({
      tools: [tool('slow', () => new Promise(() => {}))],
      config: { timeoutMs: 200, snapshotTtlSeconds: 1 },
    });
    const { runId } = waiting(await exec('await tools.slow({})'));
    for (let at = 0; at < 3; at++) expect((await wait(runId)).status).toBe('waiting');
    await sleep(700);
    expect(await wait(runId)).toMatchObject({ status: 'failed', code: 'snapshot_expired' });
  });
});

describe('ownership', () => {
  test('a wait must share agent, session and agent run with its run, and learns nothing otherwise', async () => {
    const { exec, wait } = await createHarness({
      tools: [tool('slow', () => new Promise(() => {}))],
      config: { timeoutMs: 100 },
    });
    const scope = { agentId: 'a', sessionId: 's', agentRunId: 'r' };
    const { runId } = waiting(await exec('await tools.slow({})', { scope }));
    const refused = await wait('run_unknown', { scope });
    expect(refused).toMatchObject({ status: 'failed', code: 'invalid_input' });
    for (const other of [
      {},
      { ...scope, agentId: 'b' },
      { ...scope, sessionId: 't' },
      { ...scope, agentRunId: 'q' },
      { agentId: 'a', sessionId: 's' },
    ]) {
      for (const cancel of [false, true]) {
        const result = await wait(runId, { scope: other, cancel });
        expect(result).toEqual({
          ...refused,
          error: refused.status === 'failed' ? refused.error.replace('run_unknown', runId) : '',
          telemetry: expect.anything(),
        });
      }
    }
    expect(await wait(runId, { scope: { ...scope, senderId: 'x' } })).toMatchObject({ status: 'waiting' });
    expect(await wait(runId, { scope, cancel: true })).toMatchObject({ code: 'aborted' });
    expect(await wait(runId, { scope: { ...scope, agentId: 'b' } })).toMatchObject({ code: 'invalid_input' });
    expect(await wait(runId, { scope })).toMatchObject({ code: 'aborted' });
  });

  test('a run without the field is nobody’s in that respect, and the config may ask for fewer fields', async () => {
    const { exec, wait } = await createHarness({
      tools: [tool('slow', () => new Promise(() => {}))],
      config: { timeoutMs: 100, ownership: ['sessionId'] },
    });
    const { runId } = waiting(await exec('await tools.slow({})', { scope: { agentId: 'a', sessionId: 's' } }));
    expect(await wait(runId, { scope: { agentId: 'b', sessionId: 's' } })).toMatchObject({ status: 'waiting' });
    expect(await wait(runId, { scope: { agentId: 'a', sessionId: 't' } })).toMatchObject({ code: 'invalid_input' });
  });
});

describe('capacity', () => {
  test('a run over maxSuspendedRuns fails before its first call is made; one without calls runs', async () => {
    let made = 0;
    const { exec, wait } = await createHarness({
      tools: [
        tool('slow', () => {
          made++;
          return new Promise(() => {});
        }),
      ],
      config: { timeoutMs: 100, maxSuspendedRuns: 1 },
    });
    const { runId } = waiting(await exec('await tools.slow({})'));
    const refused = await exec('await Promise.all([tools.slow({}), tools.slow({})])');
    expect(refused).toMatchObject({ status: 'failed', code: 'too_many_suspended_runs' });
    expect(made).toBe(1);
    expect(await exec('return 1')).toMatchObject({ status: 'completed' });
    expect(await exec('await yield_control()')).toMatchObject({ status: 'failed', code: 'too_many_suspended_runs' });
    await wait(runId, { cancel: true });
    expect(await exec('await tools.slow({})')).toMatchObject({ status: 'waiting' });
  });

  test('a place is given back at the end of a run', async () => {
    const { exec } = await createHarness({ tools: [tool('quick', () => 1)], config: { maxSuspendedRuns: 1 } });
    for (let at = 0; at < 3; at++)
      expect(await exec('return await tools.quick({})')).toMatchObject({ status: 'completed' });
  });

  test('calls over maxPendingToolCalls wait for a place', async () => {
    let now = 0;
    let most = 0;
    const { exec } = await createHarness({
      tools: [
        tool('busy', async () => {
          most = Math.max(most, ++now);
          await sleep(5);
          now--;
        }),
      ],
      config: { maxPendingToolCalls: 3 },
    });
    const result = await exec('await Promise.all(Array.from({ length: 12 }, () => tools.busy({}))); return "ok"');
    expect(result).toMatchObject({ status: 'completed', value: 'ok' });
    expect(most).toBe(3);
  });
});

describe('the end of its session', () => {
  test.each(['endRun', 'endSession'] as const)('%s ends running and suspended runs, and nobody else’s', async (end) => {
    const { exec, wait, codeMode } = await createHarness({
      tools: [tool('slow', () => new Promise(() => {}))],
      config: { timeoutMs: 300 },
    });
    const mine = { agentId: 'a', sessionId: 's', agentRunId: 'r' };
    const other = { agentId: 'a', sessionId: 't', agentRunId: 'q' };
    const suspended = waiting(await exec('await tools.slow({})', { scope: mine }));
    const foreign = waiting(await exec('await tools.slow({})', { scope: other }));
    const running = exec('await tools.slow({})', { scope: mine });
    await sleep(50);
    await codeMode[end](mine);
    expect(await running).toMatchObject({ status: 'failed', code: 'aborted' });
    expect(await wait(suspended.runId, { scope: mine })).toMatchObject({
      status: 'failed',
      code: end === 'endRun' ? 'aborted' : 'invalid_input',
    });
    expect(await wait(foreign.runId, { scope: other })).toMatchObject({ status: 'waiting' });
  });

  test('disposal ends every run', async () => {
    const { exec, codeMode, runtime, tools } = await createHarness({
      tools: [tool('slow', () => new Promise(() => {}))],
      config: { timeoutMs: 5_000 },
    });
    const running = exec('await tools.slow({})');
    await sleep(50);
    await codeMode.dispose();
    await codeMode.dispose();
    expect(await running).toMatchObject({ status: 'failed', code: 'aborted' });
    expect(tools.presentationOf({})).toEqual({ mode: 'native' });
    expect(await runtime.run({ program: 'return 1', bindings: [] })).toMatchObject({ value: 1 });
  });
});

describe('a signal', () => {
  test('that aborts an open exec ends the run', async () => {
    const { exec } = await createHarness({ tools: [tool('slow', () => new Promise(() => {}))] });
    const controller = new AbortController();
    const open = exec('text("a"); await tools.slow({})', { signal: controller.signal });
    await sleep(60);
    controller.abort(new Error('the user pressed stop'));
    expect(await open).toMatchObject({ status: 'failed', code: 'aborted' });
  });

  test('counts only while its call is open', async () => {
    const gate = deferred();
    const { exec, wait } = await createHarness({
      tools: [tool('slow', () => gate.promise)],
      config: { timeoutMs: 100 },
    });
    const controller = new AbortController();
    const { runId } = waiting(await exec('return await tools.slow({})', { signal: controller.signal }));
    controller.abort();
    gate.resolve('still here');
    expect(await wait(runId)).toMatchObject({ status: 'completed', value: 'still here' });
  });

  test('that aborts an open wait ends the run', async () => {
    const { exec, wait } = await createHarness({
      tools: [tool('slow', () => new Promise(() => {}))],
      config: { timeoutMs: 300 },
    });
    const { runId } = waiting(await exec('await tools.slow({})'));
    const controller = new AbortController();
    const open = wait(runId, { signal: controller.signal });
    await sleep(50);
    controller.abort();
    expect(await open).toMatchObject({ status: 'failed', code: 'aborted' });
    expect(await wait(runId)).toMatchObject({ status: 'failed', code: 'aborted' });
  });
});
