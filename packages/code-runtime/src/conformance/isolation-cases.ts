// The boundary: only for providers whose guests are hostile.
import assert from 'node:assert/strict';
import { type ConformanceCase, failureOf, value, withTools } from './case.ts';

const AMBIENT = [
  'process',
  'require',
  'module',
  'exports',
  'global',
  'Buffer',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'Worker',
  'SharedWorker',
  'WebAssembly',
  'SharedArrayBuffer',
  'Deno',
  'Bun',
  'navigator',
  'performance',
  'importScripts',
  'setImmediate',
  'std',
  'os',
  'host',
];

const part = 'isolation';

export const isolationCases: ConformanceCase[] = [
  {
    name: 'has no ambient power',
    part,
    async run({ runtime }) {
      const program = `return ${JSON.stringify(AMBIENT)}.filter((name) => { try { return typeof globalThis[name] !== 'undefined' || (0, eval)('typeof ' + name) !== 'undefined'; } catch { return false; } });`;
      assert.deepEqual(await value(runtime, program), []);
      assert.equal(await value(runtime, 'return typeof Atomics === "undefined" || typeof Atomics.wait;'), true);
    },
  },
  {
    name: 'does not tell the time zone of the host',
    part,
    async run({ runtime }) {
      assert.equal(
        await value(runtime, 'return new Date(0).getTimezoneOffset() + new Date(1e12).getTimezoneOffset();'),
        0,
      );
    },
  },
  {
    name: 'reaches nothing through constructors, eval and Function',
    part,
    async run({ runtime }) {
      const program = `
        const probes = [];
        const probe = (o) => { try { probes.push(o.constructor.constructor('return typeof process + typeof require')()); } catch { probes.push('undefinedundefined'); } };
        const result = await tools.get(); let error; try { await tools.no(); } catch (e) { error = e; }
        for (const o of [result, Object(result).list, tools.get, tools.get({}), error, {}, [], () => {}, async () => {}, function* () {}, console.log, setTimeout, Promise.resolve(), globalThis]) probe(o);
        try { probes.push(eval('typeof process') + (0, eval)('typeof require')); } catch { probes.push('undefinedundefined'); }
        try { probes.push(Function('return typeof process')() + new Function('return typeof require')()); } catch { probes.push('undefinedundefined'); }
        return [...new Set(probes)];`;
      const functions = { get: () => ({ list: [1] }), no: () => Promise.reject(new Error('no')) };
      assert.deepEqual(await value(runtime, withTools(program, functions)), ['undefinedundefined']);
    },
  },
  {
    name: 'calls only functions that the request granted, whatever name is tried',
    part,
    async run({ runtime }) {
      const admin = { admin: () => 'ADMIN' };
      const program = `
        const out = [];
        for (const name of ['admin', '__proto__', 'constructor', 'hasOwnProperty', '', 'tools.admin', 'echo/../admin', 'echo\\u0000admin']) {
          try { out.push(String(await tools[name]({}))); } catch { out.push('refused'); }
        }
        try { out.push(await tools.echo.call({ name: 'admin', path: ['tools', 'admin'] }, {})); } catch { out.push('refused'); }
        return [...new Set(out)].sort();`;
      const functions = Object.assign(Object.create(admin) as Record<string, () => string>, { echo: () => 'echo' });
      const plain = Object.fromEntries(Object.entries(functions));
      assert.deepEqual(await value(runtime, withTools(program, plain)), ['echo', 'refused']);
    },
  },
  {
    name: 'contains recursion, wide values and runaway patterns, and the next run is clean',
    part,
    async run({ runtime }) {
      const wild = [
        'const f = () => f(); f();',
        'const o = {}; o.toString = () => String(o); String(o);',
        'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a).length;',
        'return "a".repeat(2 ** 30).length;',
        'return new Array(2 ** 32 - 1).join("x").length;',
        '/^(a+)+$/.test("a".repeat(40) + "!");',
        'new Proxy({}, { get(t, k, r) { return r[k]; } }).x;',
        'const s = "(".repeat(100000); new RegExp(s + ")".repeat(100000));',
        'return eval("[".repeat(100000) + "]".repeat(100000)).length;',
      ];
      for (const program of wild) {
        const result = await runtime.run({
          program,
          bindings: [],
          limits: { computeMs: 300, memoryLimitBytes: 32 * 1024 * 1024 },
        });
        if (result.error)
          failureOf(result, 'exception', 'stack-overflow', 'memory-limit', 'timeout', 'worker-exit', 'syntax');
        assert.equal(await value(runtime, 'return [1, 2, 3].map((n) => n * 2).join();'), '2,4,6', program);
      }
    },
  },
  {
    name: 'stops long native work that never asks whether it may go on',
    part,
    async run({ runtime }) {
      const program = 'const a = { length: 2 ** 31 }; return Array.prototype.join.call(a, "").length;';
      const result = await runtime.run({ program, bindings: [], limits: { computeMs: 200 } });
      failureOf(result, 'timeout', 'memory-limit', 'exception');
      assert.equal(await value(runtime, 'return 1 + 1;'), 2);
    },
  },
  {
    name: 'loses no other run when one has to be killed',
    part,
    async run({ runtime }) {
      const functions = { wait: (ms: number) => new Promise((done) => setTimeout(done, ms, ms)) };
      const others = Array.from({ length: 6 }, (_, i) =>
        runtime.run(
          withTools(`const kept = ${i}; await tools.wait(60); await tools.wait(60); return kept;`, functions),
        ),
      );
      const killed = Array.from({ length: 3 }, () =>
        runtime.run({
          program: 'Array.prototype.join.call({ length: 2 ** 31 }, "");',
          bindings: [],
          limits: { computeMs: 100 },
        }),
      );
      assert.deepEqual(
        (await Promise.all(others)).map((it) => it.value),
        [0, 1, 2, 3, 4, 5],
      );
      for (const result of await Promise.all(killed)) failureOf(result, 'timeout', 'memory-limit', 'exception');
    },
  },
  {
    name: 'does not change the host',
    part,
    async run({ runtime }) {
      const own = () =>
        [Object.prototype, Array.prototype, Promise.prototype, globalThis].map((it) => Reflect.ownKeys(it).length);
      const before = own();
      const program = `
        Object.prototype.polluted = 1; Array.prototype.polluted = 1; globalThis.polluted = 1; Promise.prototype.polluted = 1;
        ({}).__proto__.more = 1; const got = await tools.get(); got.__proto__.deep = 1; got.constructor.prototype.deeper = 1;
        return JSON.parse('{"__proto__":{"polluted":2},"constructor":{"prototype":{"polluted":3}}}');`;
      await value(runtime, withTools(program, { get: () => ({ a: 1 }) }));
      assert.deepEqual(own(), before);
      assert.equal(({} as { polluted?: number }).polluted, undefined);
    },
  },
];
