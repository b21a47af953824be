// A third provider for the tests: a real runtime with one deliberate fault, which the conformance suite must notice.
import type {
  CodeBinding,
  CodeBindingFunction,
  CodeBindingNamespace,
  CodeRun,
  CodeRunRequest,
  CodeRunResult,
  CodeRuntime,
  FrozenRun,
  ThawOptions,
} from '@codeseam/code-runtime';

/** What a fault may do at the seam. Everything it leaves out is the real runtime's. */
interface Meddling {
  request?(request: CodeRunRequest): CodeRunRequest;
  call?(call: CodeBindingFunction): CodeBindingFunction;
  result?(result: CodeRunResult): CodeRunResult;
  run?(run: CodeRun): Partial<CodeRun>;
  runtime?(runtime: CodeRuntime): Partial<CodeRuntime>;
}

/** A fault, and the sentences of the contract that it breaks. */
export interface Fault {
  readonly name: string;
  /** Cases of which each must fail. */
  readonly breaks: readonly string[];
  /** Made anew for each runtime, so that a fault may have a memory. */
  readonly meddle: () => Meddling;
}

const withProgram = (change: (program: string) => string): Meddling => ({
  request: (request) =>
    typeof request?.program === 'string' ? { ...request, program: change(request.program) } : request,
});

export const FAULTS: readonly Fault[] = [
  {
    name: 'calls host functions twice',
    breaks: ['passes arguments and results as JSON'],
    meddle: () => ({
      call: (call) =>
        async function (...args) {
          await call.apply(this, args);
          return call.apply(this, args);
        },
    }),
  },
  {
    name: 'loses the last line of output',
    breaks: ['records console lines in order, each with its level'],
    meddle: () => ({
      result: (result) => ({ ...result, logs: result.logs.slice(0, -1), output: result.output.slice(0, -1) }),
    }),
  },
  {
    name: 'reports every failure as an exception',
    breaks: [
      'fails a value that is not lossless JSON as invalid-output, naming its place',
      'reports a syntax error with its line before anything runs',
    ],
    meddle: () => ({
      result: (result) => (result.error ? { ...result, error: { ...result.error, kind: 'exception' } } : result),
    }),
  },
  {
    name: 'lets a guest choose the kind of its failure',
    breaks: ['lets nothing that a guest throws pass for another kind'],
    meddle: () => ({
      result: (result) =>
        result.error?.message.includes('out of memory')
          ? { ...result, error: { ...result.error, kind: 'memory-limit' } }
          : result,
    }),
  },
  {
    name: 'gives a value beside a failure',
    breaks: ['reports what a program throws, with name, message and place'],
    meddle: () => ({ result: (result) => (result.error ? { ...result, value: null } : result) }),
  },
  {
    name: 'tells the guest where the host failed',
    breaks: ['lets nothing of the host cross with a rejection but its message'],
    meddle: () => ({
      call: (call) =>
        async function (...args) {
          try {
            return await call.apply(this, args);
          } catch (error) {
            throw error instanceof Error ? new Error(error.stack) : error;
          }
        },
    }),
  },
  {
    name: 'never aborts a call',
    breaks: [
      'aborts the calls of a program that failed at once',
      'aborts calls that outlast drainMs, waits abortGraceMs, and drops late results',
    ],
    meddle: () => ({
      call: (call) =>
        function (...args) {
          const { signal } = new AbortController();
          return call.apply({ ...this, id: this.id, path: this.path, signal }, args);
        },
    }),
  },
  {
    name: 'mends lossy results',
    breaks: ['rejects a lossy result with a sentence and its path'],
    meddle: () => ({
      call: (call) =>
        async function (...args) {
          const result = await call.apply(this, args);
          return result === undefined
            ? result
            : JSON.parse(JSON.stringify(result, (_, it) => (typeof it === 'bigint' ? String(it) : it)) ?? 'null');
        },
    }),
  },
  {
    name: 'settles calls in the order they were made',
    breaks: ['settles calls in the order the host does: a race is a real race'],
    meddle: () => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        call: (call) =>
          function (...args) {
            const before = last;
            const result = Promise.resolve(call.apply(this, args));
            last = result.catch(() => {});
            return before.then(() => result);
          },
      };
    },
  },
  {
    name: 'resolves a hold at once and holds nothing',
    breaks: ['holds a program at its next wait and keeps what settles until the release'],
    meddle: () => ({ run: () => ({ hold: async () => 'waiting', release: () => {} }) }),
  },
  {
    name: 'takes any request for a program',
    breaks: ['throws for misuse, saying what is wrong, and runs nothing'],
    meddle: () => ({
      request: (request) =>
        Array.isArray(request?.bindings) && typeof request.program === 'string'
          ? request
          : { program: '', bindings: [] },
    }),
  },
  {
    name: 'clamps limits to what it has',
    breaks: ['takes every limit up to its maximum and refuses more, naming limit, value and range'],
    meddle: () => ({ request: ({ limits: _, ...request }) => request }),
  },
  {
    name: 'carries globals from one run to the next',
    breaks: ['carries nothing from one run to the next'],
    meddle: () => {
      let carried = '';
      return withProgram((program) => {
        const whole = carried + program;
        carried = /globalThis\.leak = \d+;/.exec(program)?.[0] ?? carried;
        return whole;
      });
    },
  },
  {
    name: 'runs programs in strict mode',
    breaks: ['runs programs in sloppy mode and lets them patch what they like'],
    meddle: () => withProgram((program) => `'use strict'; ${program}`),
  },
  {
    name: 'counts lines from its own wrapper',
    breaks: [
      'reports what a program throws, with name, message and place',
      'reports a syntax error with its line before anything runs',
    ],
    meddle: () => withProgram((program) => `\n${program}`),
  },
  {
    name: 'hands over output when all is done',
    breaks: ['hands over each item as it is produced'],
    meddle: () => {
      let tell: CodeRunRequest['onOutput'];
      return {
        request: (request) => {
          tell = request.onOutput;
          return { ...request, onOutput: undefined } as CodeRunRequest;
        },
        result: (result) => {
          for (const item of result.output) tell?.(item);
          return result;
        },
      };
    },
  },
  {
    name: 'counts no calls',
    breaks: ['counts the calls that a program made'],
    meddle: () => ({ result: (result) => ({ ...result, usage: { ...result.usage, calls: 0 } }) }),
  },
  {
    name: 'cuts output in the middle of a code point',
    breaks: ['cuts one long string at a code point'],
    meddle: () => ({
      result: (result) =>
        result.error?.kind === 'output-limit'
          ? { ...result, logs: result.logs.map((line) => line.slice(0, -1)) }
          : result,
    }),
  },
  {
    name: 'does not wait for the calls of a program that has ended',
    breaks: ['lets calls that the program did not await finish before the run ends'],
    meddle: () => ({
      call: (call) =>
        function (...args) {
          void call.apply(this, args);
        },
    }),
  },
  {
    name: 'keeps runs alive when it is disposed',
    breaks: ['ends live runs as abort when it is disposed, and then refuses'],
    meddle: () => ({ runtime: () => ({ dispose: async () => {} }) }),
  },
  {
    name: 'says that it runs what it does not',
    breaks: ['describes itself'],
    meddle: () => ({ runtime: () => ({ languages: ['python'], language: 'typescript' }) }),
  },
  {
    name: 'throws where a frozen run is damaged',
    breaks: ['fails a damaged frozen run as snapshot-restore, never with a crash'],
    meddle: () => ({
      runtime: (runtime) => ({
        thaw(frozen: FrozenRun, options: ThawOptions) {
          JSON.parse(frozen.state);
          return runtime.thaw!(frozen, options);
        },
      }),
    }),
  },
  {
    name: 'settles with nothing a call that nobody settled',
    breaks: ['takes failed, late and missing settlements'],
    meddle: () => ({
      runtime: (runtime) => ({
        thaw(frozen: FrozenRun, options: ThawOptions) {
          const all = Object.fromEntries(
            Array.from({ length: 20 }, (_, seq) => [`call-${seq}`, { ok: true as const, value: null }]),
          );
          return runtime.thaw!(frozen, { ...options, settlements: { ...all, ...options.settlements } });
        },
      }),
    }),
  },
];

