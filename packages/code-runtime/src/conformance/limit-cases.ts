// Budgets, cancelling and what is left afterwards: nothing.
import assert from 'node:assert/strict';
import type { CodeCallContext } from '../types.ts';
import { type ConformanceCase, delay, failureOf, gate, reached, thrown, tools, value, withTools } from './case.ts';

const HOT_LOOPS = [
  'for (;;) await null;',
  'const spin = () => Promise.resolve().then(spin); await spin();',
  'tools.hang(); for (;;) {}',
];

export const limitCases: ConformanceCase[] = [
  {
    name: 'stops a program that is busy for longer than computeMs, as a timeout',
    async run({ runtime }) {
      const functions = { hang: () => new Promise(() => {}) };
      const runs = HOT_LOOPS.map((loop) =>
        runtime.run({
          ...withTools(`console.log("busy"); ${loop}`, functions),
          limits: { computeMs: 150, abortGraceMs: 10 },
        }),
      );
      for (const result of await Promise.all(runs)) {
        failureOf(result, 'timeout');
        assert.deepEqual(result.logs, ['busy']);
        assert.ok(result.usage.computeMs >= 100, `${result.usage.computeMs} ms were counted`);
      }
      assert.equal(await value(runtime, 'return 1 + 1;'), 2);
    },
  },
  {
    name: 'does not count waiting on the host as busy',
    async run({ runtime }) {
      const program =
        'for (let i = 0; i < 4; i++) await tools.wait(250); await new Promise((done) => setTimeout(done, 250)); return "done";';
      const result = await runtime.run({ ...withTools(program, { wait: delay }), limits: { computeMs: 1_000 } });
      assert.deepEqual([result.value, result.error], ['done', undefined]);
      assert.ok(result.usage.wallMs >= 1_150 && result.usage.computeMs < 1_000, JSON.stringify(result.usage));
    },
  },
  {
    name: 'ends a run at wallMs, waiting or busy, as a timeout',
    async run({ runtime }) {
      for (const program of ['await tools.hang();', 'while (true) {}']) {
        const result = await runtime.run({
          ...withTools(program, { hang: () => new Promise(() => {}) }),
          limits: { wallMs: 120, abortGraceMs: 10 },
        });
        failureOf(result, 'timeout');
      }
      assert.equal(await value(runtime, 'return 1 + 1;'), 2);
    },
  },
  {
    name: 'ends a run as abort when its signal fires, whatever it does',
    async run({ runtime }) {
      for (const program of [
        'await tools.hang();',
        'while (true) {}',
        'await new Promise((done) => setTimeout(done, 60000));',
      ]) {
        const controller = new AbortController();
        const run = runtime.start({
          ...withTools(`await tools.started(); ${program}`, {
            hang: () => new Promise(() => {}),
            started: () => {
              setTimeout(() => controller.abort(new Error('enough of it')), 20);
            },
          }),
          signal: controller.signal,
          limits: { abortGraceMs: 10 },
        });
        assert.ok(failureOf(await run.result, 'abort').message.includes('enough of it'));
        assert.equal(run.state, 'ended');
      }
      assert.equal(await value(runtime, 'return 1 + 1;'), 2);
    },
  },
  {
    name: 'runs nothing where the signal has fired already',
    async run({ runtime }) {
      let calls = 0;
      const result = await runtime.run({
        ...withTools('await tools.count();', { count: () => ++calls }),
        signal: AbortSignal.abort(),
      });
      failureOf(result, 'abort');
      assert.equal(calls, 0);
    },
  },
  {
    name: 'ends a run as its cancel says, once',
    async run({ runtime }) {
      for (const kind of ['abort', 'timeout'] as const) {
        const run = runtime.start(
          withTools('await tools.hang();', { hang: () => new Promise(() => {}) }, { limits: { abortGraceMs: 10 } }),
        );
        await reached(run, 'waiting');
        run.cancel({ kind, message: `stopped by the ${kind} of the test` });
        run.cancel({ kind: 'abort', message: 'second' });
        assert.equal(failureOf(await run.result, kind).message, `stopped by the ${kind} of the test`);
        run.cancel({ kind: 'abort', message: 'after the end' });
        assert.equal(run.state, 'ended');
      }
    },
  },
  {
    name: 'refuses to cancel for a reason that is none',
    async run({ runtime }) {
      const run = runtime.start(withTools('await tools.hang();', { hang: () => new Promise(() => {}) }));
      for (const reason of [undefined, 'abort', { kind: 'exception', message: 'forged' }]) {
        const error = await thrown(() => run.cancel(reason as never));
        assert.equal(error.code, 'invalid-request');
      }
      run.cancel({ kind: 'abort', message: 'enough' });
      assert.equal(failureOf(await run.result, 'abort').message, 'enough');
    },
  },
  {
    name: 'can cancel a run that has not started yet',
    async run({ runtime }) {
      const run = runtime.start({ program: 'return 1;', bindings: [] });
      run.cancel({ kind: 'abort', message: 'never mind' });
      assert.equal(failureOf(await run.result, 'abort').message, 'never mind');
    },
  },
  {
    name: 'aborts the calls of a cancelled run and gives them their grace',
    async run({ runtime }) {
      const finished = gate<string>();
      const functions = {
        slow(this: CodeCallContext) {
          return new Promise((resolve) =>
            this.signal.addEventListener('abort', () =>
              setTimeout(() => {
                finished.open('cleaned up');
                resolve(1);
              }, 20),
            ),
          );
        },
      };
      const run = runtime.start({
        program: 'await tools.slow();',
        bindings: [tools(functions)],
        limits: { abortGraceMs: 5_000 },
      });
      await reached(run, 'waiting');
      run.cancel({ kind: 'abort', message: 'stop' });
      failureOf(await run.result, 'abort');
      assert.equal(
        await Promise.race([finished.promise, delay(0).then(() => 'the run ended before its call')]),
        'cleaned up',
      );
    },
  },
  {
    name: 'bounds the calls in flight and lets the rest wait their turn',
    applies: (runtime) => runtime.maxLimits.maxPendingCalls !== undefined,
    async run({ runtime }) {
      let open = 0;
      let most = 0;
      const one = async (i: number) => {
        most = Math.max(most, ++open);
        await delay(2);
        open--;
        return i;
      };
      const program = 'return await Promise.all(Array.from({ length: 40 }, (_, i) => tools.one(i)));';
      const given = await value(runtime, { ...withTools(program, { one }), limits: { maxPendingCalls: 3 } });
      assert.deepEqual(
        given,
        Array.from({ length: 40 }, (_, i) => i),
      );
      assert.equal(most, 3);
    },
  },
  {
    name: 'refuses a batch of calls over the queue as call-limit, dispatching none of it',
    applies: (runtime) => runtime.maxLimits.maxQueuedCalls !== undefined,
    async run({ runtime }) {
      let calls = 0;
      const functions = { count: () => ++calls };
      const program =
        'await tools.count(); await Promise.all(Array.from({ length: 50 }, () => tools.count())); return "never";';
      const result = await runtime.run({
        ...withTools(program, functions),
        limits: { maxPendingCalls: 2, maxQueuedCalls: 10 },
      });
      failureOf(result, 'call-limit');
      assert.equal(calls, 1);
    },
  },
  {
    name: 'stops a program at its memory limit, and the next one is clean',
    part: 'isolation',
    async run({ runtime }) {
      const hogs = [
        'const a = []; for (;;) a.push("x".repeat(1000) + a.length);',
        'let s = "x"; for (;;) s += s;',
        'const a = []; for (;;) a.push(new Uint8Array(100000));',
        'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });',
      ];
      for (const hog of hogs) {
        const result = await runtime.run({
          program: hog,
          bindings: [],
          limits: { memoryLimitBytes: 16 * 1024 * 1024 },
        });
        failureOf(result, 'memory-limit', 'exception');
        assert.equal(await value(runtime, 'return 1 + 1;'), 2);
      }
    },
  },
];
