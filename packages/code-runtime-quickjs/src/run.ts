// One run as the host sees it: what it waits for, what it has put out, whether it is held, and how it ends.
import {
  type CodeControlEvent,
  type CodePendingCall,
  type CodeRun,
  type CodeRunFailure,
  CodeRunFrozen,
  type CodeRunResult,
  type CodeRunState,
  CodeRuntimeError,
  type CodeRunUsage,
  checkCancel,
  deadlockFailure,
  type FrozenRun,
  followSignal,
  notify,
  OutputLedger,
  parseOutputItem,
  RunStatus,
  RunWaits,
  Waiters,
  wallFailure,
} from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import { acceptTurn } from './accept-turn.ts';
import { type FrozenState, packFrozenRun } from './frozen-run.ts';
import { freezeWaits, thawWaits } from './frozen-waits.ts';
import type { Turn } from './messages.ts';
import { deadThreadFailure, turnFailure } from './program-failure.ts';
import type { FirstTurn, FrozenOrigin, RunOrigin } from './run-origin.ts';
import type { Surroundings } from './surroundings.ts';
import { UsageMeter } from './usage-meter.ts';

/** What a run asks of the scheduler. */
export interface RunHost {
  /** The run has something to do: its first turn, or deliveries. */
  ready(run: QuickJsRun): void;
  /** The run wants to give up its thread, if it has one; `wantsPark` says so until it has. */
  park(run: QuickJsRun): void;
  /** The run's thread has lied: nothing that it does can be believed. */
  condemn(run: QuickJsRun): void;
  /** The run needs no thread, image or place in the queue any more. */
  gone(run: QuickJsRun): void;
}

export class QuickJsRun implements CodeRun {
  readonly id: number;
  readonly surroundings: Surroundings;
  readonly result: Promise<CodeRunResult>;
  readonly #host: RunHost;
  readonly #status = new RunStatus();
  readonly #waits: RunWaits;
  readonly #ledger: OutputLedger;
  readonly #meter = new UsageMeter();
  readonly #holders = new Waiters<'waiting' | 'draining' | 'ended'>();
  /** They are told the size of the image. */
  readonly #parkers = new Waiters<number>();
  #first: FirstTurn | undefined;
  #waitingSince: number | undefined;
  /** A delivery has been heard of, and the run will ask for a turn. */
  #heard = false;
  /** A hold was asked for: it takes effect at the next wait. */
  #holding = false;
  #over = false;
  #unfollowSignal: () => void;
  #settle!: { resolve: (result: CodeRunResult) => void; reject: (error: Error) => void };

  // ---- The scheduler's own notes ----

