// The end of a program: draining, aborted calls, and what may not happen afterwards.
import assert from 'node:assert/strict';
import type { CodeCallContext, CodePendingCall, CodeRun, CodeRunState } from '../types.ts';
import { type ConformanceCase, delay, failureOf, finished, gate, reached, value, withTools } from './case.ts';

export const endingCases: ConformanceCase[] = [
  {
    name: 'lets calls that the program did not await finish before the run ends',
    async run({ runtime }) {
      const done: string[] = [];
      const late = gate();
      const functions = {
        late: async () => {
          await late.promise;
          done.push('late');
          return 1;
        },
      };
      const run = runtime.start(withTools('tools.late(); return "value";', functions));
      await reached(run, 'draining');
      await delay(20);
      assert.equal(run.state, 'draining', 'the run waits for its call');
      assert.deepEqual(done, []);
      late.open(null);
      const result = await run.result;
      assert.deepEqual([result.value, result.usage.calls, done], ['value', 1, ['late']]);
    },
  },
  {
    name: 'cuts the wait for calls short when it is cancelled after the end; what the program gave stands',
    async run({ runtime }) {
      let signal: AbortSignal | undefined;
      const functions = {
        hang(this: CodeCallContext) {
          signal = this.signal;
          return new Promise(() => {});
        },
      };
      const limits = { drainMs: 60_000, abortGraceMs: 10 };
      const run = runtime.start(withTools('tools.hang(); return "value";', functions, { limits }));
      await reached(run, 'draining');
      run.cancel({ kind: 'abort', message: 'no longer needed' });
      const result = await run.result;
      assert.deepEqual([result.value, result.error, signal?.aborted], ['value', undefined, true]);
    },
  },
  {
    name: 'does not run guest code again once the program has ended',
    async run({ runtime }) {
      let calls = 0;
      const late = gate();
      const functions = { late: () => late.promise, count: () => ++calls };
      const program =
        'tools.late().then(async () => { console.log("again"); await tools.count(); throw new Error("late"); }); setTimeout(() => tools.count(), 1); return 1;';
      const run = runtime.start(withTools(program, functions));
      await reached(run, 'draining');
      assert.equal(await run.hold(), 'draining');
      late.open(null);
      const result = await run.result;
      await delay(20);
      assert.deepEqual([result.value, result.error, result.logs, calls], [1, undefined, [], 0]);
      assert.equal(await run.hold(), 'ended');
    },
  },
  {
    name: 'runs jobs that are ready before it drains',
    async run({ runtime }) {
      let calls = 0;
      const program =
        '(async () => { for (let i = 0; i < 50; i++) await null; await tools.count(); console.log("after"); })(); return "early";';
      const result = await finished(runtime, withTools(program, { count: () => ++calls }));
      assert.equal(result.value, 'early');
      assert.equal(calls, 1);
      assert.deepEqual(result.logs, []);
    },
  },
  {
    name: 'aborts calls that outlast drainMs, waits abortGraceMs, and drops late results',
    async run({ runtime }) {
      const log: string[] = [];
      const functions = {
        polite(this: CodeCallContext) {
          return new Promise((resolve) =>
            this.signal.addEventListener('abort', () => {
              log.push('polite');
              resolve(1);
            }),
          );
        },
        stubborn(this: CodeCallContext) {
          this.signal.addEventListener('abort', () => log.push('stubborn'));
          return new Promise(() => {});
        },
      };
      const run = runtime.start({
        ...withTools('tools.polite(); tools.stubborn(); return 1;', functions),
        limits: { drainMs: 30, abortGraceMs: 30 },
      });
      const result = await run.result;
      assert.deepEqual([result.value, result.error, result.usage.calls], [1, undefined, 2]);
      assert.deepEqual(log.sort(), ['polite', 'stubborn']);
      assert.deepEqual(run.pending(), []);
    },
  },
  {
    name: 'aborts the calls of a program that failed at once',
    async run({ runtime }) {
      const aborted = gate<string>();
      const functions = {
        quick: () => 1,
        hang(this: CodeCallContext) {
          return new Promise((_, reject) =>
            this.signal.addEventListener('abort', () => {
              aborted.open('aborted');
              reject(new Error('stopped'));
            }),
          );
        },
      };
      const result = await runtime.run({
        ...withTools('tools.hang().catch(() => {}); await tools.quick(); throw new Error("first");', functions),
        limits: { drainMs: 60_000 },
      });
      assert.equal(failureOf(result, 'exception').message, 'first');
      assert.equal(await aborted.promise, 'aborted');
    },
  },
  {
    name: 'never lets a call signal abort while its program waits for it',
    async run({ runtime }) {
      const signals: AbortSignal[] = [];
      const functions = {
        slow(this: CodeCallContext, ms: number) {
          signals.push(this.signal);
          return delay(ms);
        },
      };
      await value(runtime, withTools('await Promise.all([tools.slow(1), tools.slow(30)]);', functions));
      assert.deepEqual(
        signals.map((it) => it.aborted),
        [false, false],
      );
    },
  },
  {
    name: 'reports no call to the host after the run has ended',
    async run({ runtime }) {
      let ended = false;
      let late = 0;
      const functions = {
        count: () => {
          if (ended) late++;
          return 1;
        },
      };
      for (const end of ['return 1;', 'throw new Error("end");']) {
        ended = false;
        await runtime.run({
          ...withTools(`for (let i = 0; i < 40; i++) tools.count().catch(() => {}); ${end}`, functions),
          limits: { abortGraceMs: 20 },
        });
        ended = true;
        await delay(20);
      }
      assert.equal(late, 0);
    },
  },
  {
    name: 'goes through its states in order and tells them to listeners',
    async run({ runtime }) {
      const answer = gate();
      const run = runtime.start(
        withTools('await tools.wait(); tools.wait(); return 1;', { wait: () => answer.promise }),
      );
      const seen: CodeRunState[] = [run.state];
      const undo = run.onState((state) => {
        if (state === 'draining') undo();
      });
      run.onState((state) => void seen.push(state));
      assert.ok(seen[0] === 'queued' || seen[0] === 'running', seen[0]);
      await reached(run, 'waiting');
      answer.open(null);
      await run.result;
      assert.equal(seen.at(-1), 'ended');
      assert.ok(seen.includes('running') && seen.includes('waiting'), seen.join());
      assert.ok(!seen.slice(1).includes('queued'), 'queued only before the first turn');
      const draining = seen.indexOf('draining');
      if (draining !== -1) assert.equal(draining, seen.length - 2);
    },
  },
  {
    name: 'lists what a program waits for',
    async run({ runtime }) {
      const answer = gate();
      const before = Date.now();
      const program =
        'const t = new Promise((done) => setTimeout(done, 60000)); const p = tools.deep.wait({ a: 1 }, "b"); await Promise.race([p, t]); return 1;';
      const run = runtime.start(withTools(program, { deep: { wait: () => answer.promise } }));
      await reached(run, 'waiting');
      const pending = run.pending();
      const call = pending.find((it) => it.kind === 'call');
      assert.deepEqual(
        [call?.path, call?.args],
        [
          ['tools', 'deep', 'wait'],
          [{ a: 1 }, 'b'],
        ],
      );
      assert.equal(typeof call?.id, 'string');
      assert.ok(call!.startedAt! >= before - 1000 && call!.startedAt! <= Date.now() + 1000);
      const timer = pending.find((it) => it.kind === 'timer');
      assert.ok(
        timer?.dueAt && timer.dueAt >= before + 59_000 && timer.dueAt <= Date.now() + 61_000,
        'the timer says when it is due',
      );
      assert.equal(pending.length, 2);
      answer.open(null);
      assert.equal((await run.result).value, 1);
      assert.deepEqual(run.pending(), []);
    },
  },
  {
    name: 'serves timers, in order, and forgets cleared ones',
    async run({ runtime }) {
      const program = `
        const seen = [];
        const wait = (ms, name) => new Promise((done) => setTimeout((n) => { seen.push(n); done(); }, ms, name));
        const cleared = setTimeout(() => seen.push('cleared'), 1); clearTimeout(cleared); clearTimeout(undefined); clearTimeout(99999);
        await Promise.all([wait(25, 'late'), wait(1, 'early'), wait(0, 'now')]);
        return seen;`;
      const seen = (await value(runtime, program)) as string[];
      assert.equal(seen.at(-1), 'late');
      assert.deepEqual([...seen].sort(), ['early', 'late', 'now']);
    },
  },
  {
    name: 'takes any delay of a timer: one without end is long, and what is no number is none',
    async run({ runtime }) {
      const program = `
        const wait = (ms) => new Promise((done) => setTimeout(done, ms));
        const endless = setTimeout(() => {}, Infinity);
        await tools.seen();
        clearTimeout(endless);
        for (const ms of [-1, NaN, undefined, null, 'soon', '1', 0.5]) await wait(ms);
        return 1;`;
      let pending: readonly CodePendingCall[] = [];
      const run: CodeRun = runtime.start(
        withTools(program, {
          seen: async () => {
            await delay(1);
            pending = run.pending();
          },
        }),
      );
      assert.equal((await run.result).value, 1);
      assert.ok(pending.find((it) => it.kind === 'timer')!.dueAt! > Date.now() + 1e9);
    },
  },
  {
    name: 'counts the calls that a program made',
    async run({ runtime }) {
      const run = runtime.start(
        withTools('for (let i = 0; i < 7; i++) await tools.one(); return 1;', { one: () => 1 }),
      );
      const result = await run.result;
      assert.equal(result.usage.calls, 7);
      assert.deepEqual(run.usage, result.usage);
      assert.ok(result.usage.wallMs >= 0 && result.usage.computeMs >= 0);
    },
  },
];
