// A consumer's trusted guest code.
import assert from 'node:assert/strict';
import type { CodeControlEvent, CodeOutputItem, CodePrelude } from '../types.ts';
import { type ConformanceCase, failure, failureOf, finished, gate, thrown, tools, value, withTools } from './case.ts';

const prelude: CodePrelude = {
  id: 'conformance-1',
  source: `
    globalThis.text = (value) => host.emit({ type: 'text', text: String(value) });
    globalThis.json = (value) => host.emit({ type: 'json', value });
    globalThis.yieldControl = (payload) => host.control('yield', payload);
    globalThis.wrapped = { on: false };
    host.onValue((value) => (globalThis.wrapped.on ? { wrapped: value } : value));`,
};

export const preludeCases: ConformanceCase[] = [
  {
    name: 'adds the output that a prelude emits, in order with the console',
    async run({ runtime }) {
      const items: CodeOutputItem[] = [];
      const program = 'console.log("a"); text("b"); json({ c: [1, -0] }); await null; text("d"); return 1;';
      const result = await finished(runtime, { program, prelude, onOutput: (item) => void items.push(item) });
      assert.deepEqual(result.output, [
        { type: 'log', level: 'log', text: 'a' },
        { type: 'text', text: 'b' },
        { type: 'json', value: { c: [1, 0] } },
        { type: 'text', text: 'd' },
      ]);
      assert.deepEqual(items, result.output);
      assert.deepEqual(result.logs, ['a']);
    },
  },
  {
    name: 'counts emitted output against the budget',
    async run({ runtime }) {
      const program = 'for (let i = 0; i < 1000; i++) { text("t" + i); json([i]); } return 1;';
      const result = await runtime.run({ program, bindings: [], prelude, limits: { maxOutputBytes: 2048 } });
      failureOf(result, 'output-limit');
      const bytes = result.output.reduce(
        (sum, it) =>
          sum + (it.type === 'note' ? 0 : Buffer.byteLength(JSON.stringify(it.type === 'json' ? it.value : it.text))),
        0,
      );
      assert.ok(bytes <= 2048 && bytes > 2000, `${bytes}`);
    },
  },
  {
    name: 'passes the settled value through onValue before it is checked',
    async run({ runtime }) {
      assert.deepEqual(await value(runtime, { program: 'wrapped.on = true; return 7;', prelude }), { wrapped: 7 });
      const dates: CodePrelude = {
        id: 'conformance-dates',
        source: 'host.onValue((v) => v instanceof Date ? v.toISOString() : v);',
      };
      assert.equal(
        await value(runtime, { program: 'return new Date(0);', prelude: dates }),
        '1970-01-01T00:00:00.000Z',
      );
    },
  },
  {
    name: 'does not let the program reach host',
    async run({ runtime }) {
      assert.equal(await value(runtime, { program: 'return typeof host;', prelude }), 'undefined');
      const names = (await value(runtime, {
        program: 'return Object.getOwnPropertyNames(globalThis);',
        prelude,
      })) as string[];
      for (const name of names) assert.ok(!/^(host|emit|control|onValue)$|codeseam/i.test(name), name);
    },
  },
  {
    name: 'starts each run from the prelude as it was',
    async run({ runtime }) {
      for (let i = 0; i < 3; i++) {
        assert.deepEqual(
          await value(runtime, {
            program: 'const was = wrapped.on; wrapped.on = true; globalThis.text = null; return was;',
            prelude,
          }),
          { wrapped: false },
        );
      }
    },
  },
  {
    name: 'keeps preludes of different ids apart',
    async run({ runtime }) {
      const other: CodePrelude = { id: 'conformance-2', source: 'globalThis.only = 2;' };
      const program = 'return [typeof text, typeof only];';
      assert.deepEqual(await value(runtime, { program, prelude }), ['function', 'undefined']);
      assert.deepEqual(await value(runtime, { program, prelude: other }), ['undefined', 'number']);
      assert.deepEqual(await value(runtime, program), ['undefined', 'undefined']);
    },
  },
  {
    name: 'raises a control, holds the run at its next wait, and resolves it at the release',
    async run({ runtime }) {
      const events: CodeControlEvent[] = [];
      const answer = gate();
      const program =
        'const call = tools.wait(); const back = await yieldControl({ reason: "tea" }); console.log("on"); return [back === undefined, await call];';
      const run = runtime.start({ ...withTools(program, { wait: () => answer.promise }), prelude });
      const raised = gate<CodeControlEvent>();
      run.onControl((event) => {
        events.push(event);
        raised.open(event);
      });
      const event = await raised.promise;
      assert.deepEqual([event.name, event.payload], ['yield', { reason: 'tea' }]);
      assert.equal(await run.hold(), 'waiting');
      const control = run.pending().find((it) => it.kind === 'control');
      assert.equal(control?.id, event.id);
      answer.open('answered');
      assert.equal(run.state, 'waiting');
      run.release();
      const result = await run.result;
      assert.deepEqual([result.value, result.logs, events.length], [[true, 'answered'], ['on'], 1]);
    },
  },
  {
    name: 'resolves a control by a thaw',
    part: 'resumable',
    async run({ runtime }) {
      const run = runtime.start({
        program: 'const n = 1; await yieldControl(null); text("back"); return n + 1;',
        bindings: [],
        prelude,
      });
      assert.equal(await run.hold(), 'waiting');
      const image = await run.freeze();
      run.result.catch(() => {});
      const result = await runtime.thaw!(image, { bindings: [], prelude, settlements: {} }).result;
      assert.deepEqual([result.value, result.output], [2, [{ type: 'text', text: 'back' }]]);
    },
  },
  {
    name: 'lets the prelude work with the namespaces of the request',
    async run({ runtime }) {
      const around: CodePrelude = {
        id: 'conformance-3',
        source: 'globalThis.twice = async (n) => 2 * await tools.one(n);',
      };
      const request = {
        program: 'return await twice(4);',
        bindings: [tools({ one: (n: number) => n + 1 })],
        prelude: around,
      };
      assert.equal(await value(runtime, request), 10);
    },
  },
  {
    name: 'refuses a request that defines a name of the prelude, as misuse',
    async run({ runtime }) {
      const bad = [
        { bindings: [{ global: 'text', functions: {} }] },
        { bindings: [], globals: { json: 1 } },
        { bindings: [{ global: 'tools', functions: {}, errorClass: { name: 'wrapped', memberNameProperty: 'm' } }] },
      ];
      for (const more of bad) {
        const error = await thrown(() => runtime.run({ program: 'return 1;', prelude, ...more }));
        assert.equal(error.name, 'CodeRuntimeError');
      }
      assert.equal(await value(runtime, { program: 'return 1;', prelude }), 1);
    },
  },
  {
    name: 'rejects an emitted item that is not one in the guest, and goes on',
    async run({ runtime }) {
      const raw: CodePrelude = { id: 'conformance-4', source: 'globalThis.raw = (item) => host.emit(item);' };
      const program = `
        const bad = [null, 1, {}, { type: 'other', text: 'x' }, { type: 'text', text: 7 }, { type: 'json', value: 10n }, { type: 'json' }];
        let refused = 0;
        for (const item of bad) { try { raw(item); } catch { refused++; } }
        raw({ type: 'note', text: 'fine' });
        return refused === bad.length;`;
      const result = await finished(runtime, { program, prelude: raw });
      assert.deepEqual([result.value, result.output], [true, [{ type: 'note', text: 'fine' }]]);
    },
  },
  {
    name: 'fails where the completion hook throws, as an exception',
    async run({ runtime }) {
      const throwing: CodePrelude = {
        id: 'conformance-5',
        source: 'host.onValue(() => { throw new Error("hook"); });',
      };
      assert.ok(
        (await failure(runtime, { program: 'return 1;', prelude: throwing }, 'exception')).message.includes('hook'),
      );
    },
  },
];
