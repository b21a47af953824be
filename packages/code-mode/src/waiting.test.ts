import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createHarness, deferred, readTool, tool } from './testing/harness.ts';
import type { CodeModeResult, WaitingResult } from './types.ts';

function waiting(result: CodeModeResult): WaitingResult {
  if (result.status !== 'waiting') throw new Error(`expected waiting, got ${JSON.stringify(result)}`);
  return result;
}

/** Never settles by itself; ends when it is aborted. */
const untilAborted = (name: string, onAbort: () => void = () => {}) =>
  readTool(name, (_, { signal }) => {
    const { promise, reject } = deferred();
    signal.addEventListener('abort', () => {
      onAbort();
      reject(signal.reason as Error);
    });
    return promise;
  });

describe('a deadline', () => {
  test('covers many awaits: as long as calls settle within it, a program is one turn', async () => {
    const { exec } = await createHarness({ tools: [tool('next', ({ n }) => sleep(2, n + 1))] });
    const result = await exec('let n = 0; for (let i = 0; i < 20; i++) n = await tools.next({ n }); return n');
    expect(result).toMatchObject({ status: 'completed', value: 20 });
  });

  test('ends a busy program as timeout, and the next one runs', async () => {
    const { exec } = await createHarness({ config: { timeoutMs: 10_000, agents: { hasty: { timeoutMs: 300 } } } });
    const busy = await exec('text("begin"); for (;;);', { scope: { agentId: 'hasty' } });
    expect(busy).toMatchObject({ status: 'failed', code: 'timeout', calls: [] });
    expect(await exec('return 1')).toMatchObject({ status: 'completed', value: 1 });
  });

  test('ends a program that is busy in small steps as timeout too', async () => {
    const { exec } = await createHarness({ config: { timeoutMs: 300 } });
    expect(await exec('for (;;) await null')).toMatchObject({ status: 'failed', code: 'timeout' });
  });

  test('suspends a program that waits for a tool or only for a timer, and says so', async () => {
    const { exec, wait } = await createHarness({
      tools: [untilAborted('slow')],
      config: { timeoutMs: 10_000, agents: { hasty: { timeoutMs: 300 } } },
    });
    const scope = { agentId: 'hasty' };
    expect(await exec('await tools.slow({})', { scope })).toMatchObject({
      status: 'waiting',
      reason: 'pending_tools',
      pendingToolCalls: [{ tool: 'host:core:slow', args: '{}' }],
    });
    const timed = waiting(await exec('await new Promise((r) => setTimeout(r, 600)); return "late"', { scope }));
    expect(timed).toMatchObject({ reason: 'pending_tools', pendingToolCalls: [] });
    expect(timed).not.toHaveProperty('hint');
    expect(JSON.stringify(timed.output)).toContain('waits for a timer');
    await sleep(600);
    expect(await wait(timed.runId, { scope })).toMatchObject({ status: 'completed', value: 'late' });
  });

  test('does not make a program whose body has settled wait for its own calls', async () => {
    const { exec } = await createHarness({ tools: [untilAborted('slow')] });
    const result = await exec('tools.slow({}).catch(() => {}); return "done"');
    expect(result).toMatchObject({
      status: 'completed',
      value: 'done',
      calls: [{ toolId: 'host:core:slow', status: expect.stringMatching(/unknown|failed/) }],
    });
  });

  test('that nothing can settle fails at once', async () => {
    const { exec } = await createHarness({ config: { timeoutMs: 60_000 } });
    const result = await exec('await new Promise(() => {})');
    expect(result).toMatchObject({
      status: 'failed',
      code: 'guest_error',
      hint: expect.stringContaining('nothing can settle'),
    });
  });
});

