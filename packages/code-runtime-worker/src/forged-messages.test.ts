// Real threads that lie: among their own messages they send forged and repeated ones. Every run still ends, the host
// goes on, and no call is made twice or without a grant.
import type { CodeCallContext, CodeRunResult } from '@codeseam/code-runtime';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createWorkerRuntime, type WorkerRuntime } from './runtime.ts';
import type { Forging } from './testing/forging-thread.ts';

/** What the next threads forge, in the order in which they are started; a thread beyond the list is honest. */
const forgings = vi.hoisted((): Forging[] => []);

vi.mock('node:worker_threads', async (importOriginal) => {
  const threads = await importOriginal<typeof import('node:worker_threads')>();
  const { default: forger } = await import('./testing/forging-thread.ts?bundle=worker');
  class Worker extends threads.Worker {
    constructor(program: string, options: import('node:worker_threads').WorkerOptions) {
      const forging = forgings.shift();
      if (!forging) super(program, options);
      else super(`(() => {${forger}})();${program}`, { ...options, workerData: { ...options.workerData, forging } });
    }
  }
  return { ...threads, Worker };
});

const LIMITS = { computeMs: 10_000, wallMs: 20_000, drainMs: 5, abortGraceMs: 5 };
/** A forged message may leave a program waiting for ever: after its first wait it gets this long. */
const PATIENCE_MS = 100;
const PROGRAM = `
  console.log('begins');
  const doubled = await Promise.all([1, 2, 3].map((n) => tools.double(n)));
  await new Promise((done) => setTimeout(done, 2));
  console.log('ends');
  return doubled;`;

let runtime: WorkerRuntime;
let calls: string[] = [];
const crashes: string[] = [];
const onCrash = (error: unknown) => void crashes.push(String(error));

beforeAll(() => {
  runtime = createWorkerRuntime();
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
});
afterEach(() => {
  expect(crashes.splice(0)).toEqual([]);
  forgings.length = 0;
  calls = [];
});
afterAll(async () => {
  await runtime?.dispose();
  process.off('uncaughtException', onCrash);
  process.off('unhandledRejection', onCrash);
});

const functions = {
  double(this: CodeCallContext, value: number) {
    calls.push(`${this.context} ${this.id}`);
    return value * 2;
  },
};

const run = (program: string, name = 'run') =>
  runtime.run({ program, bindings: [{ global: 'tools', functions }], limits: LIMITS, context: name });

/** A run settles with a result, or is refused as misuse, which a thread may claim before it begins. */
function settled(name: string): Promise<CodeRunResult | Error> {
  const started = runtime.start({
    program: PROGRAM,
    bindings: [{ global: 'tools', functions }],
    limits: LIMITS,
    context: name,
  });
  let timer: NodeJS.Timeout | undefined;
  started.onState((state) => {
    if (state === 'waiting')
      timer ??= setTimeout(() => started.cancel({ kind: 'timeout', message: 'it hangs' }), PATIENCE_MS);
  });
  return started.result.catch((error: Error) => error).finally(() => clearTimeout(timer));
}

const forge = (...messages: unknown[]) => void forgings.push({ messages, each: messages.length, repeat: false });

const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true, maxDepth: 2 });
const seq = fc.oneof(
  { weight: 40, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 1, arbitrary: fc.maxSafeNat() },
);
const text = fc.oneof(
  fc.json({ maxDepth: 1 }),
  fc.constantFrom('[1]', 'no json', '[1e999]', '{"type":"text","text":"forged"}'),
);
const path = fc.array(fc.constantFrom('double', 'admin', 'constructor', '__proto__', '0'), { maxLength: 2 });
const part = fc.oneof(
  seq,
  text,
  path,
  fc.json({ maxDepth: 1 }).map((it) => JSON.parse(it) as unknown),
);
/** A message that may be taken; one of the last two ends the run. */
const parts = fc.oneof(
  { weight: 10, arbitrary: fc.tuple(fc.constant('call'), seq, fc.nat({ max: 1 }), path, text) },
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom('started', 'idle', 'output'), text) },
  { weight: 5, arbitrary: fc.tuple(fc.constantFrom('timer', 'clear', 'wait'), seq, fc.double({ noNaN: true })) },
  { weight: 10, arbitrary: fc.tuple(fc.constantFrom('call', 'timer', 'wait', 'failed'), part, part, part, part) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('control'), seq, text, text) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('done', 'taken'), text) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('failed'),
      fc.record({ kind: fc.constantFrom('exception', 'abort'), message: part }),
    ),
  },
);
const messages = fc.oneof(
  { weight: 6, arbitrary: parts.map((it): unknown => JSON.stringify(it)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: anything },
);

describe('threads that forge messages', () => {
  test('harm no host, hang no run, and make no call twice', { timeout: 60_000 }, async () => {
    const RUNS = 20;
    const all = fc.sample(messages, { numRuns: RUNS * 40, seed: 3 });
    const kinds = new Set<string>();
    for (let done = 0; done < RUNS; done += 4) {
      const batch = Array.from({ length: 4 }, (_, index) => {
        const number = done + index;
        forgings.push({ messages: all.slice(number * 40, number * 40 + 40), each: 1, repeat: number % 2 === 0 });
        return settled(`run ${number}`);
      });
      for (const it of await Promise.all(batch))
        kinds.add(it instanceof Error ? 'misuse' : (it.error?.kind ?? 'value'));
    }
    expect(calls.length).toBeGreaterThan(RUNS);
    expect(new Set(calls).size).toBe(calls.length);
    expect(kinds.size).toBeGreaterThan(1);
  });

  test('cannot end a run with a value or a control that is no JSON', async () => {
    for (const value of ['no json', '[1e999]', 7, null]) {
      forge(JSON.stringify(['done', value]), JSON.stringify(['control', 1, 'x', value]));
      expect(await run(PROGRAM)).toMatchObject({ value: [2, 4, 6] });
    }
  });

  test('cannot call a request misuse once the program runs', async () => {
    forgings.push({ messages: ['["idle"]', '["taken","tools"]'], each: 1, repeat: false });
    expect(await run(PROGRAM)).toMatchObject({ value: [2, 4, 6] });
  });

  test('are sent a message of four thousand million places in vain', async () => {
    const long: unknown[] = ['done'];
    long.length = 2 ** 32 - 1;
    forge(long, new Uint8Array(new SharedArrayBuffer(8)));
    expect(await run(PROGRAM)).toMatchObject({ value: [2, 4, 6] });
  });
});

describe('a program that throws past everything', () => {
  const BARE = "process.removeAllListeners('uncaughtException'); process.removeAllListeners('unhandledRejection');";

  test.each([
    'null',
    'undefined',
    '1n',
    'Symbol()',
    '{ message: 5 }',
    '{ toString: 1 }',
    'Object.create(null)',
    '"text"',
    'new Proxy({}, {})',
  ])('ends its own run, with %s', async (thrown) => {
    const { error } = await run(`${BARE} setImmediate(() => { throw ${thrown}; }); await new Promise(() => {});`);
    expect(error?.kind).toBe('worker-exit');
  });

  test('cannot pass for one that ran out of memory', async () => {
    const thrown = "Object.assign(new Error('mine'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })";
    const { error } = await run(`${BARE} setImmediate(() => { throw ${thrown}; }); await new Promise(() => {});`);
    expect(error).toMatchObject({ kind: 'worker-exit', message: "the program's thread failed: mine" });
  });
});