/** Puts a fault in front of a runtime. */
export function faultyRuntime(inner: CodeRuntime, fault?: Fault): CodeRuntime {
  const meddling = fault?.meddle() ?? {};
  const start = (request: CodeRunRequest): CodeRun =>
    faultyRun(inner.start(meddledRequest(request, meddling)), meddling);
  const faulty: CodeRuntime = {
    languages: inner.languages,
    language: inner.language,
    isolation: inner.isolation,
    resumable: inner.resumable,
    maxLimits: inner.maxLimits,
    start,
    run: async (request) => start(request).result,
    thaw: (frozen, options) => faultyRun(inner.thaw!(frozen, options), meddling),
    dispose: () => inner.dispose(),
  };
  return Object.assign(faulty, meddling.runtime?.(inner));
}

function meddledRequest(request: CodeRunRequest, meddling: Meddling): CodeRunRequest {
  const changed = meddling.request ? meddling.request(request) : request;
  const { call } = meddling;
  if (!call || !Array.isArray(changed?.bindings)) return changed;
  return {
    ...changed,
    bindings: changed.bindings.map((it: CodeBindingNamespace) =>
      it?.functions ? { ...it, functions: meddledTree(it.functions, call) as never } : it,
    ),
  };
}

function meddledTree(tree: CodeBinding, call: NonNullable<Meddling['call']>): CodeBinding {
  if (typeof tree === 'function') return call(tree);
  if (typeof tree !== 'object' || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map((it) => meddledTree(it, call));
  const copy = Object.create(null) as Record<string, CodeBinding>;
  for (const [name, it] of Object.entries(tree)) {
    Object.defineProperty(copy, name, {
      value: meddledTree(it as CodeBinding, call),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

function faultyRun(run: CodeRun, meddling: Meddling): CodeRun {
  const result = meddling.result ? run.result.then(meddling.result) : run.result;
  result.catch(() => {});
  const over = meddling.run?.(run) ?? {};
  return new Proxy(run, {
    get(target, key) {
      if (key === 'result') return result;
      if (key in over) return over[key as keyof CodeRun];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
