// What this provider has beside the contract: Node itself, streams, exit codes, a fresh thread for each run.
import { readFileSync } from 'node:fs';
import { Context } from 'cordis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import workerRuntimePlugin, { createWorkerRuntime, type WorkerRuntime } from './index.ts';
import { readThreadMessage } from './read-thread-message.ts';

let runtime: WorkerRuntime;
beforeAll(() => {
  runtime = createWorkerRuntime();
});
afterAll(() => runtime?.dispose());

const run = (program: string, more = {}) => runtime.run({ program, bindings: [], ...more });

describe('the worker-thread runtime', () => {
  test("gives programs Node's own modules and an empty environment", async () => {
    process.env['CODESEAM_SECRET'] = 'secret';
    const result = await run(`
      const { basename } = process.getBuiltinModule('node:path');
      return [basename('/a/b.txt'), Object.keys(process.env), process.argv.length, process.execArgv, typeof require];`);
    delete process.env['CODESEAM_SECRET'];
    expect(result.value).toEqual(['b.txt', [], 2, [], 'undefined']);
  });

  test('captures what is written to stdout and stderr, in order with the console', async () => {
    const { logs, output } = await run(`
      process.stdout.write('one\\ntw'); console.log('between'); process.stdout.write('o\\n');
      process.stderr.write('bad\\n'); process.stdout.write('no line end');`);
    expect(logs).toEqual(['one', 'between', 'two', 'bad', 'no line end']);
    expect(output.map((it) => it.type === 'log' && it.level)).toEqual(['log', 'log', 'log', 'error', 'log']);
  });

  test('reports an exit of the thread with its code', async () => {
    for (const code of [7, 0]) {
      const { error, logs } = await run(`console.log('before'); process.exit(${code});`);
      expect([error?.kind, logs]).toEqual(['worker-exit', ['before']]);
      expect(error?.message).toContain(`code ${code}`);
    }
  });

  test('reports a thread that ran out of memory', async () => {
    const small = createWorkerRuntime({ maxOldGenerationSizeMb: 32 });
    const { error } = await small.run({
      program: 'const a = []; for (;;) a.push(new Array(1000).fill(a.length));',
      bindings: [],
    });
    expect(error?.kind).toBe('memory-limit');
    await small.dispose();
  });

  test('waits for what Node does for the program, and knows when nothing is left', async () => {
    const file = JSON.stringify(new URL('./index.ts', import.meta.url).pathname);
    const read = await run(
      `const text = await process.getBuiltinModule('node:fs/promises').readFile(${file}, 'utf8'); return text.length;`,
    );
    expect(read.value).toBe(readFileSync(new URL('./index.ts', import.meta.url), 'utf8').length);
    expect((await run('await new Promise(() => {});')).error?.kind).toBe('deadlock');
  });

  test('does not let a pending call hide a hot loop, nor a flood of timers take the host', async () => {
    const bindings = [{ global: 'tools', functions: { hang: () => new Promise(() => {}) } }];
    const hot = await run('tools.hang(); for (;;);', { bindings, limits: { computeMs: 100, abortGraceMs: 1 } });
    expect(hot.error).toMatchObject({
      kind: 'timeout',
      message: "the program was busy for 100 ms (the runtime's computeMs)",
      hint: expect.stringContaining('split it into several'),
    });
    const flood = await run(
      'for (let i = 0; i < 20000; i++) setTimeout(() => {}, 60000); await new Promise(() => {});',
    );
    expect(flood.error?.kind).toBe('call-limit');
  });

  test('spawns nothing for a program that cannot run', async () => {
    const { error, usage } = await run('const = 1;');
    expect([error?.kind, error?.line, usage.computeMs]).toEqual(['syntax', 1, 0]);
    const access = await run("const fs = require('fs');");
    expect([access.error?.kind, access.error?.hint]).toEqual([
      'module-access',
      expect.stringContaining('getBuiltinModule'),
    ]);
  });

  test('refuses a config that is not one, naming field, value and range', () => {
    expect(() => createWorkerRuntime({ computeMS: 5 } as never)).toThrow(/computeMS.*computeMs/s);
    expect(() => createWorkerRuntime({ maxOutputBytes: 3 })).toThrow(/maxOutputBytes/);
    expect(() => createWorkerRuntime({ wallMs: 2 ** 31 })).toThrow(/wallMs/);
    expect(createWorkerRuntime({ maxOutputBytes: 4 }).maxLimits.maxOutputBytes).toBe(4);
  });

  test('takes at most the limits of its config', async () => {
    const strict = createWorkerRuntime({ computeMs: 100 });
    expect(() => strict.start({ program: '', bindings: [], limits: { computeMs: 101 } })).toThrow(
      'limits.computeMs is 101',
    );
    await strict.dispose();
  });

  test('mounts in a cordis context', async () => {
    const ctx = new Context();
    const fiber = await ctx.plugin(workerRuntimePlugin as never, { computeMs: 1_000 } as never);
    const mounted = ctx.get('codeRuntime') as WorkerRuntime;
    expect((await mounted.run({ program: 'return 1;', bindings: [] })).value).toBe(1);
    await fiber.dispose();
    expect(() => mounted.start({ program: '', bindings: [] })).toThrow('disposed');
  });

  test('rebuilds or drops each message of the thread', () => {
    const bad: unknown[] = [
      undefined,
      7,
      {},
      'x',
      '[]',
      '["call"]',
      '["call","1",0,["a"],"[]"]',
      '["call",1,0,"a","[]"]',
      '["timer",1]',
      '["failed",{"kind":"timeout","message":"x"}]',
      '["admin",1]',
    ];
    for (const message of bad) expect(readThreadMessage(message)).toBeUndefined();
    expect(readThreadMessage('["call",1,0,["a"],"[]",9]')).toEqual({
      kind: 'call',
      seq: 1,
      namespace: 0,
      path: ['a'],
      args: '[]',
    });
    expect(readThreadMessage('["failed",{"kind":"exception","message":"x","callId":"forged","name":5}]')).toEqual({
      kind: 'failed',
      failure: { kind: 'exception', message: 'x' },
    });
  });

  test('runs the example of the README', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const code = /```ts\n([\s\S]*?)```/.exec(readme)![1]!;
    const body = code.replace(/^import .*$/gm, '');
    const logged: unknown[] = [];
    const AsyncFunction = (async () => {}).constructor as new (
      ...args: string[]
    ) => (...args: unknown[]) => Promise<void>;
    await new AsyncFunction('createWorkerRuntime', 'console', body)(createWorkerRuntime, {
      log: (...args: unknown[]) => logged.push(...args),
    });
    expect(logged).toEqual([5, ['adding']]);
  });
});
