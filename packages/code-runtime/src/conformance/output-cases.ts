// Console output and its budget.
import assert from 'node:assert/strict';
import type { CodeOutputItem } from '../types.ts';
import { type ConformanceCase, failureOf, finished, gate, withTools } from './case.ts';

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export const outputCases: ConformanceCase[] = [
  {
    name: 'records console lines in order, each with its level',
    async run({ runtime }) {
      const result = await finished(
        runtime,
        'console.log("a"); console.info("b"); console.warn("c"); console.error("d"); console.debug("e"); await null; console.log("f", 1, true, null, undefined);',
      );
      assert.deepEqual(result.logs.slice(0, 5), ['a', 'b', 'c', 'd', 'e']);
      assert.equal(result.logs[5], 'f 1 true null undefined');
      assert.deepEqual(
        result.output.map((it) => it.type === 'log' && it.level),
        ['log', 'info', 'warn', 'error', 'debug', 'log'],
      );
      assert.deepEqual(
        result.output.map((it) => 'text' in it && it.text),
        result.logs,
      );
    },
  },
  {
    name: 'shows objects, errors and cycles readably, and runs no guest getter',
    async run({ runtime }) {
      const program = `
        let ran = 0;
        const cyclic = { name: 'loop', list: [1, 2] }; cyclic.self = cyclic;
        console.log({ a: 1, b: ['x'] });
        console.log(cyclic);
        console.log(new TypeError('shown'));
        console.log(new Map([['k', 1]]), new Set([2]));
        console.log({ get secret() { ran++; return 1; }, toString() { ran++; }, toJSON() { ran++; } });
        console.log(new Proxy({}, { get() { ran++; }, ownKeys() { ran++; return []; } }));
        return ran;`;
      const { value, logs } = await finished(runtime, program);
      assert.equal(value, 0);
      assert.ok(logs[0]?.includes('a') && logs[0].includes('x'), logs[0]);
      assert.ok(logs[1]?.includes('loop') && /circular/i.test(logs[1]), logs[1]);
      assert.ok(logs[2]?.includes('TypeError: shown'), logs[2]);
      assert.ok(logs[3]?.includes('k') && logs[3].includes('2'), logs[3]);
      assert.equal(logs.length, 6);
    },
  },
  {
    name: 'hands over each item as it is produced',
    async run({ runtime }) {
      const early = gate<CodeOutputItem>();
      const answer = gate();
      const items: CodeOutputItem[] = [];
      const run = runtime.start({
        ...withTools('console.log("one"); await tools.wait(); console.log("two"); return 3;', {
          wait: () => answer.promise,
        }),
        onOutput: (item) => {
          items.push(item);
          early.open(item);
        },
      });
      assert.deepEqual(await early.promise, { type: 'log', level: 'log', text: 'one' });
      assert.notEqual(run.state, 'ended');
      answer.open(null);
      const result = await run.result;
      assert.deepEqual(items, result.output);
      assert.deepEqual(result.logs, ['one', 'two']);
    },
  },
  {
    name: 'is not touched by an onOutput that throws',
    async run({ runtime }) {
      const warned = quietWarnings();
      const result = await runtime.run({
        program: 'console.log(1); console.log(2); return 3;',
        bindings: [],
        onOutput: () => {
          throw new Error('observer');
        },
      });
      await warned();
      assert.deepEqual([result.value, result.logs], [3, ['1', '2']]);
    },
  },
  {
    name: 'ends a flood of output as output-limit with the longest prefix that fits',
    async run({ runtime }) {
      const program = 'for (let i = 0; i < 100000; i++) console.log("line " + i + " é😀"); return "never";';
      const result = await runtime.run({ program, bindings: [], limits: { maxOutputBytes: 4096 } });
      failureOf(result, 'output-limit');
      const kept = result.logs.reduce((sum, line) => sum + jsonBytes(line), 0);
      assert.ok(kept <= 4096 && kept > 4096 - 32, `${kept} bytes were kept of 4096`);
      const last = result.logs.length - 1;
      assert.deepEqual(
        result.logs.slice(0, last),
        Array.from({ length: last }, (_, index) => `line ${index} é😀`),
      );
      assert.ok(`line ${last} é😀`.startsWith(result.logs[last]!));
      assert.ok(!/[\ud800-\udbff]$/.test(result.logs[last]!), 'not cut inside a code point');
      assert.equal(result.output.filter((it) => it.type === 'note').length, 1);
    },
  },
  {
    name: 'cuts one long string at a code point',
    async run({ runtime }) {
      for (const pad of ['a', 'abc']) {
        const result = await runtime.run({
          program: `console.log("${pad}" + "😀".repeat(5000));`,
          bindings: [],
          limits: { maxOutputBytes: 1024 },
        });
        failureOf(result, 'output-limit');
        const [line] = result.logs;
        assert.ok(line !== undefined && `${pad}${'😀'.repeat(5000)}`.startsWith(line));
        assert.ok(jsonBytes(line) <= 1024 && jsonBytes(line) > 1020, `${jsonBytes(line)} bytes`);
        assert.ok(!/[\ud800-\udbff]$/.test(line));
      }
    },
  },
  {
    name: 'counts the completion value with the output',
    async run({ runtime }) {
      const limits = { maxOutputBytes: 1024 };
      const fits = await runtime.run({ program: 'return "x".repeat(1022);', bindings: [], limits });
      assert.equal(fits.error, undefined);
      const over = await runtime.run({
        program: 'console.log("kept"); return "x".repeat(1020);',
        bindings: [],
        limits,
      });
      failureOf(over, 'output-limit');
      assert.deepEqual(over.logs, ['kept']);
      failureOf(
        await runtime.run({
          program: 'let v = [1]; for (let i = 0; i < 40; i++) v = [v, v]; return v;',
          bindings: [],
          limits,
        }),
        'output-limit',
        'invalid-output',
        'memory-limit',
        'timeout',
      );
    },
  },
  {
    name: 'counts the text of a failure with the output',
    async run({ runtime }) {
      const result = await runtime.run({
        program: 'throw new Error("x".repeat(100000));',
        bindings: [],
        limits: { maxOutputBytes: 2048 },
      });
      const error = failureOf(result, 'output-limit');
      assert.ok(jsonBytes(error) < 2048);
    },
  },
];

/** Keeps the warnings that a throwing listener causes off the console of the tests; gives the undo. */
function quietWarnings(): () => Promise<void> {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const listener of listeners) process.on('warning', listener);
  };
}
