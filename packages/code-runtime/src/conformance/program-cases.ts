// Programs and their completion values.
import assert from 'node:assert/strict';
import { type ConformanceCase, failure, finished, value, withTools } from './case.ts';

/** Expressions of values that are not lossless JSON, and what the message must say of their place. */
const LOSSY = [
  ['NaN', 'NaN'],
  ['10n', 'BigInt'],
  ['() => 1', 'function'],
  ['[undefined]', '[0]'],
  ['[1, , 3]', '1'],
  ['Object.assign([1], { extra: 1 })', 'extra'],
  ['new (class Rows extends Array {})()', 'Rows'],
  ['({ rows: [{}, { when: new Date(0) }] })', 'rows[1].when'],
  ['Object.defineProperty({ a: 1 }, "hidden", { value: 2, enumerable: false })', 'hidden'],
  ['({ [Symbol("k")]: 1 })', 'symbol'],
  ['(() => { const o = { a: {} }; o.a.self = o; return o; })()', 'a.self'],
  ['({ get bad() { throw new Error("no"); } })', 'bad'],
] as const;

export const programCases: ConformanceCase[] = [
  {
    name: 'gives the value that a program returns',
    async run({ runtime }) {
      const result = await finished(runtime, 'return { sum: 1 + 1, list: [true, null, "é😀"] };');
      assert.deepEqual(result.value, { sum: 2, list: [true, null, 'é😀'] });
      assert.deepEqual(result.logs, []);
      assert.deepEqual(result.output, []);
      assert.equal(typeof result.usage.computeMs, 'number');
      assert.equal(typeof result.usage.wallMs, 'number');
      assert.equal(result.usage.calls, 0);
    },
  },
  {
    name: 'runs a program as the body of an async function',
    async run({ runtime }) {
      assert.equal(await value(runtime, 'const a = await Promise.resolve(20); const b = await 22; return a + b;'), 42);
      assert.equal(await value(runtime, 'return Promise.resolve(Promise.resolve(7));'), 7);
      assert.equal(await value(runtime, 'return { then(done) { done("thenable"); } };'), 'thenable');
    },
  },
  {
    name: 'has no value where the program returned nothing',
    async run({ runtime }) {
      for (const program of ['', '1 + 1;', 'return undefined;']) {
        const result = await finished(runtime, program);
        assert.ok(!('value' in result) || result.value === undefined, `${program} has no value`);
      }
      assert.equal(await value(runtime, 'return null;'), null);
    },
  },
  {
    name: 'normalises -0 and undefined properties, and nothing else',
    async run({ runtime }) {
      const given = await value(runtime, 'return { a: -0, b: undefined, c: [-0], d: { e: undefined } };');
      assert.deepEqual(given, { a: 0, c: [0], d: {} });
      assert.ok(Object.is((given as { a: number }).a, 0));
      assert.deepEqual(await value(runtime, 'return [2 ** 53 + 2, 1e308, 5e-324, 0.1 + 0.2];'), [
        2 ** 53 + 2,
        1e308,
        5e-324,
        0.1 + 0.2,
      ]);
    },
  },
  {
    name: 'keeps a key named __proto__ as ordinary data',
    async run({ runtime }) {
      const given = await value(
        runtime,
        'return JSON.parse(\'{"__proto__":{"isAdmin":true},"constructor":1,"a":2}\');',
      );
      assert.deepEqual(Object.keys(given as object), ['__proto__', 'constructor', 'a']);
      assert.equal((given as { isAdmin?: boolean }).isAdmin, undefined);
      assert.equal(Object.getPrototypeOf(given), Object.prototype);
    },
  },
  {
    name: 'keeps every string, and the keys in order',
    async run({ runtime }) {
      const texts = ['\u0000\u001f"\\', '\u2028\u2029\ufeff', 'a\ud800b', '\udc00', '😀', ''];
      assert.deepEqual(await value(runtime, `return ${JSON.stringify(texts)};`), texts);
      const given = await value(runtime, 'return { z: 1, a: 2, m: { y: 1, b: 2 } };');
      assert.equal(JSON.stringify(given), '{"z":1,"a":2,"m":{"y":1,"b":2}}');
    },
  },
  {
    name: 'takes values nested thousands of levels deep',
    async run({ runtime }) {
      const given = await value(runtime, 'let v = "core"; for (let i = 0; i < 6000; i++) v = [v]; return v;');
      let at: unknown = given;
      let depth = 0;
      for (; Array.isArray(at); at = at[0]) depth++;
      assert.equal(depth, 6000);
      assert.equal(at, 'core');
      await failure(runtime, 'let v = 1; for (let i = 0; i < 20000; i++) v = { v }; return v;', 'invalid-output');
    },
  },
  {
    name: 'takes a reference that is shared without a cycle',
    async run({ runtime }) {
      assert.deepEqual(await value(runtime, 'const s = { n: 1 }; return [s, s, { s }];'), [
        { n: 1 },
        { n: 1 },
        { s: { n: 1 } },
      ]);
    },
  },
  {
    name: 'fails a value that is not lossless JSON as invalid-output, naming its place',
    async run({ runtime }) {
      for (const [expression, place] of LOSSY) {
        const error = await failure(runtime, `return ${expression};`, 'invalid-output');
        assert.ok(
          error.message.includes(place),
          `the message for ${expression} says ${JSON.stringify(place)}: ${error.message}`,
        );
      }
    },
  },
  {
    name: 'never calls toJSON and reads a getter once',
    async run({ runtime }) {
      await failure(runtime, 'return { a: 1, toJSON() { return "called"; } };', 'invalid-output');
      const error = await failure(runtime, 'return { d: new Date(0) };', 'invalid-output');
      assert.ok(!error.message.includes('1970'));
      assert.deepEqual(await value(runtime, 'let n = 0; return { get a() { return ++n; } };'), { a: 1 });
    },
  },
  {
    name: 'gives the same for run and for the result of start',
    async run({ runtime }) {
      const run = runtime.start({ program: 'console.log("x"); return 5;', bindings: [] });
      const { value: given, logs } = await run.result;
      assert.deepEqual([given, logs], [5, ['x']]);
      assert.equal(run.state, 'ended');
      assert.equal(await run.result, await run.result);
    },
  },
  {
    name: 'has what programs expect to be there',
    async run({ runtime }) {
      const program = `
        const functions = [setTimeout, clearTimeout, queueMicrotask, structuredClone, TextEncoder, TextDecoder, URL, URLSearchParams, atob, btoa];
        return {
          functions: functions.every((it) => typeof it === 'function'),
          uuid: crypto.randomUUID().length,
          bytes: crypto.getRandomValues(new Uint8Array(8)).length,
          url: new URL('../b?q=1#h', 'https://user@host.example:8443/a/c').href,
          query: new URLSearchParams({ a: '1 2', b: 'é' }).toString(),
          text: new TextDecoder().decode(new TextEncoder().encode('é😀')),
          base64: atob(btoa('hello')),
          clone: structuredClone({ a: [1, { b: 2 }] }),
          now: Date.now() > 1.6e12,
          random: Math.random() !== Math.random(),
        };`;
      assert.deepEqual(await value(runtime, program), {
        functions: true,
        uuid: 36,
        bytes: 8,
        url: 'https://user@host.example:8443/b?q=1#h',
        query: 'a=1+2&b=%C3%A9',
        text: 'é😀',
        base64: 'hello',
        clone: { a: [1, { b: 2 }] },
        now: true,
        random: true,
      });
    },
  },
  {
    name: 'gives each run its own random numbers',
    async run({ runtime }) {
      const seen = new Set<unknown>();
      for (let i = 0; i < 3; i++)
        seen.add(JSON.stringify(await value(runtime, 'return [Math.random(), crypto.randomUUID()];')));
      assert.equal(seen.size, 3);
    },
  },
  {
    name: 'runs programs in sloppy mode and lets them patch what they like',
    async run({ runtime }) {
      assert.equal(
        await value(
          runtime,
          'implicitGlobal = 3; return implicitGlobal + (function () { return typeof this; })().length;',
        ),
        9,
      );
      assert.equal(
        await value(
          runtime,
          'Array.prototype.last = function () { return this[this.length - 1]; }; return [1, 2].last();',
        ),
        2,
      );
      assert.equal(await value(runtime, 'const e = new Error("m"); e.name = "Mine"; return String(e);'), 'Mine: m');
      assert.equal(await value(runtime, 'return this === globalThis;'), true);
    },
  },
  {
    name: 'runs many programs at once, each with its own answers',
    async run({ runtime }) {
      const runs = Array.from({ length: 6 }, async (_, index) => {
        const program = 'let sum = 0; for (let i = 0; i < 5; i++) sum += await tools.own(i); return sum;';
        return value(runtime, withTools(program, { own: async (i: number) => i * index }));
      });
      assert.deepEqual(
        await Promise.all(runs),
        Array.from({ length: 6 }, (_, index) => 10 * index),
      );
    },
  },
  {
    name: 'carries nothing from one run to the next',
    async run({ runtime }) {
      await finished(
        runtime,
        'globalThis.leak = 1; Array.prototype.leak = 2; Object.prototype.leak = 3; JSON.parse = null; return 1;',
      );
      const seen =
        'return [typeof leak, typeof [].leak, typeof ({}).leak, typeof JSON.parse, Object.keys(globalThis).includes("leak")];';
      for (let i = 0; i < 3; i++)
        assert.deepEqual(await value(runtime, seen), ['undefined', 'undefined', 'undefined', 'function', false]);
    },
  },
];
