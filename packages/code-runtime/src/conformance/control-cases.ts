// Holding, releasing and parking a run in process.
import assert from 'node:assert/strict';
import type { CodeOutputItem } from '../types.ts';
import { type ConformanceCase, delay, failureOf, gate, reached, thrown, value, withTools } from './case.ts';

export const controlCases: ConformanceCase[] = [
  {
    name: 'holds a program at its next wait and keeps what settles until the release',
    async run({ runtime }) {
      const first = gate();
      const second = gate();
      const items: CodeOutputItem[] = [];
      const program = `
        console.log('before');
        const seen = [];
        await Promise.all([tools.wait(0), tools.wait(1)].map((p) => p.then((v) => { console.log('got', v); seen.push(v); })));
        return seen;`;
      const run = runtime.start({
        ...withTools(program, { wait: (i: number) => [first, second][i]!.promise }),
        onOutput: (item) => void items.push(item),
      });
      assert.equal(await run.hold(), 'waiting');
      assert.deepEqual(
        items.map((it) => 'text' in it && it.text),
        ['before'],
      );
      second.open('second');
      await delay(5);
      first.open('first');
      await delay(30);
      assert.equal(items.length, 1, 'nothing was delivered while held');
      assert.equal(run.state, 'waiting');
      run.release();
      assert.deepEqual((await run.result).value, ['second', 'first']);
    },
  },
  {
    name: 'keeps a due timer while held',
    async run({ runtime }) {
      const answer = gate();
      const program =
        'const seen = []; setTimeout(() => { seen.push("timer"); console.log("ran"); }, 10); await tools.wait(); seen.push("call"); await new Promise((d) => setTimeout(d, 1)); return seen;';
      const run = runtime.start(withTools(program, { wait: () => answer.promise }));
      assert.equal(await run.hold(), 'waiting');
      await delay(40);
      answer.open(null);
      await delay(10);
      assert.equal(run.state, 'waiting');
      run.release();
      assert.deepEqual((await run.result).value, ['timer', 'call']);
    },
  },
  {
    name: 'takes hold and release any number of times',
    async run({ runtime }) {
      const answer = gate();
      const run = runtime.start(withTools('return await tools.wait();', { wait: () => answer.promise }));
      run.release();
      assert.deepEqual(await Promise.all([run.hold(), run.hold(), run.hold()]), ['waiting', 'waiting', 'waiting']);
      assert.equal(await run.hold(), 'waiting');
      run.release();
      run.release();
      assert.equal(await run.hold(), 'waiting');
      run.release();
      answer.open('done');
      assert.equal((await run.result).value, 'done');
      assert.equal(await run.hold(), 'ended');
      run.release();
    },
  },
  {
    name: 'answers a hold with the end where the program never waits again',
    async run({ runtime }) {
      const run = runtime.start({ program: 'return 1;', bindings: [] });
      const state = await run.hold();
      assert.ok(state === 'ended' || state === 'draining', state);
      assert.equal((await run.result).value, 1);
    },
  },
  {
    name: 'ends a held run when it is cancelled',
    async run({ runtime }) {
      const run = runtime.start(
        withTools('await tools.hang();', { hang: () => new Promise(() => {}) }, { limits: { abortGraceMs: 10 } }),
      );
      assert.equal(await run.hold(), 'waiting');
      run.cancel({ kind: 'abort', message: 'no more' });
      failureOf(await run.result, 'abort');
    },
  },
  {
    name: 'parks a waiting run, which goes on by itself when something settles',
    async run({ runtime }) {
      const answer = gate();
      const program = 'const kept = { list: [1, 2, 3] }; const got = await tools.wait(); return [kept, got];';
      const run = runtime.start(withTools(program, { wait: () => answer.promise }));
      const { bytes } = await run.park();
      assert.ok(Number.isInteger(bytes) && bytes >= 0);
      assert.equal(run.state, 'waiting');
      assert.equal(run.pending().length, 1);
      answer.open('later');
      assert.deepEqual((await run.result).value, [{ list: [1, 2, 3] }, 'later']);
    },
  },
  {
    name: 'has nothing to park of a run that has ended',
    async run({ runtime }) {
      const run = runtime.start(withTools('return 1;', {}));
      await run.result;
      assert.deepEqual(await run.park(), { bytes: 0 });
    },
  },
  {
    name: 'parks a held run, which waits for its release',
    async run({ runtime }) {
      const answer = gate();
      const run = runtime.start(withTools('return await tools.wait();', { wait: () => answer.promise }));
      assert.equal(await run.hold(), 'waiting');
      await run.park();
      answer.open('later');
      await delay(20);
      assert.equal(run.state, 'waiting');
      run.release();
      assert.equal((await run.result).value, 'later');
    },
  },
  {
    name: 'keeps the signal of a call alive while its run is parked',
    async run({ runtime }) {
      let signal: AbortSignal | undefined;
      const answer = gate();
      const functions = {
        wait(this: { signal: AbortSignal }) {
          signal = this.signal;
          return answer.promise;
        },
      };
      const run = runtime.start(withTools('return await tools.wait();', functions));
      await run.park();
      assert.equal(signal?.aborted, false);
      answer.open(1);
      await run.result;
      assert.equal(signal?.aborted, false);
    },
  },
  {
    name: 'is not touched by a listener that throws',
    async run({ runtime }) {
      const listeners = process.listeners('warning');
      process.removeAllListeners('warning');
      const run = runtime.start({ program: 'await null; return 1;', bindings: [] });
      run.onState(() => {
        throw new Error('observer');
      });
      assert.equal((await run.result).value, 1);
      await new Promise((resolve) => setImmediate(resolve));
      for (const listener of listeners) process.on('warning', listener);
    },
  },
  {
    name: 'refuses to freeze a run that is not held and waiting',
    async run({ runtime }) {
      const answer = gate();
      const run = runtime.start(withTools('return await tools.wait();', { wait: () => answer.promise }));
      await reached(run, 'waiting');
      await thrown(() => run.freeze());
      answer.open(1);
      assert.equal((await run.result).value, 1, 'the refusal left the run alone');
      await thrown(() => run.freeze());
    },
  },
  {
    name: 'says so where it cannot freeze at all',
    applies: (runtime) => !runtime.resumable,
    async run({ runtime }) {
      const answer = gate();
      const run = runtime.start(withTools('return await tools.wait();', { wait: () => answer.promise }));
      assert.equal(await run.hold(), 'waiting');
      assert.equal((await thrown(() => run.freeze())).code, 'not-resumable');
      assert.equal(runtime.thaw, undefined);
      run.release();
      answer.open(2);
      assert.equal((await run.result).value, 2);
      assert.equal(await value(runtime, 'return 3;'), 3);
    },
  },
];
