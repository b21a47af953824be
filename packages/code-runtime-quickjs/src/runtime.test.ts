// The runtime as a whole: threads, parking, killing, and what it costs.
import { type CodeRunRequest, type CodeRuntime, CodeRuntimeError } from '@codeseam/code-runtime';
import { afterEach, describe, expect, test } from 'vitest';
import type { QuickJsRuntimeConfig } from './config.ts';
import { createQuickJsRuntime } from './runtime.ts';

const open: CodeRuntime[] = [];
async function runtimeWith(config: QuickJsRuntimeConfig = {}): Promise<CodeRuntime> {
  const runtime = await createQuickJsRuntime({ workers: 1, ...config });
  open.push(runtime);
  return runtime;
}
afterEach(() => Promise.all(open.splice(0).map((runtime) => runtime.dispose())));

type Functions = CodeRunRequest['bindings'][number]['functions'];
const withTools = (program: string, functions: Functions, more: Partial<CodeRunRequest> = {}): CodeRunRequest => ({
  program,
  bindings: [{ global: 'tools', functions }],
  ...more,
});

function gate(): { promise: Promise<unknown>; open: (value: unknown) => void } {
  let release!: (value: unknown) => void;
  const promise = new Promise<unknown>((resolve) => {
    release = resolve;
  });
  return { promise, open: release };
}

/** Busy for good in one native call, which never asks whether it may go on. */
const STUCK = 'const a = { length: 2 ** 31 }; Array.prototype.join.call(a, ""); return "never";';

describe('threads', () => {
  test('let more programs wait than there are threads', async () => {
    const runtime = await runtimeWith();
    const gates = Array.from({ length: 60 }, gate);
    const runs = gates.map((it, index) =>
      runtime.run(withTools(`const kept = ${index}; return [kept, await tools.wait()];`, { wait: () => it.promise })),
    );
    gates.reverse().forEach((it, index) => void it.open(59 - index));
    const values = (await Promise.all(runs)).map((it) => it.value);
    expect(values).toEqual(Array.from({ length: 60 }, (_, index) => [index, index]));
  });

  test('give every program its turn although one has calls that settle at once', async () => {
    const runtime = await runtimeWith();
    let stop = false;
    const busy = runtime.run(
      withTools('let n = 0; while (!(await tools.stop())) n++; return n > 0;', { stop: async () => stop }),
    );
    const others = await Promise.all(
      [1, 2, 3].map((n) => runtime.run(withTools(`return await tools.get() + ${n};`, { get: () => 10 }))),
    );
    expect(others.map((it) => it.value)).toEqual([11, 12, 13]);
    stop = true;
    expect((await busy).value).toBe(true);
  });

  test('that are ended lose no parked or queued run', async () => {
    const runtime = await runtimeWith();
    const answer = gate();
    const parked = runtime.start(
      withTools('const kept = [1, 2]; return [kept, await tools.wait()];', { wait: () => answer.promise }),
    );
    expect((await parked.park()).bytes).toBeGreaterThan(0);
    const stuck = runtime.run({ program: STUCK, bindings: [], limits: { computeMs: 100 } });
    const queued = [1, 2, 3].map((n) => runtime.run({ program: `return ${n};`, bindings: [] }));
    expect((await stuck).error?.kind).toBe('timeout');
    expect((await Promise.all(queued)).map((it) => it.value)).toEqual([1, 2, 3]);
    answer.open('kept');
    expect((await parked.result).value).toEqual([[1, 2], 'kept']);
  });

  test('that are ended give up the output they had not sent', async () => {
    const runtime = await runtimeWith();
    const program = `for (let i = 0; i < 500; i++) console.log('line ' + i); ${STUCK}`;
    const result = await runtime.run({ program, bindings: [], limits: { computeMs: 300 } });
    expect(result.error).toEqual({
      kind: 'timeout',
      message: "the program was busy for 300 ms (the runtime's computeMs)",
      hint: expect.stringContaining('split it into several'),
    });
    expect(result.logs).toEqual(Array.from({ length: 500 }, (_, index) => `line ${index}`));
  });

  test('are all gone when the runtime is disposed', async () => {
    const count = () => process.getActiveResourcesInfo().filter((it) => it === 'MessagePort' || it === 'Worker').length;
    const before = count();
    const runtime = await runtimeWith({ workers: 2 });
    const hang = withTools(
      'await tools.hang();',
      { hang: () => new Promise(() => {}) },
      { limits: { abortGraceMs: 1 } },
    );
    const runs = [runtime.run(hang), runtime.run(hang), runtime.run({ program: 'for (;;);', bindings: [] })];
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(count()).toBeGreaterThan(before);
    await runtime.dispose();
    expect((await Promise.all(runs)).map((it) => it.error?.kind)).toEqual(['abort', 'abort', 'abort']);
    expect(count()).toBe(before);
    expect(() => runtime.start({ program: 'return 1;', bindings: [] })).toThrow(CodeRuntimeError);
  });
});

