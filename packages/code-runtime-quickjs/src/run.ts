// One run as the host sees it: what it waits for, what it has put out, whether it is held, and how it ends.
import {
  abortMessage,
  type CallOutcome,
  type CheckedSurroundings,
  type CodeControlEvent,
  type CodePendingCall,
  type CodeRun,
  type CodeRunFailure,
  CodeRunFrozen,
  type CodeRunResult,
  type CodeRunState,
  CodeRuntimeError,
  type CodeRunUsage,
  type CodeSettlement,
  callId,
  type FrozenRun,
  HostCalls,
  notify,
  OutputLedger,
  RunStatus,
} from '@codeseam/code-runtime';
import { type JsonValue, parseWrittenJson, stringifyJson } from '@codeseam/lossless-json';
import { type FrozenState, packFrozenRun } from './frozen-run.ts';
import { GuestTimers } from './guest-timers.ts';
import type { RuntimeLimits } from './limits.ts';
import type { Turn } from './messages.ts';
import { deadThreadFailure, programFailure } from './program-failure.ts';
import { parseOutputItem } from './read-message.ts';
import { readPath } from './read-path.ts';

/** What a run asks of the scheduler. */
export interface RunHost {
  /** The run has something to do: its first turn, or deliveries. */
  ready(run: QuickJsRun): void;
  /** The run wants to give up its thread, if it has one; `wantsPark` says so until it has. */
  park(run: QuickJsRun): void;
  /** The run needs no thread, image or place in the queue any more. */
  gone(run: QuickJsRun): void;
}

export type Surroundings = CheckedSurroundings<RuntimeLimits>;

/** The first turn of a run. */
export interface FirstTurn {
  readonly program: string;
  readonly language: 'javascript' | 'typescript' | undefined;
  /** JSON text of the guest's `RunSetup`. */
  readonly setup: string;
}

/** What a run begins with. */
export type RunOrigin =
  | { readonly first: FirstTurn }
  | {
      readonly image: Uint8Array;
      readonly base: string;
      readonly state: FrozenState;
      readonly settlements: Readonly<Record<string, CodeSettlement | Promise<CodeSettlement>>>;
    };

export class QuickJsRun implements CodeRun {
  readonly id: number;
  readonly surroundings: Surroundings;
  readonly result: Promise<CodeRunResult>;
  readonly #host: RunHost;
  readonly #status = new RunStatus();
  readonly #calls: HostCalls;
  readonly #timers: GuestTimers;
  readonly #ledger: OutputLedger;
  readonly #controls = new Map<number, CodeControlEvent>();
  readonly #startedAt = performance.now();
  #first: FirstTurn | undefined;
  #deliveries: string[] = [];
  #computeMs = 0;
  #heapBytes = 0;
  #earlierMs = 0;
  #wallMs: number | undefined;
  #waitingSince: number | undefined;
  /** A hold was asked for: it takes effect at the next wait. */
  #holding = false;
  #over = false;
  #holdWaiters: ((state: 'waiting' | 'draining' | 'ended') => void)[] = [];
  #parkWaiters: ((bytes: number) => void)[] = [];
  #wallTimer: NodeJS.Timeout | undefined;
  #unfollowSignal: (() => void) | undefined;
  #settle!: { resolve: (result: CodeRunResult) => void; reject: (error: Error) => void };

  // ---- The scheduler's own notes ----

  /** Whether a turn of guest code is under way. */
  busy = false;
  /** The image, while the run has no thread. */
  image: Uint8Array | undefined;
  /** Whether others may hold the image's bytes too. */
  imageIsShared = false;
  /** The hash of the base image that the run's memory is compared with. */
  baseHash: string | undefined;

