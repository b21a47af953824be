// What a conformance case is, and the few verbs that cases are written with.
import assert from 'node:assert/strict';
import type {
  CodeBinding,
  CodeBindingNamespace,
  CodeFailureKind,
  CodeJsonValue,
  CodeRun,
  CodeRunFailure,
  CodeRunRequest,
  CodeRunResult,
  CodeRunState,
  CodeRuntime,
} from '../types.ts';

/** What a case works with. */
export interface CaseTools {
  /** Shared by all cases of a suite. */
  readonly runtime: CodeRuntime;
  /** A runtime of the case's own, disposed after it. */
  open(): Promise<CodeRuntime>;
}

/** One sentence of the contract, and how it is checked. Fails by throwing. */
export interface ConformanceCase {
  readonly name: string;
  /** `isolation`: only for a provider whose guests are hostile. `resumable`: only for one that freezes and thaws. */
  readonly part?: 'isolation' | 'resumable';
  /** Whether the contract asks this of the runtime at all (a language, a limit that it has). */
  readonly applies?: (runtime: CodeRuntime) => boolean;
  run(tools: CaseTools): Promise<void>;
}

/** A program without bindings, or a request without its empty parts. */
export type ShortRequest = string | (Partial<CodeRunRequest> & { program: string });

export function request(short: ShortRequest): CodeRunRequest {
  return typeof short === 'string' ? { program: short, bindings: [] } : { bindings: [], ...short };
}

/** A request whose program has the functions under `tools`. */
export function withTools(
  program: string,
  functions: Record<string, CodeBinding>,
  more: Partial<CodeRunRequest> = {},
): CodeRunRequest {
  return { program, bindings: [tools(functions)], ...more };
}

export function tools(functions: Record<string, CodeBinding>): CodeBindingNamespace {
  return { global: 'tools', functions, errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' } };
}

/** The whole result of a run that must end well. */
export async function finished(runtime: CodeRuntime, short: ShortRequest): Promise<CodeRunResult> {
  const result = await runtime.run(request(short));
  assert.equal(result.error, undefined, `the program failed: ${JSON.stringify(result.error)}`);
  return result;
}

/** The value of a run that must end well. */
export async function value(runtime: CodeRuntime, short: ShortRequest): Promise<CodeJsonValue | undefined> {
  return (await finished(runtime, short)).value;
}

/** The failure of a run that must end badly, in one of the given ways. */
export async function failure(
  runtime: CodeRuntime,
  short: ShortRequest,
  ...kinds: CodeFailureKind[]
): Promise<CodeRunFailure> {
  const result = await runtime.run(request(short));
  return failureOf(result, ...kinds);
}

export function failureOf(result: CodeRunResult, ...kinds: CodeFailureKind[]): CodeRunFailure {
  assert.ok(result.error, `the program ended well, with ${JSON.stringify(result.value)?.slice(0, 200)}`);
  assert.ok(
    kinds.includes(result.error.kind),
    `failed as ${result.error.kind} (${result.error.message}), not as ${kinds.join(' or ')}`,
  );
  assert.ok(!('value' in result) || result.value === undefined, 'a failed run has no value');
  assert.equal(typeof result.error.message, 'string');
  assert.notEqual(result.error.message, '');
  return result.error;
}

/** Resolves when the run is in the state, or was. */
export function reached(run: CodeRun, state: CodeRunState): Promise<void> {
  return new Promise((resolve) => {
    if (run.state === state) return resolve();
    const stop = run.onState((now) => {
      if (now !== state) return;
      stop();
      resolve();
    });
  });
}

/** A promise with its ends outside. */
export interface Gate<T> {
  readonly promise: Promise<T>;
  open(value: T): void;
  fail(reason: unknown): void;
}

export function gate<T = CodeJsonValue>(): Gate<T> {
  let open!: (value: T) => void;
  let fail!: (reason: unknown) => void;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  promise.catch(() => {});
  return { promise, open, fail };
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The error that a call throws or a promise rejects with. */
export async function thrown(work: () => unknown): Promise<Error & { code?: string }> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof Error, 'an Error is thrown');
    return error;
  }
  return assert.fail('nothing was thrown');
}