  /** Whether a turn of guest code is under way. */
  busy = false;
  /** Whether one has ended. */
  hadTurn = false;
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
    const { limits, onOutput, signal } = surroundings;
    const state = 'state' in origin ? origin.state : undefined;
    this.result = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#waits = new RunWaits({
      ...surroundings,
      ...limits,
      madeBefore: state?.usage.calls ?? 0,
      onDelivery: () => this.#hearDelivery(),
    });
    this.#ledger = new OutputLedger({
      maxBytes: limits.maxOutputBytes,
      ...(onOutput ? { onItem: (item) => notify(onOutput, item) } : {}),
      ...(state ? { before: state.output } : {}),
    });
    if ('first' in origin) this.#first = origin.first;
    else this.#thaw(origin);
    const { wallMs } = limits;
    if (wallMs !== undefined) {
      this.#meter.limit(wallMs, () => this.#fail(wallFailure(wallMs)));
    }
    this.#unfollowSignal = this.#followSignal(signal);
  }

  // ---- CodeRun ----

  get state(): CodeRunState {
    return this.#status.state;
  }

  get usage(): CodeRunUsage {
    return this.#meter.usage(this.#waits.calls.made);
  }

  onState(listener: (state: CodeRunState) => void): () => void {
    return this.#status.onState(listener);
  }

  onControl(listener: (event: CodeControlEvent) => void): () => void {
    return this.#status.onControl(listener);
  }

  pending(): CodePendingCall[] {
    return this.state === 'ended' ? [] : this.#waits.pending();
  }

  cancel(reason: { kind: 'abort' | 'timeout'; message: string }): void {
    const failure = checkCancel(reason);
    // Once the program has ended its outcome stands, and only the wait for its calls is cut short.
    if (this.state === 'draining') void this.#waits.calls.abort(failure.message);
    else this.#fail(failure);
  }

  async park(): Promise<{ bytes: number }> {
    if (this.#over) return { bytes: 0 };
    const bytes = this.image ? this.image.length : await this.#askToPark();
    const { maxSnapshotBytes } = this.surroundings.limits;
    if (this.held && !this.#over && bytes > maxSnapshotBytes) this.#fail(snapshotFailure(bytes, maxSnapshotBytes));
    return { bytes };
  }

  hold(): Promise<'waiting' | 'draining' | 'ended'> {
    const { state } = this;
    if (state === 'draining' || state === 'ended') return Promise.resolve(state);
    this.#holding = true;
    if (this.#isWaiting) return Promise.resolve('waiting');
    return this.#holders.wait();
  }

  release(): void {
    if (!this.#holding) return;
    this.#holding = false;
    this.#waits.releaseControls();
    if (this.hasDeliveries && this.#isWaiting) this.#host.ready(this);
  }

  async freeze(): Promise<FrozenRun> {
    this.#mustBeHeld();
    await this.park();
    this.#mustBeHeld();
    const { image, baseHash } = this;
    if (!image || baseHash === undefined) throw notSuspended();
    const frozen = packFrozenRun(image, baseHash, this.#frozenState());
    this.#waits.calls.detach();
    this.#finish();
    this.#meter.stop();
    this.#status.set('ended');
    this.#settle.reject(new CodeRunFrozen());
    return frozen;
  }

  // ---- What the scheduler asks ----

  get ended(): boolean {
    return this.#over;
  }

  get wantsPark(): boolean {
    return this.#parkers.size > 0;
  }

  get computeLeftMs(): number {
    return Math.max(1, this.surroundings.limits.computeMs - this.#meter.computeMs);
  }

  get outputLeftBytes(): number {
    return Math.max(0, this.surroundings.limits.maxOutputBytes - this.#ledger.bytes);
  }

  /** Settlements are kept until the release. */
  get held(): boolean {
    return this.#holding && this.#isWaiting;
  }

  get hasDeliveries(): boolean {
    return this.#waits.deliveries.length > 0 && !this.held && !this.#over;
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
    return `[${this.#waits.takeDeliveries().join(',')}]`;
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
  turnEnds(turn: Turn<JsonValue>): void {
    this.busy = false;
    this.hadTurn = true;
    if (this.#over) return;
    this.#meter.add(turn);
    const end = turn.rest?.end;
    if (end && 'failure' in end) {
      this.#fail(turnFailure(end.failure, this.surroundings.limits.computeMs));
      return;
    }
    const lie = acceptTurn(this.#waits, turn, this.surroundings.limits, (event) => {
      this.#holding = true;
      this.#status.raiseControl(event);
    });
    if (lie) {
      this.#host.condemn(this);
      this.#fail(lie);
    }
    if (this.#over) return;
    if (end) this.#complete(end.value);
    else this.#wait();
  }

  /** The run has given up its thread. */
  parked(image: Uint8Array, base: string): void {
    this.image = image;
    this.imageIsShared = false;
    this.baseHash = base;
    this.#parkers.tell(image.length);
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
    this.#meter.stop();
    this.#status.set('ended');
    this.#holders.tell('ended');
    this.#settle.reject(error);
  }

  // ---- Inside ----

  /** At a wait, and not about to go on. */
  get #isWaiting(): boolean {
    return this.state === 'waiting' && !this.busy;
  }

  #askToPark(): Promise<number> {
    const parked = this.#parkers.wait();
    this.#host.park(this);
    return parked;
  }

  #mustBeHeld(): void {
    if (this.#over || !this.held || !this.#isWaiting) throw notSuspended();
  }

  /** The program waits. */
  #wait(): void {
    this.#waitingSince = performance.now();
    if (this.#waits.areOver) {
      this.#fail(deadlockFailure());
      return;
    }
    this.#status.set('waiting');
    if (this.held) this.#holders.tell('waiting');
    else if (this.hasDeliveries && !this.wantsPark) this.#host.ready(this);
  }

  #hearDelivery(): void {
    if (this.#over || this.#heard || this.busy || this.held) return;
    this.#heard = true;
    // After the microtasks that may settle more for the same turn.
    process.nextTick(() => {
      this.#heard = false;
      if (this.#isWaiting && this.hasDeliveries) this.#host.ready(this);
    });
  }

  #complete(value: JsonValue | undefined): void {
    const overflow = value === undefined ? this.#ledger.overflow : this.#ledger.complete(value);
    if (overflow) {
      this.#fail(overflow);
      return;
    }
    this.#finish();
    if (this.#waits.calls.size === 0) this.#end(value, undefined);
    else this.#drain(this.#waits.calls.drain(), value, undefined);
  }

  #fail(failure: CodeRunFailure): void {
    if (this.#over) return;
    const counted = this.#ledger.fail(failure);
    this.#finish();
    if (this.#waits.calls.size === 0) this.#end(undefined, counted);
    else this.#drain(this.#waits.calls.abort(`the run has ended: ${counted.kind}`), undefined, counted);
  }

  #drain(drained: Promise<unknown>, value: JsonValue | undefined, error: CodeRunFailure | undefined): void {
    const { signal } = this.surroundings;
    if (!signal?.aborted) this.#unfollowSignal = this.#followSignal(signal);
    this.#status.set('draining');
    this.#holders.tell('draining');
    void drained.then(() => this.#end(value, error));
  }

  /** Guest code does not run again. */
  #finish(): void {
    this.#over = true;
    this.#meter.unlimit();
    this.#unfollowSignal();
    this.#waits.clear();
    this.image = undefined;
    this.#first = undefined;
    this.#host.gone(this);
    this.#parkers.tell(0);
  }

  #end(value: JsonValue | undefined, error: CodeRunFailure | undefined): void {
    this.#unfollowSignal();
    this.#meter.stop();
    this.#status.set('ended');
    this.#holders.tell('ended');
    this.#settle.resolve({
      ...(value === undefined ? {} : { value }),
      logs: this.#ledger.logs,
      output: this.#ledger.items,
      ...(error ? { error } : {}),
      usage: this.usage,
    });
  }

  #frozenState(): FrozenState {
    const { limits, namespaces, globals } = this.surroundings;
    return {
      ...freezeWaits(this.#waits),
      output: this.#ledger.items,
      usage: this.#meter.frozen(this.#waits.calls.made),
      limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as Record<
        string,
        number
      >,
      namespaces: namespaces.map(({ global, table }) => ({ global, table: table.text })),
      globals: [...globals.keys()],
    };
  }

  /** Takes up what a frozen run was waiting for. */
  #thaw({ image, base, state, settlements }: FrozenOrigin): void {
    this.image = image;
    this.imageIsShared = true;
    this.baseHash = base;
    this.#meter.thaw(state.usage);
    thawWaits(this.#waits, state, settlements);
    // What is settled already is delivered before a hold can take effect.
    setImmediate(() => {
      if (this.#over) return;
      if (this.hasDeliveries) this.#host.ready(this);
      else this.#wait();
    });
  }

  #followSignal(signal: AbortSignal | undefined): () => void {
    return followSignal(signal, (message) => this.cancel({ kind: 'abort', message }));
  }
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