  constructor(id: number, surroundings: Surroundings, host: RunHost, origin: RunOrigin) {
    this.id = id;
    this.surroundings = surroundings;
    this.#host = host;
    const { limits, namespaces, onOutput, context, signal } = surroundings;
    const state = 'state' in origin ? origin.state : undefined;
    this.result = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#calls = new HostCalls({
      namespaces,
      maxPendingCalls: limits.maxPendingCalls,
      maxCallBytes: limits.maxCallBytes,
      drainMs: limits.drainMs,
      abortGraceMs: limits.abortGraceMs,
      context,
      onSettled: (seq, outcome) => this.#deliver(deliveryText(seq, outcome)),
      ...(state ? { madeBefore: state.usage.calls } : {}),
    });
    this.#timers = new GuestTimers((seq) => this.#deliver(`[${seq}]`));
    this.#ledger = new OutputLedger({
      maxBytes: limits.maxOutputBytes,
      ...(onOutput ? { onItem: (item) => notify(onOutput, item) } : {}),
      ...(state ? { before: state.output } : {}),
    });
    if ('first' in origin) this.#first = origin.first;
    else this.#thaw(origin);
    if (limits.wallMs !== undefined) this.#armWallTimer(limits.wallMs, this.#earlierMs);
    if (signal) this.#followSignal(signal);
  }

  // ---- CodeRun ----

  get state(): CodeRunState {
    return this.#status.state;
  }

  get usage(): CodeRunUsage {
    return {
      computeMs: this.#computeMs,
      wallMs: this.#wallMs ?? this.#elapsedMs(),
      ...(this.#heapBytes > 0 ? { peakMemoryBytes: this.#heapBytes } : {}),
      calls: this.#calls.made,
    };
  }

  onState(listener: (state: CodeRunState) => void): () => void {
    return this.#status.onState(listener);
  }

  onControl(listener: (event: CodeControlEvent) => void): () => void {
    return this.#status.onControl(listener);
  }

  pending(): CodePendingCall[] {
    if (this.state === 'ended') return [];
    const controls = [...this.#controls.values()].map(
      ({ id, name, payload }): CodePendingCall => ({ kind: 'control', id, path: [name], args: [payload] }),
    );
    return [...this.#calls.pending(), ...this.#timers.pending(), ...controls];
  }

  cancel({ kind, message }: { kind: 'abort' | 'timeout'; message: string }): void {
    if (kind !== 'abort' && kind !== 'timeout') {
      throw new CodeRuntimeError('invalid-request', 'cancel takes { kind: "abort" | "timeout", message }');
    }
    // Once the program has ended its outcome stands, and only the wait for its calls is cut short.
    if (this.state === 'draining') void this.#calls.abort(String(message));
    else this.#fail({ kind, message: String(message) });
  }

  async park(): Promise<{ bytes: number }> {
    if (this.#over) return { bytes: 0 };
    const bytes = this.image
      ? this.image.length
      : await new Promise<number>((resolve) => {
          this.#parkWaiters.push(resolve);
          this.#host.park(this);
        });
    const { maxSnapshotBytes } = this.surroundings.limits;
    if (this.held && !this.#over && bytes > maxSnapshotBytes) this.#fail(snapshotFailure(bytes, maxSnapshotBytes));
    return { bytes };
  }

  hold(): Promise<'waiting' | 'draining' | 'ended'> {
    const { state } = this;
    if (state === 'draining' || state === 'ended') return Promise.resolve(state);
    this.#holding = true;
    if (this.#isWaiting) return Promise.resolve('waiting');
    return new Promise((resolve) => this.#holdWaiters.push(resolve));
  }

  release(): void {
    if (!this.#holding) return;
    this.#holding = false;
    for (const seq of this.#controls.keys()) this.#deliveries.push(`[${seq}]`);
    this.#controls.clear();
    if (this.hasDeliveries && this.#isWaiting) this.#host.ready(this);
  }

  async freeze(): Promise<FrozenRun> {
    this.#mustBeHeld();
    await this.park();
    this.#mustBeHeld();
    const { image, baseHash } = this;
    if (!image || baseHash === undefined) throw notSuspended();
    const frozen = packFrozenRun(image, baseHash, this.#frozenState());
    this.#calls.detach();
    this.#finish();
    this.#wallMs = this.#elapsedMs();
    this.#status.set('ended');
    this.#settle.reject(new CodeRunFrozen());
    return frozen;
  }

  // ---- What the scheduler asks ----

  get ended(): boolean {
    return this.#over;
  }

  get wantsPark(): boolean {
    return this.#parkWaiters.length > 0;
  }

  get computeLeftMs(): number {
    return Math.max(1, this.surroundings.limits.computeMs - this.#computeMs);
  }

  get outputLeftBytes(): number {
    return Math.max(0, this.surroundings.limits.maxOutputBytes - this.#ledger.bytes);
  }

  /** Settlements are kept until the release. */
  get held(): boolean {
    return this.#holding && this.#isWaiting;
  }

  get hasDeliveries(): boolean {
    return this.#deliveries.length > 0 && !this.held && !this.#over;
  }

  /** For how long the wait lasted that has just ended; `undefined` before the first. */
  get waitedMs(): number | undefined {
    return this.#waitingSince === undefined ? undefined : performance.now() - this.#waitingSince;
  }

  takeProgram(): FirstTurn {
    const first = this.#first!;
    this.#first = undefined;
    return first;
  }

  /** What the next turn delivers, as JSON text; taken away from the run. */
  takeDeliveries(): string {
    const items = `[${this.#deliveries.join(',')}]`;
    this.#deliveries = [];
    return items;
  }

  turnBegins(): void {
    this.busy = true;
    // A run that has only just been started is seen as queued by whoever started it.
    if (this.state !== 'queued') this.#status.set('running');
    else queueMicrotask(() => this.#status.set(this.busy ? 'running' : this.state));
  }

  output(items: readonly string[]): void {
    if (this.#over) return;
    for (const text of items) {
      const item = parseOutputItem(text);
      if (item && !this.#ledger.add(item)) break;
    }
    if (this.#ledger.overflow) this.#fail(this.#ledger.overflow);
  }

  /** A turn of guest code is over. */
  turnEnds(turn: Turn): void {
    this.busy = false;
    if (this.#over) return;
    this.#computeMs += turn.computeMs;
    this.#heapBytes = Math.max(this.#heapBytes, turn.heapBytes);
    const end = turn.rest?.end;
    if (end && 'failure' in end) {
      this.#fail(programFailure(end.failure, this.surroundings.limits.computeMs));
      return;
    }
    this.#accept(turn);
    if (this.#over) return;
    if (end) this.#complete(end.value);
    else this.#wait();
  }

  /** The run has given up its thread. */
  parked(image: Uint8Array, base: string): void {
    this.image = image;
    this.imageIsShared = false;
    this.baseHash = base;
    this.#tellParkers(image.length);
  }

  /** The thread that ran this run has died. */
  threadDied(why: 'timeout' | 'worker-exit'): void {
    this.busy = false;
    this.#fail(deadThreadFailure(why, this.surroundings.limits.computeMs));
  }

  /** The run never gets a thread. */
  turnAway(failure: CodeRunFailure): void {
    this.#fail(failure);
  }

  /** The run cannot be started at all: misuse that shows late. */
  refuse(error: CodeRuntimeError): void {
    if (this.#over) return;
    this.#finish();
    this.#wallMs = this.#elapsedMs();
    this.#status.set('ended');
    this.#tellHolders('ended');
    this.#settle.reject(error);
  }

  // ---- Inside ----

  /** At a wait, and not about to go on. */
  get #isWaiting(): boolean {
    return this.state === 'waiting' && !this.busy;
  }

  #mustBeHeld(): void {
    if (this.#over || !this.held || !this.#isWaiting) throw notSuspended();
  }

  #elapsedMs(): number {
    return this.#earlierMs + performance.now() - this.#startedAt;
  }

  #accept({ calls, rest }: Turn): void {
    for (const { seq, namespace, path, args } of calls) {
      const global = this.surroundings.namespaces[namespace]?.global;
      const members = readPath(path);
      if (global !== undefined && members) this.#calls.accept(seq, [global, ...members], args);
    }
    if (!rest) return;
    for (const seq of rest.cleared) this.#timers.clear(seq);
    if (rest.end) return;
    const now = Date.now();
    const cleared = new Set(rest.cleared);
    for (const { seq, delay } of rest.timers) if (!cleared.has(seq)) this.#timers.set(seq, now + delay);
    for (const { seq, name, payload } of rest.controls) {
      const event = { id: controlId(seq), name, payload: parseWrittenJson(payload) };
      this.#controls.set(seq, event);
      this.#holding = true;
      this.#status.raiseControl(event);
    }
  }

  /** The program waits. */
  #wait(): void {
    this.#waitingSince = performance.now();
    if (this.#calls.size + this.#timers.size + this.#controls.size + this.#deliveries.length === 0) {
      this.#fail({
        kind: 'deadlock',
        message: 'the program waits for a promise that nothing can settle',
        hint: 'no call, timer or job is left; resolve the promise, or do not await it',
      });
      return;
    }
    this.#status.set('waiting');
    if (this.held) this.#tellHolders('waiting');
    else if (this.hasDeliveries && !this.wantsPark) this.#host.ready(this);
  }

  #deliver(item: string): void {
    if (this.#over) return;
    this.#deliveries.push(item);
    if (this.#deliveries.length > 1 || this.busy || this.held) return;
    // After the microtasks that may settle more for the same turn.
    process.nextTick(() => {
      if (this.#isWaiting && this.hasDeliveries) this.#host.ready(this);
    });
  }

  #complete(valueText: string | undefined): void {
    const value = valueText === undefined ? undefined : parseWrittenJson(valueText);
    const overflow = value === undefined ? this.#ledger.overflow : this.#ledger.complete(value);
    if (overflow) {
      this.#fail(overflow);
      return;
    }
    this.#finish();
    if (this.#calls.size === 0) this.#end(value, undefined);
    else this.#drain(this.#calls.drain(), value, undefined);
  }

  #fail(failure: CodeRunFailure): void {
    if (this.#over) return;
    const counted = this.#ledger.fail(failure);
    this.#finish();
    if (this.#calls.size === 0) this.#end(undefined, counted);
    else this.#drain(this.#calls.abort(`the run has ended: ${counted.kind}`), undefined, counted);
  }

  #drain(drained: Promise<unknown>, value: JsonValue | undefined, error: CodeRunFailure | undefined): void {
    const { signal } = this.surroundings;
    if (signal && !signal.aborted) this.#followSignal(signal);
    this.#status.set('draining');
    this.#tellHolders('draining');
    void drained.then(() => this.#end(value, error));
  }

  /** Guest code does not run again. */
  #finish(): void {
    this.#over = true;
    clearTimeout(this.#wallTimer);
    this.#unfollowSignal?.();
    this.#timers.clearAll();
    this.#controls.clear();
    this.#deliveries = [];
    this.image = undefined;
    this.#first = undefined;
    this.#host.gone(this);
    this.#tellParkers(0);
  }

  #end(value: JsonValue | undefined, error: CodeRunFailure | undefined): void {
    this.#unfollowSignal?.();
    this.#wallMs = this.#elapsedMs();
    this.#status.set('ended');
    this.#tellHolders('ended');
    this.#settle.resolve({
      ...(value === undefined ? {} : { value }),
      logs: this.#ledger.logs,
      output: this.#ledger.items,
      ...(error ? { error } : {}),
      usage: this.usage,
    });
  }

  #tellHolders(state: 'waiting' | 'draining' | 'ended'): void {
    const waiters = this.#holdWaiters;
    this.#holdWaiters = [];
    for (const tell of waiters) tell(state);
  }

  #tellParkers(bytes: number): void {
    const waiters = this.#parkWaiters;
    this.#parkWaiters = [];
    for (const tell of waiters) tell(bytes);
  }

  #frozenState(): FrozenState {
    const { limits, namespaces, globals } = this.surroundings;
    return {
      calls: this.#calls.pending().map(({ id, path, args, startedAt }) => ({
        seq: seqOf(id),
        path,
        args: stringifyJson(args),
        startedAt: startedAt ?? Date.now(),
      })),
      timers: this.#timers.entries(),
      controls: [...this.#controls].map(([seq, { name, payload }]) => ({ seq, name, payload })),
      deliveries: this.#deliveries,
      output: this.#ledger.items,
      usage: {
        computeMs: this.#computeMs,
        wallMs: this.#elapsedMs(),
        heapBytes: this.#heapBytes,
        calls: this.#calls.made,
      },
      limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as Record<
        string,
        number
      >,
      namespaces: namespaces.map(({ global, table }) => ({ global, table: table.text })),
      globals: [...globals.keys()],
    };
  }

  /** Takes up what a frozen run was waiting for. */
  #thaw({ image, base, state, settlements }: Exclude<RunOrigin, { first: FirstTurn }>): void {
    this.image = image;
    this.imageIsShared = true;
    this.baseHash = base;
    this.#computeMs = state.usage.computeMs;
    this.#earlierMs = state.usage.wallMs;
    this.#heapBytes = state.usage.heapBytes;
    for (const item of state.deliveries) this.#deliver(item);
    for (const { seq } of state.controls) this.#deliver(`[${seq}]`);
    for (const { seq, path, args, startedAt } of state.calls) {
      const id = callId(seq);
      const settlement = Object.hasOwn(settlements, id) ? settlements[id]! : OUTCOME_UNKNOWN;
      this.#calls.adopt({ seq, path, argsJson: args, startedAt }, settlement);
    }
    for (const [seq, dueAt] of state.timers) this.#timers.set(seq, dueAt);
    // What is settled already is delivered before a hold can take effect.
    setImmediate(() => {
      if (this.#over) return;
      if (this.hasDeliveries) this.#host.ready(this);
      else this.#wait();
    });
  }

  #armWallTimer(wallMs: number, spentMs: number): void {
    const fail = () => this.#fail({ kind: 'timeout', message: `the run took longer than its wallMs of ${wallMs}` });
    this.#wallTimer = setTimeout(fail, Math.max(0, wallMs - spentMs));
  }

  #followSignal(signal: AbortSignal): void {
    const abort = () => this.cancel({ kind: 'abort', message: abortMessage(signal) });
    if (signal.aborted) {
      queueMicrotask(abort);
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    this.#unfollowSignal = () => signal.removeEventListener('abort', abort);
  }
}

const OUTCOME_UNKNOWN: CodeSettlement = { ok: false, message: 'outcome unknown: the run was restored without it' };

/** One item of the guest's `Delivery` list as JSON text. */
function deliveryText(seq: number, outcome: CallOutcome): string {
  if (outcome.ok) return outcome.json === undefined ? `[${seq}]` : `[${seq},${outcome.json}]`;
  return JSON.stringify([seq, 0, outcome.message, outcome.code ?? null, outcome.member ?? null]);
}

function controlId(seq: number): string {
  return `control-${seq}`;
}

/** The number in an id that `callId` made. */
function seqOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

function notSuspended(): CodeRuntimeError {
  return new CodeRuntimeError(
    'not-suspended',
    'only a run that is held and waiting can be frozen',
    'await hold() first',
  );
}

function snapshotFailure(bytes: number, limit: number): CodeRunFailure {
  return {
    kind: 'snapshot-limit',
    message: `the program's image has ${bytes} bytes, over its maxSnapshotBytes of ${limit}`,
    hint: 'keep less data across a call',
  };
}
