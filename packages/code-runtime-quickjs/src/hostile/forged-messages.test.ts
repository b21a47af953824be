// Real threads that lie: among their own messages they send forged and repeated ones. Every run still ends, the host
// goes on, no call is made twice or without a grant, and a run on an honest thread notices nothing.
import type { CodeCallContext, CodeRunResult } from '@codeseam/code-runtime';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Turn } from '../messages.ts';
import { createQuickJsRuntime, type QuickJsRuntime } from '../runtime.ts';
import { writeTurn } from '../turn-text.ts';
import { watchHost } from './host-watch.ts';
import { claimsOf, nonsenseOf } from './testing/arbitrary-messages.ts';
import type { Forging } from './testing/forging-port.ts';

/** What the next threads forge, in the order in which they are started; a thread beyond the list is honest. */
const forgings = vi.hoisted((): Forging[] => []);

vi.mock('node:worker_threads', async (importOriginal) => {
  const threads = await importOriginal<typeof import('node:worker_threads')>();
  const { default: forgingPort } = await import('./testing/forging-port.ts?bundle=worker');
  class Worker extends threads.Worker {
    constructor(program: string, options: import('node:worker_threads').WorkerOptions) {
      const forging = forgings.shift();
      if (forging)
        super(`(() => {${forgingPort}})();${program}`, { ...options, workerData: { ...options.workerData, forging } });
      else super(program, options);
    }
  }
  return { ...threads, Worker };
});

const LIMITS = { computeMs: 10_000, wallMs: 20_000, drainMs: 5, abortGraceMs: 5 };
/** A forged message may leave a program waiting for ever: after its first wait it gets this long. */
const PATIENCE_MS = 100;

/** Calls of host functions, as `run call-id`. */
let calls: string[] = [];
let runtime: QuickJsRuntime | undefined;

const functions = Object.freeze({
  double(this: CodeCallContext, value: number) {
    calls.push(`${this.context} ${this.id}`);
    return value * 2;
  },
  slow(this: CodeCallContext, value: number) {
    calls.push(`${this.context} ${this.id}`);
    return new Promise((done) => setTimeout(done, 3, value));
  },
});

const PROGRAM = `
  console.log('begins');
  const doubled = await Promise.all([1, 2, 3].map((n) => tools.double(n)));
  await new Promise((done) => setTimeout(done, 2));
  const slow = await tools.slow(9);
  console.log('ends');
  return [doubled, slow];`;
const VALUE = [[2, 4, 6], 9];

/** A run settles with a result, or is refused as misuse, which a thread may claim. */
function settled(name: string): Promise<CodeRunResult | Error> {
  const run = runtime!.start({
    program: PROGRAM,
    bindings: [{ global: 'tools', functions }],
    limits: LIMITS,
    context: name,
  });
  let timer: NodeJS.Timeout | undefined;
  run.onState((state) => {
    if (state === 'waiting')
      timer ??= setTimeout(() => run.cancel({ kind: 'timeout', message: 'it hangs' }), PATIENCE_MS);
  });
  return run.result.catch((error: Error) => error).finally(() => clearTimeout(timer));
}

afterEach(async () => {
  await runtime?.dispose();
  runtime = undefined;
  forgings.length = 0;
  calls = [];
});

