import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import { expect, test } from 'vitest';
import { createHarness, deferred, readTool, sharedRuntime, tool } from './testing/harness.ts';

test('a program that never got its turn fails as runtime_unavailable, without effects, and the busy one goes on', async () => {
  const runtime = await createQuickJsRuntime({ workers: 1 });
  const executed: unknown[] = [];
  const { codeMode, callOptions } = await createHarness({
    runtime,
    tools: [tool('note', (args) => void executed.push(args))],
    config: { agents: { hasty: { timeoutMs: 100 } } },
  });
  const started = deferred<void>();
  const busy = codeMode.exec(
    { code: 'text("on my way"); for (;;);' },
    callOptions({ scope: { sessionId: 'busy' }, onUpdate: () => started.resolve() }),
  );
  await started.promise;
  const late = await codeMode.exec(
    { code: 'return await tools.note({})' },
    callOptions({ scope: { sessionId: 'late', agentId: 'hasty' } }),
  );
  expect(late).toMatchObject({
    status: 'failed',
    code: 'runtime_unavailable',
    error: expect.stringContaining('never got its turn'),
    calls: [],
  });
  await codeMode.endSession({ sessionId: 'busy' });
  expect(await busy).toMatchObject({ code: 'aborted' });
  expect(executed).toEqual([]);
  await runtime.dispose();
});

test('a run gets the largest bounds of its runtime where code mode counts itself, and its own elsewhere', async () => {
  const runtime = await sharedRuntime();
  const given: unknown[] = [];
  const watched = Object.assign(Object.create(runtime) as typeof runtime, {
    start(request: Parameters<typeof runtime.start>[0]) {
      given.push(request.limits, request.signal);
      return runtime.start(request);
    },
  });
  const { exec } = await createHarness({ runtime: watched, config: { memoryLimitBytes: 5_000_000 } });
  expect(await exec('return 1')).toMatchObject({ value: 1 });
  const { maxPendingCalls, maxOutputBytes } = runtime.maxLimits;
  expect(given[0]).toEqual({
    memoryLimitBytes: 5_000_000,
    maxSnapshotBytes: 10_485_760,
    maxPendingCalls,
    maxOutputBytes,
  });
  // The signal of an exec counts only while it is open, so no runtime ever gets it.
  expect(given[1]).toBeUndefined();
});

test('yield_control with a call under way is a wait for it', async () => {
  const answer = deferred();
  const { exec, wait } = await createHarness({ tools: [readTool('ask', () => answer.promise)] });
  const first = await exec('const asked = tools.ask(); await yield_control("look"); return await asked');
  expect(first).toMatchObject({
    status: 'waiting',
    reason: 'pending_tools',
    pendingToolCalls: [{ tool: 'host:core:ask' }],
  });
  answer.resolve('done');
  expect(await wait((first as { runId: string }).runId)).toMatchObject({ value: 'done' });
});
