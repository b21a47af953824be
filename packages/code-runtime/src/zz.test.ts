import { test } from 'vitest';
import { createQuickJsRuntime } from '/work/main/packages/code-runtime-quickjs/src/index.ts';
import { createWorkerRuntime } from '/work/main/packages/code-runtime-worker/src/index.ts';
test('x', async () => {
  for (const make of [createQuickJsRuntime, createWorkerRuntime]) {
    const rt: any = await (make as any)({});
    for (const program of ['throw "x"', '\nthrow { a: 1, b: [2] }', 'throw null', 'throw undefined', 'throw 5', 'await Promise.reject("no")', 'throw new Error("e")', 'throw { name: "E", message: "m" }', 'throw { message: "m", code: 3 }', 'function f() { throw "deep" }\nf()']) {
      const run = await rt.run({ language: 'javascript', program, code: program, bindings: [] }) ;
      const r = await (run?.result ?? run);
      console.log(JSON.stringify(program), JSON.stringify(r?.error));
    }
    await rt.dispose?.();
  }
});
