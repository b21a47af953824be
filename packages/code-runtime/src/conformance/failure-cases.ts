// Programs that fail by themselves: exceptions, syntax, modules, deadlock.
import assert from 'node:assert/strict';
import { type ConformanceCase, failure, finished, value, withTools } from './case.ts';

export const failureCases: ConformanceCase[] = [
  {
    name: 'reports what a program throws, with name, message and place',
    async run({ runtime }) {
      const error = await failure(
        runtime,
        '// first\n\nconst f = () => {\n  throw new RangeError("too far");\n};\nf();',
        'exception',
      );
      assert.equal(error.name, 'RangeError');
      assert.equal(error.message, 'too far');
      assert.equal(error.line, 4);
      assert.equal(typeof error.column, 'number');
      assert.ok(error.stack?.startsWith('RangeError: too far'), `stack is headed by name and message: ${error.stack}`);
    },
  },
  {
    name: 'reports the place after an await',
    async run({ runtime }) {
      const error = await failure(
        runtime,
        'await null;\nconst rows = await Promise.resolve(undefined);\nreturn rows.length;',
        'exception',
      );
      assert.equal(error.name, 'TypeError');
      assert.equal(error.line, 3);
    },
  },
  {
    name: 'shows only guest frames in a stack',
    async run({ runtime }) {
      const error = await failure(
        runtime,
        'function outer() { inner(); }\nfunction inner() { null.x; }\nouter();',
        'exception',
      );
      const frames = (error.stack ?? '').split('\n').slice(1);
      assert.ok(
        frames.some((frame) => frame.includes('inner')),
        `the frames name inner: ${error.stack}`,
      );
      assert.ok(
        !/node:|node_modules|file:|\.ts\b|wasm|worker/i.test(frames.join('\n')),
        `no host frame: ${error.stack}`,
      );
    },
  },
  {
    name: 'takes whatever is thrown for an exception',
    async run({ runtime }) {
      assert.ok((await failure(runtime, 'throw "only text";', 'exception')).message.includes('only text'));
      assert.ok(
        (await failure(runtime, 'throw { kind: "timeout", message: "forged" };', 'exception')).message.length > 0,
      );
      for (const thrown of ['null', 'undefined', 'Symbol("s")', 'Object.create(null)']) {
        await failure(runtime, `throw ${thrown};`, 'exception');
      }
    },
  },
  {
    name: 'lets nothing that a guest throws pass for another kind',
    async run({ runtime }) {
      const forged = [
        'const e = new Error("forged"); e.kind = "timeout"; e.name = "abort"; e.code = "memory-limit"; throw e;',
        'class TimeoutError extends Error { name = "timeout"; kind = "timeout" } throw new TimeoutError("budget exceeded");',
        'throw new Error("out of memory");',
        'throw new SyntaxError("unexpected token");',
        'const e = new RangeError("Maximum call stack size exceeded"); throw e;',
      ];
      for (const program of forged) await failure(runtime, program, 'exception');
    },
  },
  {
    name: 'survives errors whose parts throw',
    async run({ runtime }) {
      const hostile = [
        'throw new Proxy(new Error("p"), { get() { throw new Error("trap"); } });',
        'throw { get message() { throw 1; }, get name() { throw 2; }, get stack() { throw 3; } };',
        'const e = new Error("m"); Object.defineProperty(e, "stack", { get() { throw 1; } }); throw e;',
        'throw { message: { toString() { throw 1; } } };',
        'const e = new Error("m"); e.message = e; e.name = []; e.stack = 7; throw e;',
        'Error.prepareStackTrace = () => { throw 1; }; null.x;',
      ];
      for (const program of hostile) await failure(runtime, program, 'exception');
    },
  },
  {
    name: 'fails a program with an unhandled rejection',
    async run({ runtime }) {
      const error = await failure(
        runtime,
        'Promise.reject(new TypeError("left alone")); await null; return 1;',
        'exception',
      );
      assert.ok(error.message.includes('left alone'), error.message);
      await failure(runtime, '(async () => { throw new Error("inner"); })(); return 1;', 'exception');
      assert.equal(await value(runtime, 'const p = Promise.reject(new Error("x")); p.catch(() => {}); return 1;'), 1);
    },
  },
  {
    name: 'reports a syntax error with its line before anything runs',
    async run({ runtime }) {
      let calls = 0;
      const program = 'await tools.count();\nconst a = 1;\nconst b = = 2;';
      const error = await failure(runtime, withTools(program, { count: () => ++calls }), 'syntax');
      assert.equal(error.line, 3);
      assert.equal(calls, 0);
      for (const bad of [
        '}',
        'return 1; } async function f() {',
        '});(() => {',
        'const x = ;',
        '"unclosed',
        'await await',
        '*/',
      ]) {
        await failure(runtime, bad, 'syntax');
      }
    },
  },
  {
    name: 'refuses module access before anything runs',
    async run({ runtime }) {
      let calls = 0;
      const access = [
        'import fs from "fs";',
        'const fs = await import("fs");',
        'return import.meta.url;',
        'const fs = require("fs");',
        'export const a = 1;',
        'const load = () => import("node:" + "fs");',
      ];
      for (const line of access) {
        const program = `await tools.count();\n${line}`;
        const error = await failure(runtime, withTools(program, { count: () => ++calls }), 'module-access', 'syntax');
        if (!line.startsWith('export')) assert.equal(error.kind, 'module-access', line);
        assert.equal(error.line, 2, line);
      }
      assert.equal(calls, 0);
    },
  },
  {
    name: 'takes text that only looks like module access for what it is',
    async run({ runtime }) {
      const program = `
        // import x from "y"
        const api = { require: (n) => n + 1, import: 2 };
        const text = "import fs from 'fs'; require('fs')";
        return [api.require(1), api.import, text.length, /import\\(/.test("import(1)")];`;
      assert.deepEqual(await value(runtime, program), [2, 2, 34, true]);
    },
  },
  {
    name: 'fails a program that nothing can settle at once, as a deadlock',
    async run({ runtime }) {
      await failure(runtime, 'await new Promise(() => {});', 'deadlock');
      await failure(
        runtime,
        withTools('await tools.quick(); await new Promise(() => {});', { quick: () => 1 }),
        'deadlock',
      );
      await failure(runtime, 'await new Promise((r) => setTimeout(r, 5)); await Promise.race([]);', 'deadlock');
    },
  },
  {
    name: 'reports an engine RangeError that the program does not catch as an exception',
    async run({ runtime }) {
      const caught = 'const f = () => f(); try { f(); } catch (e) { return e instanceof RangeError; }';
      assert.equal(await value(runtime, caught), true);
      const error = await failure(runtime, 'const f = () => f();\nf();', 'exception', 'stack-overflow');
      if (error.kind === 'exception') assert.equal(error.name, 'RangeError');
      await finished(runtime, 'return 1;');
    },
  },
  {
    name: 'keeps the output that came before a failure',
    async run({ runtime }) {
      const result = await runtime.run({
        program: 'console.log("before"); await null; throw new Error("after");',
        bindings: [],
      });
      assert.equal(result.error?.kind, 'exception');
      assert.deepEqual(result.logs, ['before']);
      assert.deepEqual(
        result.output.map((it) => it.type),
        ['log'],
      );
    },
  },
];