describe('a held run', () => {
  test('does not go on behind the model’s back', async () => {
    const gate = deferred();
    let later = 0;
    const { execUntilCall, wait } = await createHarness({
      tools: [readTool('first', () => gate.promise), tool('second', () => ++later, { replaySafe: true })],
    });
    const { runId } = await execUntilCall('await tools.first({}); return await tools.second({})');
    gate.resolve(1);
    await sleep(100);
    expect(later).toBe(0);
    expect(await wait(runId)).toMatchObject({ status: 'completed', value: 1 });
  });

  test('waits again, under the same id, where nothing settles within a wait', async () => {
    const slow = deferred<string>();
    const { execUntilCall, wait } = await createHarness({
      tools: [readTool('slow', () => slow.promise)],
      config: { timeoutMs: 400 },
    });
    const { runId } = await execUntilCall('text("a"); const x = await tools.slow({}); text("b"); return x');
    expect(await wait(runId)).toMatchObject({ status: 'waiting', runId });
    slow.resolve('done');
    let last = await wait(runId);
    while (last.status === 'waiting') last = await wait(runId);
    expect(last).toMatchObject({ status: 'completed', value: 'done', output: [{ type: 'text', text: 'b' }] });
  });

  test('keeps what settles, in order, for the next wait; a race is one', async () => {
    const slow = deferred();
    const fast = deferred();
    const { execUntilCall, wait } = await createHarness({
      tools: [readTool('slow', () => slow.promise), readTool('fast', () => fast.promise)],
    });
    const { runId } = await execUntilCall('return await Promise.race([tools.slow({}), tools.fast({})])');
    fast.resolve('fast');
    expect(await wait(runId)).toMatchObject({ status: 'completed', value: 'fast' });
  });

  test('keeps its catalog, and a tool that is gone or denied since fails that call alone', async () => {
    const gate = deferred();
    const { execUntilCall, wait, tools } = await createHarness({ tools: [readTool('gate', () => gate.promise)] });
    const undo = tools.register(readTool('later', () => 1));
    tools.register(readTool('secret', () => 1));
    const { runId } = await execUntilCall(`await tools.gate({}); const out = [];
      for (const name of ['later', 'secret', 'gate']) {
        try { await tools[name]({}); out.push('ok'); } catch (e) { out.push(e.code) }
      }
      return [out, ALL_TOOLS.length]`);
    undo();
    tools.restrict({ deny: ['secret'] });
    gate.resolve(1);
    expect(await wait(runId)).toMatchObject({
      status: 'completed',
      value: [['UNKNOWN_TOOL', 'UNKNOWN_TOOL', 'ok'], 3],
    });
  });

  test('is cancelled by wait, and its calls with it', async () => {
    let aborted = 0;
    const { execUntilCall, wait } = await createHarness({ tools: [untilAborted('slow', () => aborted++)] });
    const { runId } = await execUntilCall('await tools.slow({})');
    expect(await wait(runId, { cancel: true })).toMatchObject({
      status: 'failed',
      code: 'aborted',
      calls: [{ toolId: 'host:core:slow' }],
    });
    expect(aborted).toBe(1);
    expect(await wait(runId)).toMatchObject({ status: 'failed', code: 'aborted' });
  });

  test('is cancelled also while another wait is open on it: both answer aborted', async () => {
    const { execUntilCall, wait } = await createHarness({ tools: [untilAborted('slow')] });
    const { runId } = await execUntilCall('await tools.slow({})');
    const open = wait(runId);
    await sleep(50);
    expect(await wait(runId)).toMatchObject({
      status: 'failed',
      code: 'invalid_input',
      error: expect.stringContaining('being resumed by another wait'),
    });
    expect(await wait(runId, { cancel: true })).toMatchObject({ status: 'failed', code: 'aborted' });
    expect(await open).toMatchObject({ status: 'failed', code: 'aborted' });
  });

  test('of many waits at once, one resumes it', async () => {
    const gate = deferred();
    const { execUntilCall, wait } = await createHarness({ tools: [readTool('gate', () => gate.promise)] });
    const { runId } = await execUntilCall('return await tools.gate({})');
    const all = Promise.all(Array.from({ length: 5 }, () => wait(runId)));
    gate.resolve('once');
    const results = (await all).map((result) => (result.status === 'failed' ? result.code : result.status));
    expect(results.sort()).toEqual(['completed', ...Array(4).fill('invalid_input')]);
  });
});