describe('threads that forge messages', () => {
  const runs = fc.nat({ max: 61 });

  test.each<[what: string, count: number, messages: fc.Arbitrary<unknown>]>([
    ['claims of the right form', 60, claimsOf(runs)],
    // Each of these costs a thread.
    ['nonsense', 12, fc.oneof({ weight: 1, arbitrary: nonsenseOf(runs) }, { weight: 9, arbitrary: claimsOf(runs) })],
  ])('harm no host, hang no run, and make no call twice: %s', { timeout: 60_000 }, async (_what, count, arbitrary) => {
    const watch = watchHost();
    const messages = fc.sample(arbitrary, { numRuns: 3_000, seed: 7 });
    for (let at = 0; at < count; at++) {
      forgings.push({
        messages: [...messages.slice(at * 20), ...messages.slice(0, at * 20)],
        each: 4,
        repeat: at % 2 === 0,
      });
    }
    runtime = await createQuickJsRuntime({ workers: 1 });
    const kinds = new Set<string>();
    for (let done = 0; done < count; done += 6) {
      const batch = Array.from({ length: 6 }, (_, index) => settled(`run ${done + index}`));
      for (const it of await Promise.all(batch))
        kinds.add(it instanceof Error ? 'misuse' : (it.error?.kind ?? 'value'));
    }
    expect(calls.length).toBeGreaterThan(count / 3);
    expect(new Set(calls).size).toBe(calls.length);
    expect(kinds.size).toBeGreaterThan(1);
    expect(watch.problems()).toEqual([]);
    watch.stop();
  });

  test('reach no run of another thread', { timeout: 60_000 }, async () => {
    const HONEST = 2;
    const messages = fc.sample(claimsOf(fc.constant(HONEST)), { numRuns: 2_000, seed: 11 });
    forgings.push({ messages, each: 20, repeat: false });
    runtime = await createQuickJsRuntime({ workers: 2 });
    let over = false;
    const bindings = [{ global: 'tools', functions: { ...functions, goOn: () => !over } }];
    // The first thread is the liar, and stays with its run: it sends forged messages with each call.
    const lying = runtime.run({
      program: 'let turns = 0; while (await tools.goOn()) turns++; return turns;',
      bindings,
      limits: LIMITS,
      context: 'liar',
    });
    const program = `for (let n = 0; n < 25; n++) { console.log(n); if (await tools.slow(n) !== n) throw new Error('forged'); } return 'mine';`;
    const honest = await runtime.run({ program, bindings, limits: LIMITS, context: 'honest' });
    over = true;
    expect([honest.value, honest.error, honest.logs]).toEqual([
      'mine',
      undefined,
      Array.from({ length: 25 }, (_, n) => String(n)),
    ]);
    expect(calls.filter((it) => it.startsWith('honest'))).toEqual(
      Array.from({ length: 25 }, (_, n) => `honest call-${n + 1}`),
    );
    expect((await lying).value).toBeGreaterThan(10);
  });

  const end = (rest: object) => ({
    computeMs: 0,
    heapBytes: 0,
    calls: [],
    rest: { timers: [], cleared: [], controls: [], ...rest },
  });
  const long: unknown[] = ['output', 1];
  long.length = 2 ** 32 - 1;

  test.each<[name: string, message: unknown]>([
    ['a value that is no JSON', writeTurn(1, end({ end: { value: 'no json' } }) as Turn)],
    ['a value that is no lossless JSON', writeTurn(1, end({ end: { value: '[1e999]' } }) as Turn)],
    [
      'a control whose payload is no JSON',
      writeTurn(1, end({ controls: [{ seq: 1, name: 'x', payload: 'no json' }] }) as Turn),
    ],
    ['a message of four thousand million places', long],
    ['an image in shared memory', ['parked', 1, new Uint8Array(new SharedArrayBuffer(64)), 'x']],
  ])('harm no host with %s', { timeout: 20_000 }, async (_name, message) => {
    const watch = watchHost();
    forgings.push({ messages: [message], each: 1, repeat: false });
    runtime = await createQuickJsRuntime({ workers: 1 });
    const results = await Promise.all([settled('first'), settled('second')]);
    for (const it of results) if (!(it instanceof Error)) expect([undefined, VALUE, null]).toContainEqual(it.value);
    expect(watch.problems()).toEqual([]);
    watch.stop();
  });

  test('leave no timer behind by arming one twice', { timeout: 20_000 }, async () => {
    const armed = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    const twice = { seq: 1_000, delay: 1e9 };
    forgings.push({
      messages: [writeTurn(1, end({ timers: [twice, twice] }) as Turn), writeTurn(1, end({ end: {} }) as Turn)],
      each: 2,
      repeat: false,
    });
    runtime = await createQuickJsRuntime({ workers: 1 });
    await settled('first');
    const long = armed.mock.results
      .filter((_, index) => Number(armed.mock.calls[index]![1]) > 1e6)
      .map((it) => it.value as unknown);
    const gone = new Set(cleared.mock.calls.map(([handle]) => handle as unknown));
    vi.restoreAllMocks();
    expect(long.length).toBeGreaterThan(0);
    expect(long.filter((handle) => !gone.has(handle))).toEqual([]);
  });

  test('cannot leave calls running by claiming misuse', { timeout: 20_000 }, async () => {
    let signal: AbortSignal | undefined;
    const hang = Object.freeze({
      hang(this: CodeCallContext) {
        signal = this.signal;
        return new Promise(() => {});
      },
      soon: () => 1,
    });
    // The claim comes with the second turn, when the calls of the first are on their way.
    forgings.push({ messages: ['', '', ['misuse', 1, 'forged']], each: 1, repeat: false });
    runtime = await createQuickJsRuntime({ workers: 1 });
    const request = {
      program: 'void tools.hang(); await tools.soon(); await tools.soon();',
      bindings: [{ global: 'tools', functions: hang }],
    };
    await runtime.run({ ...request, limits: LIMITS }).catch((error: Error) => error);
    expect(signal?.aborted).toBe(true);
  });
});
