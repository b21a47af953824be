import { readFileSync } from 'node:fs';
import type { CodeRuntime } from '@codeseam/code-runtime';
import { describe, expect, test } from 'vitest';
import { createCodeMode } from './create-code-mode.ts';
import { CODE_MODE_ERRORS, docsOf } from './error-codes.ts';
import { MemoryRunStore } from './store/memory-run-store.ts';
import type { SuspendedProgram } from './store/suspended-run-store.ts';
import { createHarness, deferred, type HarnessOptions, sharedRuntime, tool } from './testing/harness.ts';
import { CODE_MODE_ERROR_CODES, type CodeModeErrorCode, type CodeModeResult } from './types.ts';

const run = async (code: string, options: HarnessOptions = {}, input: object = {}): Promise<CodeModeResult> => {
  const { codeMode, callOptions } = await createHarness(options);
  return codeMode.exec({ code, ...input }, callOptions());
};

/** A runtime that differs in some properties. */
async function altered(more: Partial<CodeRuntime>): Promise<CodeRuntime> {
  const runtime = await sharedRuntime();
  return Object.assign(Object.create(runtime), more) as CodeRuntime;
}

/** One way to each code; the tests beside this one know more. */
const WAYS: Record<Exclude<CodeModeErrorCode, 'type_check_failed'>, () => Promise<CodeModeResult>> = {
  runtime_unavailable: async () => run('return 1', { config: { runtime: 'container' } }),
  invalid_config: async () =>
    run('return 1', { runtime: await altered({ maxLimits: { memoryLimitBytes: 2_000_000 } }) }),
  invalid_input: () => run('   '),
  unsupported_language: () => run('return 1', {}, { language: 'python' }),
  syntax_error: () => run('return (1'),
  typescript_transform_failed: () => run(`const x: number = ${'['.repeat(20_000)}1${']'.repeat(20_000)}; return 1`),
  module_access_denied: () => run('import fs from "fs"; return fs'),
  timeout: () => run('for (;;);', { config: { timeoutMs: 100 } }),
  memory_limit_exceeded: () =>
    run('const all = []; for (;;) all.push(new Array(10000).fill(all.length))', {
      config: { memoryLimitBytes: 8_388_608 },
    }),
  stack_overflow: async () => run('return 1', { runtime: await trapping() }),
  output_limit_exceeded: () => run('for (let i = 0; i < 5000; i++) text("x")'),
  snapshot_limit_exceeded: () =>
    run('const held = Array.from({ length: 50000 }, () => Math.random()); await yield_control(); return held.length', {
      config: { maxSnapshotBytes: 10_000 },
    }),
  snapshot_expired: async () => {
    const { exec, wait } = await createHarness({ config: { snapshotTtlSeconds: 1 } });
    const first = await exec('await yield_control()');
    await new Promise((done) => setTimeout(done, 1_200));
    return wait(first.status === 'waiting' ? first.runId : '');
  },
  snapshot_restore_failed: async () => {
    const store = new MemoryRunStore<SuspendedProgram>();
    const { exec, wait } = await createHarness({ store });
    const first = await exec('await yield_control()');
    const { runId } = first as { runId: string };
    // A store that mixes things up.
    store.save({ ...store.find(runId)!, program: { id: runId } });
    return wait(runId);
  },
  too_many_pending_tool_calls: () =>
    run('await Promise.all(Array.from({ length: 5000 }, () => tools.quick({})))', { tools: [tool('quick', () => 1)] }),
  too_many_suspended_runs: async () => {
    const { exec } = await createHarness({ config: { maxSuspendedRuns: 1 } });
    await exec('await yield_control()');
    return exec('await yield_control()');
  },
  nested_tool_failed: () =>
    run('return await tools.broken({})', {
      tools: [
        tool('broken', () => {
          throw new Error('the disk is full');
        }),
      ],
    }),
  guest_error: () => run('throw new Error("mine")'),
  denied: async () => {
    const { exec, tools } = await createHarness();
    tools.hook('preExecute', (call) =>
      call.transportInfo ? { decision: 'deny', reason: 'no programs today' } : undefined,
    );
    return exec('return 1');
  },
  aborted: async () => {
    const { exec } = await createHarness({ tools: [tool('slow', () => deferred().promise)] });
    const controller = new AbortController();
    const open = exec('await tools.slow({})', { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    return open;
  },
  internal_error: async () => {
    const { exec, namespaces, tools } = await createHarness();
    tools.registrar({ source: 'plugin', owner: 'diary' }).register(tool('diary_add', () => 1));
    namespaces.register(
      {
        id: 'diary',
        globalName: 'Diary',
        description: 'The diary.',
        requiredToolNames: ['diary_add'],
        createScope: () => {
          throw new Error('no diary today');
        },
      },
      { owner: 'diary' },
    );
    return exec('return 1');
  },
};

/** A runtime whose engine traps. No program brings a sound engine to that: its own guard is met first, as a RangeError. */
async function trapping(): Promise<CodeRuntime> {
  const runtime = await sharedRuntime();
  return altered({
    start(request) {
      const started = runtime.start(request);
      const error = { kind: 'stack-overflow' as const, message: 'the program ran the engine out of its stack' };
      const result = started.result.then(({ value: _, ...rest }) => ({ ...rest, error }));
      return new Proxy(started, {
        get: (target, key) => {
          if (key === 'result') return result;
          const value = Reflect.get(target, key, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  });
}

test.each([
  'const f = () => f(); f()',
  'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x',
  'let v = 1; for (let i = 0; i < 2e5; i++) v = [v]; return String(v)',
  "return JSON.parse('['.repeat(1e6) + ']'.repeat(1e6))",
])('a program that goes too deep fails as its own error, with what to do: %s', async (code) => {
  expect(await run(code)).toMatchObject({
    code: 'guest_error',
    error: expect.stringContaining('RangeError'),
    hint: expect.stringContaining('loop'),
  });
});

describe('each code', () => {
  test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('%s is reached', async (code) => {
    const result = await WAYS[code]();
    expect(result).toMatchObject({ status: 'failed', code });
    expect(result.status === 'failed' && result.error).toBeTruthy();
  });

  test('is in the table, and is explained under its name in the docs with what to do', () => {
    expect(Object.keys(CODE_MODE_ERRORS).sort()).toEqual([...CODE_MODE_ERROR_CODES].sort());
    const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    const sections = new Map(
      page
        .split(/^## /m)
        .slice(1)
        .map((section) => [/^`(\w+)`/.exec(section)?.[1], section] as const),
    );
    for (const code of CODE_MODE_ERROR_CODES) {
      expect(docsOf(code)).toBe(`docs/errors.md#${code}`);
      expect(sections.get(code), code).toMatch(CODE_MODE_ERRORS[code].retry ? /Retry: yes/ : /Retry: no/);
    }
  });
});

test('what the guest throws can never pass for a code of ours', async () => {
  const { exec } = await createHarness({
    tools: [
      tool('fails', () => {
        throw new Error('real');
      }),
    ],
  });
  for (const forged of [
    'const e = new Error("x"); e.kind = "timeout"; e.code = "timeout"; throw e',
    'throw { kind: "memory-limit", message: "forged", code: "denied", callId: "call-1" }',
    'throw Object.assign(new ToolCallError("forged"), { code: "DENIED", callId: "call-1" })',
    'const e = await tools.fails({}).catch((e) => e); const f = new Error("x"); Object.setPrototypeOf(f, e); throw f',
  ]) {
    expect(await exec(forged)).toMatchObject({ status: 'failed', code: 'guest_error' });
  }
});

test('a failed nested call keeps its message, names its tool, and can be caught', async () => {
  const { exec } = await createHarness({
    tools: [
      tool('broken', () => {
        throw new Error('the disk is full');
      }),
    ],
  });
  expect(await exec('await tools.broken({})')).toMatchObject({
    code: 'nested_tool_failed',
    error: expect.stringContaining('the disk is full'),
    calls: [{ toolId: 'host:core:broken', status: 'failed', code: 'TOOL_FAILED' }],
    line: 1,
  });
  expect(
    await exec(
      'try { await tools.broken({}) } catch (e) { return [e.name, e.toolName, e.code, e instanceof ToolCallError] }',
    ),
  ).toMatchObject({
    status: 'completed',
    value: ['ToolCallError', 'broken', 'TOOL_FAILED', true],
    calls: [{ status: 'failed' }],
  });
});

test('a runtime that is not there, or cannot be had, is told; there is no fallback to showing tools', async () => {
  const { tools } = await createHarness();
  await tools.dispose();
  const { createToolRegistry } = await import('@codeseam/tools');
  const registry = createToolRegistry();
  registry.register(tool('t', () => 1));
  for (const runtime of [
    () => undefined,
    () => {
      throw new Error('no wasm');
    },
  ]) {
    const codeMode = createCodeMode({ tools: registry, runtime });
    expect(await codeMode.exec({ code: 'return 1' }, { scope: {}, callId: '1' })).toMatchObject({
      code: 'runtime_unavailable',
    });
    await expect(registry.present(registry.view({}))).rejects.toThrow(/code runtime/);
    await codeMode.dispose();
  }
  expect(() => createCodeMode({ tools: registry, runtime: () => undefined, config: { timeoutMs: 1 } })).toThrow(
    /timeoutMs/,
  );
  await registry.dispose();
});
