// One run as the host sees it: what it waits for, what it has put out, whether it is held, and how it ends.
import {
  type CallOutcome,
  type CheckedSurroundings,
  type CodeControlEvent,
  type CodeFailureKind,
  type CodePendingCall,
  type CodeRun,
  type CodeRunFailure,
  CodeRunFrozen,
  type CodeRunResult,
  type CodeRunState,
  CodeRuntimeError,
  type CodeRunUsage,
  type FrozenRun,
  HostCalls,
  notify,
  OutputLedger,
  RunStatus,
} from '@codeseam/code-runtime';
import { type JsonValue, parseWrittenJson } from '@codeseam/lossless-json';
import { GuestTimers } from './guest-timers.ts';
import type { RuntimeLimits } from './limits.ts';
import type { TurnReport } from './messages.ts';
import { programFailure } from './program-failure.ts';
import { readOutputItem } from './read-message.ts';

/** What a run asks of the scheduler. */
export interface RunHost {
  /** The run has something to do: its first turn, or deliveries. */
  ready(run: QuickJsRun): void;
  /** The run needs no thread, image or place in the queue any more. */
  gone(run: QuickJsRun): void;
}

export type Surroundings = CheckedSurroundings<RuntimeLimits>;

export interface RunOptions {
  readonly id: number;
  readonly surroundings: Surroundings;
  readonly host: RunHost;
}

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
  #deliveries: string[] = [];
  #computeMs = 0;
  #heapBytes = 0;
  #wallMs: number | undefined;
  #holding = false;
  #holdWaiters: ((state: 'waiting' | 'draining' | 'ended') => void)[] = [];
  #wallTimer: NodeJS.Timeout | undefined;
  #over = false;
  #settle!: { resolve: (result: CodeRunResult) => void; reject: (error: Error) => void };

  constructor({ id, surroundings, host }: RunOptions) {
    this.id = id;
    this.surroundings = surroundings;
    this.#host = host;
    const { limits, namespaces, onOutput, context, signal } = surroundings;
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
    });
    this.#timers = new GuestTimers((seq) => this.#deliver(`[${seq}]`));
    this.#ledger = new OutputLedger({
      maxBytes: limits.maxOutputBytes,
      ...(onOutput ? { onItem: (item) => notify(onOutput, item) } : {}),
    });
    if (limits.wallMs !== undefined) this.#armWallTimer(limits.wallMs);
    if (signal) this.#followSignal(signal);
  }

  // ---- CodeRun ----

  get state(): CodeRunState {
    return this.#status.state;
  }

  get usage(): CodeRunUsage {
    return {
      computeMs: this.#computeMs,
      wallMs: this.#wallMs ?? performance.now() - this.#startedAt,
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
    this.#fail({ kind, message });
  }

  park(): Promise<{ bytes: number }> {
    return Promise.resolve({ bytes: 0 });
  }

  hold(): Promise<'waiting' | 'draining' | 'ended'> {
    const { state } = this;
    if (state === 'draining' || state === 'ended') return Promise.resolve(state);
    this.#holding = true;
    if (state === 'waiting' && !this.busy) return Promise.resolve(state);
    return new Promise((resolve) => this.#holdWaiters.push(resolve));
  }

  release(): void {
    if (!this.#holding) return;
    this.#holding = false;
    for (const seq of this.#controls.keys()) this.#deliveries.push(`[${seq}]`);
    this.#controls.clear();
    if (this.hasDeliveries && !this.busy) this.#host.ready(this);
  }

  freeze(): Promise<FrozenRun> {
    return Promise.reject(new CodeRuntimeError('not-suspended', 'this run is not held and waiting'));
  }

  // ---- What the scheduler asks ----

  /** Whether a turn of guest code is under way, or about to be. */
  busy = false;

  get ended(): boolean {
    return this.#over;
  }

  get computeLeftMs(): number {
    return Math.max(1, this.surroundings.limits.computeMs - this.#computeMs);
  }

  get outputLeftBytes(): number {
    return Math.max(0, this.surroundings.limits.maxOutputBytes - this.#ledger.bytes);
  }

  get hasDeliveries(): boolean {
    return this.#deliveries.length > 0 && !this.#holding && !this.#over;
  }

  /** What the next turn delivers, as JSON text; taken away from the run. */
  takeDeliveries(): string {
    const items = `[${this.#deliveries.join(',')}]`;
    this.#deliveries = [];
    return items;
  }

  turnBegins(): void {
    this.busy = true;
    this.#status.set('running');
  }

  output(items: readonly string[]): void {
    if (this.#over) return;
    for (const text of items) {
      const item = readOutputItem(text);
      if (item && !this.#ledger.add(item)) break;
    }
    if (this.#ledger.overflow) this.#fail(this.#ledger.overflow);
  }

  /** A turn of guest code is over. */
  turnEnds(report: TurnReport, texts: readonly string[]): void {
    this.busy = false;
    if (this.#over) return;
    this.#computeMs += report.computeMs;
    this.#heapBytes = Math.max(this.#heapBytes, report.heapBytes);
    if (report.end && 'failure' in report.end) {
      this.#fail(programFailure(report.end.failure));
      return;
    }
    this.#accept(report, texts);
    if (this.#over) return;
    if (report.end) this.#complete(report.end.hasValue ? texts[texts.length - 1] : undefined);
    else this.#wait();
  }

  /** The thread that ran this run has died. */
  threadDied(failure: { kind: CodeFailureKind; message: string; hint?: string }): void {
    this.busy = false;
    this.#fail(failure);
  }

  /** The run cannot be started at all. */
  refuse(error: CodeRuntimeError): void {
    if (this.#over) return;
    this.#finish();
    this.#status.set('ended');
    this.#settle.reject(error);
  }

  // ---- Inside ----

  #accept(report: TurnReport, texts: readonly string[]): void {
    const now = Date.now();
    for (const seq of report.cleared) this.#timers.clear(seq);
    if (!report.end)
      for (const { seq, delay } of report.timers) if (!report.cleared.includes(seq)) this.#timers.set(seq, now + delay);
    report.calls.forEach(({ seq, namespace, path }, index) => {
      const global = this.surroundings.namespaces[namespace]?.global;
      if (global !== undefined) this.#calls.accept(seq, [global, ...path], texts[index]!);
    });
    if (report.end) return;
    report.controls.forEach(({ seq, name }, index) => {
      const payload = parseWrittenJson(texts[report.calls.length + index]!);
      const event = { id: `control-${seq}`, name, payload };
      this.#controls.set(seq, event);
      this.#holding = true;
      this.#status.raiseControl(event);
    });
  }

  /** The program waits. */
  #wait(): void {
    if (this.#calls.size + this.#timers.size + this.#controls.size + this.#deliveries.length === 0) {
      this.#fail({
        kind: 'deadlock',
        message: 'the program waits for a promise that nothing can settle',
        hint: 'no call, timer or job is left; resolve the promise, or do not await it',
      });
      return;
    }
    this.#status.set('waiting');
    if (this.#holding) this.#tellHolders('waiting');
    if (this.hasDeliveries && !this.busy) this.#host.ready(this);
  }

  #deliver(item: string): void {
    if (this.#over) return;
    this.#deliveries.push(item);
    if (this.#deliveries.length > 1 || this.busy || this.#holding) return;
    // After the microtasks that may settle more of the same turn.
    process.nextTick(() => {
      if (this.hasDeliveries && !this.busy) this.#host.ready(this);
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
    if (this.#calls.size === 0) {
      this.#end(value, undefined);
      return;
    }
    this.#status.set('draining');
    this.#tellHolders('draining');
    void this.#calls.drain().then(() => this.#end(value, undefined));
  }

  #fail(failure: CodeRunFailure): void {
    if (this.#over) return;
    const counted = this.#ledger.fail(failure);
    this.#finish();
    if (this.#calls.size === 0) {
      this.#end(undefined, counted);
      return;
    }
    this.#status.set('draining');
    this.#tellHolders('draining');
    void this.#calls.abort(`the run has failed: ${counted.kind}`).then(() => this.#end(undefined, counted));
  }

  /** Guest code does not run again. */
  #finish(): void {
    this.#over = true;
    clearTimeout(this.#wallTimer);
    this.#unfollowSignal?.();
    this.#timers.clearAll();
    this.#controls.clear();
    this.#deliveries = [];
    this.#host.gone(this);
  }

  #end(value: JsonValue | undefined, error: CodeRunFailure | undefined): void {
    this.#wallMs = performance.now() - this.#startedAt;
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

  #armWallTimer(wallMs: number): void {
    this.#wallTimer = setTimeout(() => {
      this.#fail({ kind: 'timeout', message: `the run took longer than its wallMs of ${wallMs}` });
    }, wallMs);
  }

  #unfollowSignal: (() => void) | undefined;

  #followSignal(signal: AbortSignal): void {
    const abort = () => this.#fail({ kind: 'abort', message: abortText(signal.reason) });
    if (signal.aborted) {
      queueMicrotask(abort);
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    this.#unfollowSignal = () => signal.removeEventListener('abort', abort);
  }
}

/** One item of the guest's `Delivery` list as JSON text. */
function deliveryText(seq: number, outcome: CallOutcome): string {
  if (outcome.ok) return outcome.json === undefined ? `[${seq}]` : `[${seq},${outcome.json}]`;
  return JSON.stringify([seq, 0, outcome.message, outcome.code ?? null, outcome.member ?? null]);
}

function abortText(reason: unknown): string {
  try {
    const message: unknown = reason instanceof Error ? reason.message : reason;
    return typeof message === 'string' && message !== '' ? `the run was aborted: ${message}` : 'the run was aborted';
  } catch {
    return 'the run was aborted';
  }
}
void CodeRunFrozen;