describe('the time that a run may wait', () => {
  test('ends it, its calls aborted; a wait says so until the tombstone is gone', async () => {
    let aborted = 0;
    const { execUntilCall, wait } = await createHarness({
      tools: [untilAborted('slow', () => aborted++)],
      config: { snapshotTtlSeconds: 1 },
    });
    const { runId } = await execUntilCall('await tools.slow({})');
    await expect.poll(() => aborted, { timeout: 5_000 }).toBe(1);
    await expect.poll(async () => ((await wait(runId)) as { code?: string }).code).toBe('snapshot_expired');
    await expect
      .poll(async () => ((await wait(runId)) as { code?: string }).code, { timeout: 5_000 })
      .toBe('invalid_input');
  });

  test('does not run while a person is asked', async () => {
    const answer = deferred<{ decision: 'allow' }>();
    const { execUntilCall, wait, tools } = await createHarness({
      tools: [readTool('read_mail', () => 'mail')],
      config: { snapshotTtlSeconds: 1 },
      services: { approval: () => ({ request: () => answer.promise }) },
    });
    tools.hook('preExecute', (call) => (call.tool.name === 'read_mail' ? { decision: 'ask' } : undefined));
    const { runId, hint } = await execUntilCall('return await tools.read_mail({})');
    expect(hint).toMatch(/a person is asked to approve .* call wait with this runId/);
    await sleep(1_600);
    answer.resolve({ decision: 'allow' });
    expect(await wait(runId)).toMatchObject({ status: 'completed', value: 'mail' });
  });

  test('is not renewed by a wait without progress', async () => {
    const { execUntilCall, wait } = await createHarness({
      tools: [untilAborted('slow')],
      config: { timeoutMs: 100, snapshotTtlSeconds: 1 },
    });
    const { runId } = await execUntilCall('await tools.slow({})');
    const started = Date.now();
    let last = await wait(runId);
    while (last.status === 'waiting') {
      await sleep(20);
      last = await wait(runId);
    }
    expect(last).toMatchObject({ code: 'snapshot_expired' });
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});

describe('ownership', () => {
  test('a wait must share agent, session and agent run with its run, and learns nothing otherwise', async () => {
    const { execUntilCall, wait } = await createHarness({ tools: [untilAborted('slow')], config: { timeoutMs: 300 } });
    const scope = { agentId: 'a', sessionId: 's', agentRunId: 'r' };
    const { runId } = await execUntilCall('await tools.slow({})', { scope });
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
        expect(await wait(runId, { scope: other, cancel })).toEqual({
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

  test('the config may ask for fewer fields', async () => {
    const { execUntilCall, wait } = await createHarness({
      tools: [untilAborted('slow')],
      config: { timeoutMs: 300, ownership: ['sessionId'] },
    });
    const { runId } = await execUntilCall('await tools.slow({})', { scope: { agentId: 'a', sessionId: 's' } });
    expect(await wait(runId, { scope: { agentId: 'b', sessionId: 's' } })).toMatchObject({ status: 'waiting' });
    expect(await wait(runId, { scope: { agentId: 'a', sessionId: 't' } })).toMatchObject({ code: 'invalid_input' });
  });

  test('a run without a field is nobody’s in that respect', async () => {
    const { execUntilCall, wait } = await createHarness({ tools: [untilAborted('slow')], config: { timeoutMs: 300 } });
    const { runId } = await execUntilCall('await tools.slow({})', { scope: {} });
    expect(await wait(runId, { scope: { agentId: 'anybody' } })).toMatchObject({ status: 'waiting' });
  });
});

describe('capacity', () => {
  test('a run over maxSuspendedRuns fails before its first call is made; one without calls runs', async () => {
    let made = 0;
    const { exec, execUntilCall, wait } = await createHarness({
      tools: [
        readTool('slow', () => {
          made++;
          return deferred().promise;
        }),
      ],
      config: { maxSuspendedRuns: 1 },
    });
    const { runId } = await execUntilCall('await tools.slow({})');
    const refused = await exec('await Promise.all([tools.slow({}), tools.slow({})])');
    expect(refused).toMatchObject({ status: 'failed', code: 'too_many_suspended_runs' });
    expect(made).toBe(1);
    expect(await exec('return 1')).toMatchObject({ status: 'completed' });
    expect(await exec('await yield_control()')).toMatchObject({ status: 'failed', code: 'too_many_suspended_runs' });
    await wait(runId, { cancel: true });
    await execUntilCall('await tools.slow({})');
    expect(made).toBe(2);
  });

  test('a place is given back at the end of a run', async () => {
    const { exec } = await createHarness({ tools: [tool('quick', () => 1)], config: { maxSuspendedRuns: 1 } });
    for (let at = 0; at < 3; at++)
      expect(await exec('return await tools.quick({})')).toMatchObject({ status: 'completed' });
  });

  test('calls over maxPendingToolCalls wait for a place', async () => {
    let now = 0;
    let most = 0;
    const busy = tool('busy', async () => {
      most = Math.max(most, ++now);
      await sleep(5);
      now--;
    });
    const { exec } = await createHarness({ tools: [busy], config: { maxPendingToolCalls: 3 } });
    const result = await exec('await Promise.all(Array.from({ length: 12 }, () => tools.busy({}))); return "ok"');
    expect(result).toMatchObject({ status: 'completed', value: 'ok' });
    expect(most).toBe(3);
  });
});

describe('the end of its session', () => {
  test.each(['endRun', 'endSession'] as const)('%s ends running and suspended runs, and nobody else’s', async (end) => {
    const { exec, execUntilCall, wait, codeMode } = await createHarness({ tools: [untilAborted('slow')] });
    const mine = { agentId: 'a', sessionId: 's', agentRunId: 'r' };
    const other = { agentId: 'a', sessionId: 't', agentRunId: 'q' };
    const suspended = await execUntilCall('await tools.slow({})', { scope: mine });
    const foreign = await execUntilCall('await tools.slow({})', { scope: other });
    const running = exec('await tools.slow({})', { scope: mine });
    await sleep(50);
    await codeMode[end](mine);
    expect(await running).toMatchObject({ status: 'failed', code: 'aborted' });
    const gone = end === 'endRun' ? 'aborted' : 'invalid_input';
    expect(await wait(suspended.runId, { scope: mine })).toMatchObject({ status: 'failed', code: gone });
    expect(await wait(foreign.runId, { scope: other, cancel: true })).toMatchObject({
      error: 'the run was cancelled by wait',
    });
  });

  test('disposal ends every run, and the presentation is as it was', async () => {
    const { exec, codeMode, runtime, tools } = await createHarness({ tools: [untilAborted('slow')] });
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
    const { exec } = await createHarness({ tools: [untilAborted('slow')] });
    const controller = new AbortController();
    const open = exec('text("a"); await tools.slow({})', { signal: controller.signal });
    await sleep(50);
    controller.abort(new Error('the user pressed stop'));
    expect(await open).toMatchObject({ status: 'failed', code: 'aborted' });
  });

  test('counts only while its call is open', async () => {
    const gate = deferred();
    const { execUntilCall, wait } = await createHarness({ tools: [readTool('slow', () => gate.promise)] });
    const controller = new AbortController();
    const { runId } = await execUntilCall('return await tools.slow({})', { signal: controller.signal });
    controller.abort();
    gate.resolve('still here');
    expect(await wait(runId)).toMatchObject({ status: 'completed', value: 'still here' });
  });

  test('that aborts an open wait ends the run', async () => {
    const { execUntilCall, wait } = await createHarness({ tools: [untilAborted('slow')] });
    const { runId } = await execUntilCall('await tools.slow({})');
    const controller = new AbortController();
    const open = wait(runId, { signal: controller.signal });
    await sleep(50);
    controller.abort();
    expect(await open).toMatchObject({ status: 'failed', code: 'aborted' });
    expect(await wait(runId)).toMatchObject({ status: 'failed', code: 'aborted' });
  });
});
