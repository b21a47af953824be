// A thread may die at any moment of a run: whoever waits for something of that run is told, and every other run goes on.
import type { Worker } from 'node:worker_threads';
import type { CodeRun, CodeRunRequest } from '@codeseam/code-runtime';
import { CodeRunFrozen } from '@codeseam/code-runtime';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createQuickJsRuntime, type QuickJsRuntime } from '../runtime.ts';

/** All threads that were started. */
const threads = vi.hoisted((): Worker[] => []);

vi.mock('node:worker_threads', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:worker_threads')>();
  class Noted extends original.Worker {
    constructor(...args: ConstructorParameters<typeof original.Worker>) {
      super(...args);
      threads.push(this);
    }
  }
  return { ...original, Worker: Noted };
});

const limits = { computeMs: 10_000, drainMs: 10_000, abortGraceMs: 10 };

let runtime: QuickJsRuntime;
/** Settle the calls of `gate` that wait. */
let gates: (() => void)[] = [];
/** Their signals. */
let signals: AbortSignal[] = [];

const functions = {
  gate(this: { signal: AbortSignal }) {
    signals.push(this.signal);
    return new Promise((resolve) => {
      gates.push(() => resolve('through'));
    });
  },
};
const request = (program: string, more: Partial<CodeRunRequest> = {}): CodeRunRequest => ({
  program,
  bindings: [{ global: 'tools', functions }],
  limits,
  ...more,
});

/** Ends all threads; resolves when they have exited. */
const killAll = (): Promise<unknown> => Promise.all(threads.splice(0).map((thread) => thread.terminate()));
const openGates = (): void => {
  for (const open of gates.splice(0)) open();
  signals = [];
};
const until = (run: CodeRun, wanted: string): Promise<void> =>
  new Promise((resolve) => {
    const check = (state: string) => void (state === wanted && resolve());
    run.onState(check);
    check(run.state);
  });

beforeEach(async () => {
  runtime = await createQuickJsRuntime({ workers: 1 });
});
afterEach(async () => {
  await runtime.dispose();
  threads.length = 0;
  gates = [];
  signals = [];
});

const WAITS = 'const kept = 7; await tools.gate(); return kept;';

interface Stage {
  readonly program: string;
  /** Brings the run to the stage; gives what else waits for it then. */
  readonly reach: (run: CodeRun) => Promise<readonly Promise<unknown>[]>;
  /** What the run ends with, where its gates are opened after the thread has died. */
  /** `either` where the thread may have done its work before it dies. */
  readonly end: 'worker-exit' | 'value' | 'either';
}

const STAGES: Record<string, Stage> = {
  'before its first turn': { program: WAITS, reach: async () => [], end: 'worker-exit' },
  'while it is held before its first turn': { program: WAITS, reach: async (run) => [run.hold()], end: 'worker-exit' },
  'in a turn': {
    program: 'for (;;) {}',
    reach: async (run) => {
      await until(run, 'running');
      return [run.hold(), run.park()];
    },
    end: 'worker-exit',
  },
  'while it waits on its thread': {
    program: WAITS,
    reach: async (run) => {
      await until(run, 'waiting');
      return [];
    },
    end: 'worker-exit',
  },
  'while it is held on its thread': {
    program: WAITS,
    reach: async (run) => {
      await run.hold();
      return [];
    },
    end: 'worker-exit',
  },
  'while it is being parked': {
    program: WAITS,
    reach: async (run) => {
      await until(run, 'waiting');
      return [run.park()];
    },
    end: 'either',
  },
  'while it is parked': {
    program: WAITS,
    reach: async (run) => {
      await until(run, 'waiting');
      await run.park();
      return [];
    },
    end: 'value',
  },
  'while it is brought back': {
    program: 'await tools.gate(); for (;;) {}',
    reach: async (run) => {
      await until(run, 'waiting');
      await run.park();
      openGates();
      await until(run, 'running');
      return [run.hold(), run.park()];
    },
    end: 'worker-exit',
  },
  'while its calls drain': {
    program: 'void tools.gate(); return 7;',
    reach: async (run) => {
      await until(run, 'draining');
      return [run.hold(), run.park()];
    },
    end: 'value',
  },
};