describe('limits', () => {
  test('of the queue refuse a run at once', async () => {
    const runtime = await runtimeWith({ maxQueuedRuns: 1 });
    const stop = new AbortController();
    const busy = runtime.run({ program: 'for (;;);', bindings: [], signal: stop.signal });
    const queued = runtime.run({ program: 'return 1;', bindings: [] });
    const refused = await runtime.run({ program: 'return 2;', bindings: [] });
    expect(refused.error?.kind).toBe('unavailable');
    stop.abort();
    expect((await busy).error?.kind).toBe('abort');
    expect((await queued).value).toBe(1);
  });

  test('of the config bound what a request may ask for', async () => {
    const runtime = await runtimeWith({ computeMs: { default: 50, max: 100 } });
    expect(runtime.maxLimits.computeMs).toBe(100);
    expect(() => runtime.start({ program: '', bindings: [], limits: { computeMs: 101 } })).toThrow(
      /computeMs.*101.*100/,
    );
    expect((await runtime.run({ program: 'for (;;);', bindings: [] })).error?.kind).toBe('timeout');
  });

  test('of an image end a held park as snapshot-limit', async () => {
    const runtime = await runtimeWith();
    const program =
      'const kept = Array.from({ length: 3000 }, () => String(Math.random())); await tools.wait(); return kept.length;';
    const request = withTools(
      program,
      { wait: () => new Promise(() => {}) },
      { limits: { maxSnapshotBytes: 1_000_000, abortGraceMs: 1 } },
    );
    const fits = runtime.start(request);
    await fits.hold();
    expect((await fits.park()).bytes).toBeLessThan(1_000_000);
    fits.cancel({ kind: 'abort', message: 'enough' });
    const small = await runtimeWith({ maxSnapshotBytes: { default: 2000 } });
    const run = small.start(withTools(program, { wait: () => new Promise(() => {}) }, { limits: { abortGraceMs: 1 } }));
    await run.hold();
    await run.park();
    expect((await run.result).error?.kind).toBe('snapshot-limit');
  });
});

describe('names', () => {
  test('cost a run nothing until they are touched', async () => {
    const runtime = await runtimeWith();
    const many = Object.freeze(
      Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`tool_${index}`, () => index])),
    );
    const bytesOf = async (functions: Functions, globals: CodeRunRequest['globals']) => {
      const run = runtime.start(
        withTools(
          'await tools.tool_1(); return 1;',
          { ...functions, tool_1: () => new Promise(() => {}) },
          { globals, limits: { abortGraceMs: 1 } },
        ),
      );
      await run.hold();
      const { bytes } = await run.park();
      run.cancel({ kind: 'abort', message: 'measured' });
      await run.result;
      return bytes;
    };
    const few = await bytesOf({}, { list: [] });
    const all = await bytesOf(many, { list: Array.from({ length: 1000 }, (_, id) => ({ id })) });
    expect(all).toBeLessThan(few + 512);
    const program = 'return [await tools.tool_77(), Object.keys(tools).length, list.length, "tool_9999" in tools];';
    expect((await runtime.run(withTools(program, many, { globals: { list: [1] } }))).value).toEqual([
      77,
      10_000,
      1,
      true,
    ]);
  });
});

describe('positions', () => {
  test.each([
    ['// a comment\n\n/* two\n lines */\nnull.x;', 5],
    ['interface A { x: number }\n\ntype B = A;\nconst b: B = null as any;\nb.x;', 5],
    ['enum Kind { A = 1 }\nconst k: Kind = Kind.A;\nthrow new Error(String(k));', 3],
    ['const f = async () => {\n  await null;\n  throw new TypeError("late");\n};\nawait f();', 3],
    ['await tools.fail({\n  a: 1 });', 1],
  ])('of an error in %j are those of the text as sent', async (program, line) => {
    const runtime = await runtimeWith();
    const result = await runtime.run(withTools(program, { fail: () => Promise.reject(new Error('no')) }));
    expect(result.error?.kind).toBe('exception');
    expect(result.error?.line).toBe(line);
  });
});
