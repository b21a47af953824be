// The vocabulary of the code runtime seam: what a consumer asks of a runtime and what it gets back.
import type { JsonValue } from '@codeseam/lossless-json';

/** A lossless JSON value (see `@codeseam/lossless-json`). */
export type CodeJsonValue = JsonValue;

/** A language that a program may be written in. */
export type CodeLanguage = 'javascript' | 'typescript' | 'python';

/** A place where programs run. It knows nothing of tools: it gets a program and named host functions. */
export interface CodeRuntime {
  /** The languages that `start` accepts. */
  readonly languages: readonly CodeLanguage[];
  /** What an unlabelled program is written for. */
  readonly language: CodeLanguage;
  /** How programs are kept apart: `quickjs-wasi`, `worker-thread`. Informative, not a security claim. */
  readonly isolation: string;
  /** Whether `freeze` and `thaw` work. */
  readonly resumable: boolean;
  /** The largest values that a request may ask for, where the provider has such bounds. */
  readonly maxLimits: Readonly<Partial<CodeRunLimits>>;
  /** Starts a program. Throws only for misuse: a bad or duplicate namespace, an unknown language, a disposed runtime. */
  start(request: CodeRunRequest): CodeRun;
  /** `start(request).result`. */
  run(request: CodeRunRequest): Promise<CodeRunResult>;
  /** Resumes a frozen run, in this process or another one. */
  thaw?(frozen: FrozenRun, options: ThawOptions): CodeRun;
  /** Ends live runs as `abort` and resolves when every worker has exited. Idempotent. */
  dispose(): Promise<void>;
}

/** What a run may use. A provider has a default and a maximum for each; asking for more is misuse. */
export interface CodeRunLimits {
  /** Milliseconds that the guest itself may be busy over the whole run. */
  computeMs: number;
  /** Milliseconds from start to end. */
  wallMs: number;
  /** Bytes of guest heap. */
  memoryLimitBytes: number;
  /** Bytes of logs, output and completion or failure text, counted as JSON, over the whole run. */
  maxOutputBytes: number;
  /** Bytes of one argument list or one result. */
  maxCallBytes: number;
  /** Host calls in flight at once. */
  maxPendingCalls: number;
  /** Host calls that wait in the guest for a free place. */
  maxQueuedCalls: number;
  /** Bytes of a stored image. */
  maxSnapshotBytes: number;
  /** Milliseconds that calls get to start and finish after the program has settled. */
  drainMs: number;
  /** Milliseconds that aborted calls get to end. */
  abortGraceMs: number;
}

/** One program to run, and all that it may reach. */
export interface CodeRunRequest {
  /** The body of an async function: top-level `await` and `return` work. */
  program: string;
  language?: CodeLanguage;
  bindings: readonly CodeBindingNamespace[];
  /** Frozen plain data, each under its own global name. */
  globals?: Readonly<Record<string, CodeJsonValue>>;
  /**
   * Trusted guest code of a consumer: the body of a function with one parameter
   * `host = { emit, control, onValue }`, run once, synchronously, while the base image is built.
   */
  prelude?: CodePrelude;
  limits?: Partial<CodeRunLimits>;
  /** Aborting it ends the run as `abort`. */
  signal?: AbortSignal;
  /** Called with each output item as it is produced. */
  onOutput?: (item: CodeOutputItem) => void;
  /** Given to host functions as `this.context`, so that one frozen tree of functions serves many runs. Never crosses to the guest. */
  context?: unknown;
}

export interface CodePrelude {
  id: string;
  source: string;
}

/** A named object of host functions. */
export interface CodeBindingNamespace {
  global: string;
  functions: Readonly<Record<string, CodeBinding>>;
  /** The guest class that a rejected function rejects with, and the property that holds the member's path. */
  errorClass?: { name: string; memberNameProperty: string };
}

/** A host function, JSON data, or nested arrays and records of them. */
export type CodeBinding =
  | CodeBindingFunction
  | CodeJsonValue
  | readonly CodeBinding[]
  | { readonly [member: string]: CodeBinding };

/** Takes JSON and gives JSON or a promise of it; both are checked at run time. */
export type CodeBindingFunction = (this: CodeCallContext, ...args: any[]) => unknown;

export interface CodeCallContext {
  id: string;
  path: string[];
  /** Aborted when the call is no longer wanted; lives across any parking of the run. */
  signal: AbortSignal;
  /** What the request gave as its `context`. */
  context?: unknown;
}

export type CodeRunState = 'queued' | 'running' | 'waiting' | 'draining' | 'ended';