describe('a thread that dies', () => {
  test.each(Object.entries(STAGES))(
    '%s leaves nobody waiting',
    { timeout: 20_000 },
    async (_name, { program, reach, end }) => {
      const others = [1, 2, 3].map((kept) => runtime.start(request(`return [${kept}, await tools.gate()];`)));
      await Promise.all(others.map((it) => until(it, 'waiting')));
      await Promise.all(others.map((it) => it.park()));
      const openOthers = gates.splice(0);
      signals = [];
      const run = runtime.start(request(program));
      const asked = await reach(run);
      await killAll();
      const aborted = signals;
      if (end !== 'worker-exit') openGates();
      const result = await run.result;
      await Promise.all(asked);
      if (end === 'value' || (end === 'either' && !result.error))
        expect([result.value, result.error]).toEqual([7, undefined]);
      else {
        expect(result.error?.kind).toBe('worker-exit');
        if (end !== 'either') expect(aborted.map((it) => it.aborted)).toEqual(aborted.map(() => true));
      }
      for (const open of openOthers) open();
      const values = (await Promise.all(others.map((it) => it.result))).map((it) => it.value);
      expect(values).toEqual([1, 2, 3].map((kept) => [kept, 'through']));
      expect((await runtime.run(request('return 1 + 1;'))).value).toBe(2);
    },
  );

  test('with runs in the queue takes none of them along', { timeout: 20_000 }, async () => {
    const first = runtime.start(request('for (;;) {}'));
    const queued = [1, 2, 3].map((kept) => runtime.start(request(`return ${kept};`)));
    await until(first, 'running');
    expect(queued.map((it) => it.state)).toEqual(['queued', 'queued', 'queued']);
    await killAll();
    expect((await first.result).error?.kind).toBe('worker-exit');
    expect((await Promise.all(queued.map((it) => it.result))).map((it) => it.value)).toEqual([1, 2, 3]);
  });

  test('again and again, with all that was started since, loses only what it ran', { timeout: 20_000 }, async () => {
    const runs = Array.from({ length: 12 }, (_, kept) => runtime.start(request(`await tools.gate(); return ${kept};`)));
    for (let round = 0; round < 4; round++) {
      await new Promise((resolve) => setTimeout(resolve, 15));
      await killAll();
    }
    const timer = setInterval(openGates, 5);
    const results = await Promise.all(runs.map((it) => it.result));
    clearInterval(timer);
    const lost = results.filter((it) => it.error);
    expect(lost.length).toBeLessThanOrEqual(4);
    for (const { error } of lost) expect(error?.kind).toBe('worker-exit');
    for (const [kept, { value, error }] of results.entries()) if (!error) expect(value).toBe(kept);
  });

  test('while a run is frozen fails the freeze and ends the run, or comes too late', { timeout: 20_000 }, async () => {
    const run = runtime.start(request(WAITS));
    await run.hold();
    const freezing = run.freeze();
    void killAll();
    // The thread may have given the image before it died.
    const [frozen, result] = await Promise.allSettled([freezing, run.result]);
    if (frozen.status === 'fulfilled')
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'CodeRunFrozen' } });
    else {
      expect(frozen.reason).toMatchObject({ code: 'not-suspended' });
      expect(result).toMatchObject({ value: { error: { kind: 'worker-exit' } } });
    }
  });

  test('after a run was frozen, and while it is thawed, loses at most the thawed one', {
    timeout: 20_000,
  }, async () => {
    const run = runtime.start(request(WAITS));
    await run.hold();
    const [call] = run.pending();
    const frozen = await run.freeze();
    await killAll();
    await expect(run.result).rejects.toThrow(CodeRunFrozen);
    const { bindings } = request('');
    const settlements = { [call!.id]: { ok: true as const, value: null } };
    expect((await runtime.thaw(frozen, { bindings, settlements }).result).value).toBe(7);
    const thawed = runtime.thaw(frozen, { bindings, settlements });
    await until(thawed, 'running');
    await killAll();
    const { value, error } = await thawed.result;
    expect(error?.kind ?? value).toBe(error ? 'worker-exit' : 7);
    expect((await runtime.thaw(frozen, { bindings, settlements }).result).value).toBe(7);
  });
});
