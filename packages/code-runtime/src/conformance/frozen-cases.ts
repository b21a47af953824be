// Freezing a run and thawing it elsewhere.
import assert from 'node:assert/strict';
import { CodeRunFrozen } from '../errors.ts';
import type { CodeRunRequest, CodeRuntime, CodeSettlement, FrozenRun } from '../types.ts';
import { type ConformanceCase, delay, failureOf, gate, thrown, tools, withTools } from './case.ts';

/** Runs a request to its first wait and freezes it there; gives the frozen run as a store would keep it, and its pending ids. */
async function frozen(runtime: CodeRuntime, request: CodeRunRequest): Promise<{ image: FrozenRun; ids: string[] }> {
  const run = runtime.start(request);
  assert.equal(await run.hold(), 'waiting');
  const ids = run.pending().map((it) => it.id);
  const image = await run.freeze();
  assert.ok((await thrown(() => run.result)) instanceof CodeRunFrozen);
  assert.equal(run.state, 'ended');
  return { image: structuredClone(image), ids };
}

const settled = (ids: string[], settlement: CodeSettlement): Record<string, CodeSettlement> =>
  Object.fromEntries(ids.map((id) => [id, settlement]));
const hang = () => new Promise(() => {});

export const frozenCases: ConformanceCase[] = [
  {
    name: 'goes on where it was frozen, with what it held, in another runtime',
    part: 'resumable',
    async run({ runtime, open }) {
      const program = `
        const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: 'row ' + id }));
        const map = new Map([['k', 1]]);
        class Counter { #n = 1; next() { return ++this.#n; } }
        const counter = new Counter();
        counter.next();
        console.log('before');
        const got = await tools.wait({ n: 1 });
        console.log('after', got.ok);
        return [rows.length, rows[150].name, map.get('k'), counter.next(), got.ok, await tools.add(1, 2)];`;
      const functions = { wait: hang, add: (a: number, b: number) => a + b };
      const { image, ids } = await frozen(runtime, withTools(program, functions));
      assert.equal(ids.length, 1);
      const other = await open();
      const run = other.thaw!(image, {
        bindings: [tools(functions)],
        settlements: settled(ids, { ok: true, value: { ok: true } }),
      });
      const result = await run.result;
      assert.equal(result.error, undefined);
      assert.deepEqual(result.value, [200, 'row 150', 1, 3, true, 3]);
      assert.deepEqual(result.logs, ['before', 'after true']);
      assert.equal(result.usage.calls, 2);
    },
  },
  {
    name: 'is plain data: a store may keep it as text',
    part: 'resumable',
    async run({ runtime }) {
      const { image, ids } = await frozen(runtime, withTools('return [1, await tools.wait()];', { wait: hang }));
      const kept = JSON.stringify({ ...image, image: Buffer.from(image.image).toString('base64') });
      const read = JSON.parse(kept) as Omit<FrozenRun, 'image'> & { image: string };
      const run = runtime.thaw!(
        { ...read, image: new Uint8Array(Buffer.from(read.image, 'base64')) },
        { bindings: [tools({ wait: hang })], settlements: settled(ids, { ok: true, value: 2 }) },
      );
      assert.deepEqual((await run.result).value, [1, 2]);
    },
  },
  {
    name: 'gives a thawed program the globals of its thaw, and says which one is missing',
    part: 'resumable',
    async run({ runtime }) {
      const program = `
        const before = seen.n;
        await tools.wait();
        let problem;
        try { missing.n; } catch (error) { problem = error.message; }
        return [before, seen.n, fresh.n, /missing/.test(problem)];`;
      const globals = { seen: { n: 1 }, fresh: { n: 2 }, missing: { n: 3 } };
      const { image, ids } = await frozen(runtime, { ...withTools(program, { wait: hang }), globals });
      const run = runtime.thaw!(image, {
        bindings: [tools({ wait: hang })],
        globals: { fresh: { n: 20 } },
        settlements: settled(ids, { ok: true, value: null }),
      });
      assert.deepEqual((await run.result).value, [1, 1, 20, true]);
    },
  },
  {
    name: 'takes failed, late and missing settlements',
    part: 'resumable',
    async run({ runtime }) {
      const program = `
        const outcome = (p) => p.then((v) => ['ok', v], (e) => [e.name, e.message, e.code ?? null, e.toolName]);
        return await Promise.all([outcome(tools.a()), outcome(tools.b()), outcome(tools.c())]);`;
      const functions = { a: hang, b: hang, c: hang };
      const { image, ids } = await frozen(runtime, withTools(program, functions));
      assert.deepEqual(
        image.calls,
        ids.map((id, index) => ({ id, path: ['tools', ['a', 'b', 'c'][index]] })),
      );
      const misspelt = { bindings: [tools(functions)], settlements: settled(['cal-1'], { ok: true, value: 1 }) };
      assert.throws(() => runtime.thaw!(image, misspelt), /"cal-1" is not the id of a call/);
      const [a, b] = ids as [string, string];
      const late = delay(20).then((): CodeSettlement => ({ ok: true, value: 'late' }));
      const run = runtime.thaw!(image, {
        bindings: [tools(functions)],
        settlements: { [a]: { ok: false, message: 'denied', code: 'DENIED' }, [b]: late },
      });
      const [first, second, third] = (await run.result).value as unknown[][];
      assert.deepEqual(first, ['ToolCallError', 'denied', 'DENIED', 'a']);
      assert.deepEqual(second, ['ok', 'late']);
      assert.equal(third?.[0], 'ToolCallError');
      assert.match(String(third?.[1]), /outcome unknown/);
    },
  },
  {
    name: 'leaves the calls of a frozen run to the consumer',
    part: 'resumable',
    async run({ runtime }) {
      const answer = gate();
      let signal: AbortSignal | undefined;
      const functions = {
        wait(this: { signal: AbortSignal }) {
          signal = this.signal;
          return answer.promise;
        },
      };
      const { image, ids } = await frozen(runtime, withTools('return await tools.wait();', functions));
      await delay(20);
      assert.equal(signal?.aborted, false);
      const settlement = answer.promise.then((value): CodeSettlement => ({ ok: true, value }));
      const run = runtime.thaw!(image, { bindings: [tools(functions)], settlements: { [ids[0]!]: settlement } });
      answer.open('kept');
      assert.equal((await run.result).value, 'kept');
    },
  },
  {
    name: 'delivers after the thaw what settled while the run was held',
    part: 'resumable',
    async run({ runtime }) {
      const answer = gate();
      const run = runtime.start(withTools('return await tools.wait();', { wait: () => answer.promise }));
      assert.equal(await run.hold(), 'waiting');
      answer.open('while held');
      await delay(10);
      const image = await run.freeze();
      run.result.catch(() => {});
      assert.equal(
        (await runtime.thaw!(image, { bindings: [tools({ wait: hang })], settlements: {} }).result).value,
        'while held',
      );
    },
  },
  {
    name: 'arms the timers of a thawed run again',
    part: 'resumable',
    async run({ runtime }) {
      const { image } = await frozen(
        runtime,
        withTools('await new Promise((done) => setTimeout(done, 30)); return "rang";', {}),
      );
      await delay(40);
      assert.equal((await runtime.thaw!(image, { bindings: [tools({})], settlements: {} }).result).value, 'rang');
    },
  },
  {
    name: 'keeps ids and numbers them on',
    part: 'resumable',
    async run({ runtime }) {
      const seen: string[] = [];
      const waiting = gate<null>();
      const functions = {
        note(this: { id: string }) {
          seen.push(this.id);
          return 1;
        },
        wait() {
          waiting.open(null);
          return new Promise(() => {});
        },
      };
      const run = runtime.start(
        withTools('await tools.note(); await tools.wait(); await tools.note(); return 1;', functions),
      );
      await waiting.promise;
      assert.equal(await run.hold(), 'waiting');
      const ids = run.pending().map((it) => it.id);
      assert.equal(ids.length, 1);
      const image = await run.freeze();
      run.result.catch(() => {});
      await runtime.thaw!(image, {
        bindings: [tools(functions)],
        settlements: settled(ids, { ok: true, value: null }),
      }).result;
      assert.equal(new Set([...seen, ...ids]).size, 3, `${seen} and ${ids} are distinct`);
    },
  },
  {
    name: 'keeps the names of the start: a member without a function rejects when called',
    part: 'resumable',
    async run({ runtime }) {
      const program = `
        await tools.wait();
        let kind; try { await tools.gone(); } catch (e) { kind = [e instanceof ToolCallError, e.toolName]; }
        return ['gone' in tools, 'fresh' in tools, kind, await tools.kept()];`;
      const { image, ids } = await frozen(runtime, withTools(program, { wait: hang, gone: () => 1, kept: () => 2 }));
      const run = runtime.thaw!(image, {
        bindings: [tools({ fresh: () => 3, kept: () => 'now' })],
        settlements: settled(ids, { ok: true, value: null }),
      });
      assert.deepEqual((await run.result).value, [true, false, [true, 'gone'], 'now']);
    },
  },
  {
    name: 'can be frozen and thawed again and again',
    part: 'resumable',
    async run({ runtime }) {
      const program =
        'let sum = 0; for (let i = 0; i < 4; i++) sum += await tools.next(); console.log(sum); return sum;';
      let { image, ids } = await frozen(runtime, withTools(program, { next: hang }));
      for (let i = 0; i < 3; i++) {
        const asked = gate<null>();
        const next = () => {
          asked.open(null);
          return new Promise(() => {});
        };
        const settlements = settled(ids, { ok: true, value: 10 });
        const run = runtime.thaw!(image, { bindings: [tools({ next })], settlements });
        await asked.promise;
        assert.equal(await run.hold(), 'waiting');
        ids = run.pending().map((it) => it.id);
        image = await run.freeze();
        run.result.catch(() => {});
      }
      const last = await runtime.thaw!(image, {
        bindings: [tools({ next: hang })],
        settlements: settled(ids, { ok: true, value: 10 }),
      }).result;
      assert.deepEqual([last.value, last.logs], [40, ['40']]);
    },
  },
  {
    name: 'thaws one image more than once, each run by itself',
    part: 'resumable',
    async run({ runtime }) {
      const { image, ids } = await frozen(
        runtime,
        withTools('const box = { n: 1 }; box.n += await tools.wait(); return box.n;', { wait: hang }),
      );
      const values = await Promise.all(
        [10, 20, 30].map(
          async (value) =>
            (
              await runtime.thaw!(image, {
                bindings: [tools({ wait: hang })],
                settlements: settled(ids, { ok: true, value }),
              }).result
            ).value,
        ),
      );
      assert.deepEqual(values, [11, 21, 31]);
    },
  },
  {
    name: 'fails a damaged frozen run as snapshot-restore, never with a crash',
    part: 'resumable',
    async run({ runtime }) {
      const request = withTools(
        'const kept = Array.from({ length: 50 }, (_, i) => ({ i })); await tools.wait(); return kept.length;',
        { wait: hang },
      );
      const { image, ids } = await frozen(runtime, request);
      const options = () => ({
        bindings: [tools({ wait: hang })],
        settlements: settled(ids, { ok: true, value: null }),
      });
      const flipped = (at: number) => {
        const bytes = new Uint8Array(image.image);
        bytes[at] = bytes[at]! ^ 0x55;
        return bytes;
      };
      const damaged: FrozenRun[] = [
        { ...image, image: new Uint8Array(0) },
        { ...image, image: image.image.subarray(0, image.image.length >> 1) },
        ...[0, 1, 5, image.image.length >> 1, image.image.length - 1].map((at) => ({ ...image, image: flipped(at) })),
        { ...image, version: `${image.version}x` },
        { ...image, base: image.base.split('').reverse().join('') },
        { ...image, state: '' },
        { ...image, state: '{}' },
        { ...image, state: image.state.slice(0, -1) },
        { ...image, state: 'null' },
      ];
      for (const [index, bad] of damaged.entries()) {
        failureOf(await runtime.thaw!(bad, options()).result, 'snapshot-restore');
        if (index % 4 === 0) assert.equal((await runtime.run({ program: 'return 1;', bindings: [] })).value, 1);
      }
      assert.equal((await runtime.thaw!(image, options()).result).value, 50);
    },
  },
  {
    name: 'refuses a frozen run of another prelude, or over the limit, as snapshot-restore',
    part: 'resumable',
    async run({ runtime }) {
      const { image, ids } = await frozen(runtime, withTools('await tools.wait(); return 1;', { wait: hang }));
      const options = { bindings: [tools({ wait: hang })], settlements: settled(ids, { ok: true, value: null }) };
      failureOf(
        await runtime.thaw!(image, {
          ...options,
          prelude: { id: 'conformance-other', source: 'globalThis.other = 1;' },
        }).result,
        'snapshot-restore',
      );
      failureOf(
        await runtime.thaw!(image, { ...options, limits: { maxSnapshotBytes: 1024 } }).result,
        'snapshot-restore',
      );
    },
  },
  {
    name: 'ends a run over its maxSnapshotBytes as snapshot-limit before a call is dispatched',
    part: 'resumable',
    async run({ runtime }) {
      let calls = 0;
      const program =
        'const kept = []; for (let i = 0; i < 20000; i++) kept.push(String(Math.random()) + i); await Promise.all([tools.count(), tools.count()]); return kept.length;';
      const result = await runtime.run({
        ...withTools(program, { count: () => ++calls }),
        limits: { maxSnapshotBytes: 64 * 1024 },
      });
      failureOf(result, 'snapshot-limit');
      assert.equal(calls, 0);
    },
  },
  {
    name: 'counts the output of the whole run against one budget',
    part: 'resumable',
    async run({ runtime }) {
      const program = 'console.log("x".repeat(700)); await tools.wait(); console.log("y".repeat(700)); return 1;';
      const limits = { maxOutputBytes: 1024 };
      const { image, ids } = await frozen(runtime, withTools(program, { wait: hang }, { limits }));
      const result = await runtime.thaw!(image, {
        bindings: [tools({ wait: hang })],
        settlements: settled(ids, { ok: true, value: null }),
        limits,
      }).result;
      failureOf(result, 'output-limit');
      assert.equal(result.logs[0], 'x'.repeat(700));
    },
  },
];