/** A program that was started. */
export interface CodeRun {
  /** Settles once, at the program's end. A program's failure resolves with `error`. */
  readonly result: Promise<CodeRunResult>;
  /** `queued` only before its first turn; `waiting` also while held, parked, or queued again for a worker. */
  readonly state: CodeRunState;
  /** So far; the same type as `CodeRunResult.usage`. */
  readonly usage: CodeRunUsage;
  /** Calls the listener at each change of state. Gives the undo. */
  onState(listener: (state: CodeRunState) => void): () => void;
  /** Calls the listener when the prelude raises a control. Gives the undo. */
  onControl(listener: (event: CodeControlEvent) => void): () => void;
  /** The calls, timers and controls that the program waits for. */
  pending(): CodePendingCall[];
  /** Ends the run as `abort` or `timeout`. */
  cancel(reason: { kind: 'abort' | 'timeout'; message: string }): void;
  /**
   * At the next wait, gives up thread and VM; unless held, the run goes on by itself when something settles.
   * Resolves with the bytes kept; a provider that cannot park resolves `{ bytes: 0 }`.
   */
  park(): Promise<{ bytes: number }>;
  /** Takes effect at the next wait and resolves then, after all output so far went to `onOutput`. Idempotent. */
  hold(): Promise<'waiting' | 'draining' | 'ended'>;
  /** Delivers what settled while held, in order, and lets the program go on. Idempotent. */
  release(): void;
  /** Only while held and waiting, else rejects. The state becomes `ended` and `result` rejects with `CodeRunFrozen`. */
  freeze(): Promise<FrozenRun>;
}

export interface CodeControlEvent {
  id: string;
  name: string;
  payload: CodeJsonValue;
}

export interface CodePendingCall {
  kind: 'call' | 'timer' | 'control';
  id: string;
  path: string[];
  args: CodeJsonValue[];
  /** Milliseconds since the epoch. */
  startedAt?: number;
  /** Milliseconds since the epoch at which a timer is due. */
  dueAt?: number;
}

export type CodeSettlement = { ok: true; value: CodeJsonValue } | { ok: false; message: string; code?: string };

export interface ThawOptions {
  bindings: readonly CodeBindingNamespace[];
  globals?: Readonly<Record<string, CodeJsonValue>>;
  prelude?: CodePrelude;
  /** By call id. A pending call without one rejects with `outcome unknown`. */
  settlements: Readonly<Record<string, CodeSettlement | Promise<CodeSettlement>>>;
  limits?: Partial<CodeRunLimits>;
  signal?: AbortSignal;
  onOutput?: (item: CodeOutputItem) => void;
  context?: unknown;
}

/** A suspended run as plain data (`structuredClone` and a store keep it whole). */
export interface FrozenRun {
  /** The format and engine that made it; another one refuses it. */
  readonly version: string;
  /** The hash of the base image that `image` is a difference from. */
  readonly base: string;
  /** The compressed difference. */
  readonly image: Uint8Array;
  /** Everything else, as JSON text; the provider's own. */
  readonly state: string;
  /** The calls that it waits for: a thaw takes settlements by their ids. For consumers to read; a thaw reads `state`. */
  readonly calls: readonly { readonly id: string; readonly path: readonly string[] }[];
}

export interface CodeRunResult {
  /** Absent when the program returned nothing. */
  value?: CodeJsonValue;
  /** Console lines, in order. */
  logs: string[];
  output: CodeOutputItem[];
  error?: CodeRunFailure;
  usage: CodeRunUsage;
}

export type CodeOutputItem =
  | { type: 'log'; level: 'log' | 'info' | 'warn' | 'error' | 'debug'; text: string }
  | { type: 'text'; text: string }
  | { type: 'json'; value: CodeJsonValue }
  | { type: 'note'; text: string };

export interface CodeRunUsage {
  computeMs: number;
  wallMs: number;
  peakMemoryBytes?: number;
  /** Host calls made. */
  calls: number;
}

/** The ways a program can end badly; reported independently of each other. */
export const CODE_FAILURE_KINDS = [
  'exception',
  'timeout',
  'abort',
  'worker-exit',
  'invalid-output',
  'output-limit',
  'syntax',
  'module-access',
  'memory-limit',
  'stack-overflow',
  'call-limit',
  'deadlock',
  'snapshot-limit',
  'snapshot-restore',
  'unavailable',
] as const;

export type CodeFailureKind = (typeof CODE_FAILURE_KINDS)[number];

export interface CodeRunFailure {
  kind: CodeFailureKind;
  message: string;
  /** The guest error's name. */
  name?: string;
  /** Guest frames only, headed by `Name: message`. */
  stack?: string;
  /** In the program as sent, from 1. */
  line?: number;
  column?: number;
  /** What to do next. */
  hint?: string;
  /** The host call whose uncaught rejection this is. */
  callId?: string;
}
