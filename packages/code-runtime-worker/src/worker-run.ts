// One run: a fresh thread, its port, and the order in which everything about them ends.
import {
  busyFailure,
  type CodeControlEvent,
  type CodeJsonValue,
  type CodeOutputItem,
  type CodePendingCall,
  type CodeRun,
  type CodeRunFailure,
  type CodeRunResult,
  type CodeRunState,
  CodeRuntimeError,
  type CodeRunUsage,
  checkCancel,
  type FrozenRun,
  notify,
  OutputLedger,
  parseOutputItem,
  programFailure,
  RunStatus,
  RunWaits,
  Waiters,
  wallFailure,
} from '@codeseam/code-runtime';
import { exitFailure } from './exit-failure.ts';
import type { ThreadMessage } from './messages.ts';
import { prepareProgram } from './prepare-program.ts';
import { RunThread } from './run-thread.ts';
import type { WorkerRequest } from './worker-request.ts';

/** How a program ended: with a value, with nothing, or with a failure. */
type Outcome = { readonly value?: CodeJsonValue } | { readonly failure: CodeRunFailure };

export class WorkerRun implements CodeRun {
  readonly result: Promise<CodeRunResult>;
  /** Resolves when the run is over and its thread has exited. */
  readonly ended: Promise<void>;
  readonly #request: WorkerRequest;
  readonly #status = new RunStatus();
  readonly #ledger: OutputLedger;
  readonly #waits: RunWaits;
  readonly #holders = new Waiters<'waiting' | 'draining' | 'ended'>();
  readonly #startedAt = performance.now();
  #thread: RunThread | undefined;
  #outcome: Outcome | undefined;
  #usage: CodeRunUsage | undefined;
  /** The program runs: nothing can be said of its request any more. */
  #started = false;
  /** Deliveries are kept until the release. */
  #held = false;
  #sent = 0;
  #idle = false;
  #wallTimer: NodeJS.Timeout | undefined;
  #resolve!: (result: CodeRunResult) => void;
  #reject!: (error: CodeRuntimeError) => void;
  #over!: () => void;

  constructor(request: WorkerRequest) {
    this.#request = request;
    const { limits, onOutput } = request;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.ended = new Promise((resolve) => {
      this.#over = resolve;
    });
    this.#ledger = new OutputLedger({
      maxBytes: limits.maxOutputBytes,
      ...(onOutput ? { onItem: (item) => notify(onOutput, item) } : {}),
    });
    this.#waits = new RunWaits({
      namespaces: request.namespaces,
      maxPendingCalls: Number.POSITIVE_INFINITY,
      maxCallBytes: Number.POSITIVE_INFINITY,
      drainMs: limits.drainMs,
      abortGraceMs: limits.abortGraceMs,
      context: request.context,
      onDelivery: () => this.#deliver(),
    });
    if (limits.wallMs !== undefined) {
      const failure = wallFailure(limits.wallMs);
      this.#wallTimer = setTimeout(() => this.#endEarly(failure), limits.wallMs);
    }
    queueMicrotask(() => this.#begin());
  }

  get state(): CodeRunState {
    return this.#status.state;
  }

  get usage(): CodeRunUsage {
    return (
      this.#usage ?? {
        computeMs: this.#thread?.busyMs ?? 0,
        wallMs: performance.now() - this.#startedAt,
        calls: this.#waits.calls.made,
      }
    );
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
    this.#endEarly(checkCancel(reason));
  }

  /** This provider keeps the thread of a waiting program. */
  async park(): Promise<{ bytes: number }> {
    if (!this.#outcome && this.state !== 'waiting') await this.#holders.wait();
    return { bytes: 0 };
  }

  async hold(): Promise<'waiting' | 'draining' | 'ended'> {
    if (this.#outcome) return this.state === 'ended' ? 'ended' : 'draining';
    this.#held = true;
    return this.state === 'waiting' ? 'waiting' : this.#holders.wait();
  }

  release(): void {
    if (this.#outcome || !this.#held) return;
    this.#held = false;
    this.#waits.releaseControls();
    this.#deliver();
  }

  async freeze(): Promise<FrozenRun> {
    throw new CodeRuntimeError(
      'not-resumable',
      'a run in a worker thread cannot be frozen',
      'use a runtime that is resumable, such as @codeseam/code-runtime-quickjs',
    );
  }

  #begin(): void {
    if (this.#outcome) return;
    const prepared = prepareProgram(this.#request);
    if ('failure' in prepared) {
      this.#end(prepared);
      return;
    }
    this.#status.set('running');
    this.#thread = new RunThread(this.#request, prepared.source, {
      onMessage: (message) => this.#receive(message),
      onBusy: (budgetMs) => this.#end({ failure: busyFailure(budgetMs) }),
      onText: (level, text) => this.#output({ type: 'log', level, text }),
      onEnd: (end) => {
        this.#end({ failure: exitFailure(end, this.#idle, this.#request.limits.memoryLimitBytes) });
      },
    });
  }

  #receive(message: ThreadMessage): void {
    if (this.#outcome) return;
    switch (message.kind) {
      case 'started':
        this.#started = true;
        return;
      case 'taken': {
        if (this.#started) return;
        const { prelude } = this.#request;
        this.#reject(
          new CodeRuntimeError(
            'invalid-binding',
            `the global name "${message.name}" is taken by the prelude "${prelude?.id}"`,
          ),
        );
        this.#end({ failure: { kind: 'abort', message: 'the request was refused' } });
        return;
      }
      case 'output':
        this.#output(parseOutputItem(message.item));
        return;
      case 'call':
        this.#waits.call(message.seq, message.namespace, message.path, message.args);
        return;
      case 'control':
        this.#raiseControl(message.seq, message.name, message.payload);
        return;
      case 'timer':
        if (!this.#waits.timers.arm(message.seq, Date.now() + message.delay)) {
          this.#end({ failure: { kind: 'call-limit', message: 'the program has too many timers at once' } });
        }
        return;
      case 'clear':
        this.#waits.timers.clear(message.seq);
        return;
      case 'wait':
        if (message.taken !== this.#sent) return;
        this.#status.set('waiting');
        this.#holders.tell('waiting');
        return;
      case 'done':
        this.#end(message.value === undefined ? {} : { value: message.value });
        return;
      case 'failed':
        this.#end({ failure: programFailure(message.failure) });
        return;
      case 'idle':
        this.#idle = true;
        return;
    }
  }

  #output(item: CodeOutputItem | undefined): void {
    if (!item || this.#outcome || this.#ledger.add(item)) return;
    this.#end({ failure: this.#ledger.overflow! });
  }

  #raiseControl(seq: number, name: string, payload: CodeJsonValue): void {
    const event = this.#waits.controls.raise(seq, name, payload);
    if (!event) return;
    this.#held = true;
    this.#status.raiseControl(event);
  }

  /** Hands over what has settled, unless the run is held. */
  #deliver(): void {
    if (this.#outcome || this.#held || this.#waits.deliveries.length === 0) return;
    const deliveries = this.#waits.takeDeliveries();
    this.#sent += deliveries.length;
    this.#status.set('running');
    this.#thread?.send(deliveries);
  }

  /** Once the program has ended its outcome stands, and only the wait for its calls is cut short. */
  #endEarly(failure: CodeRunFailure): void {
    if (this.#outcome) void this.#waits.calls.abort(failure.message);
    else this.#end({ failure });
  }

  #end(outcome: Outcome): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    void this.#close();
  }

  async #close(): Promise<void> {
    this.#waits.clear();
    const stopped = this.#thread?.stop();
    this.#status.set('draining');
    this.#holders.tell('draining');
    const outcome = this.#outcome!;
    if ('failure' in outcome) await this.#waits.calls.abort(outcome.failure.message);
    else await this.#waits.calls.drain();
    clearTimeout(this.#wallTimer);
    await stopped;
    const result = this.#makeResult();
    this.#status.set('ended');
    this.#resolve(result);
    this.#over();
  }

  #makeResult(): CodeRunResult {
    const outcome = this.#outcome!;
    let value: CodeJsonValue | undefined;
    let error: CodeRunFailure | undefined;
    if ('failure' in outcome) error = this.#ledger.fail(outcome.failure);
    else if (outcome.value !== undefined) {
      value = outcome.value;
      error = this.#ledger.complete(value);
    } else error = this.#ledger.overflow;
    this.#usage = this.usage;
    return {
      ...(value === undefined || error ? {} : { value }),
      logs: this.#ledger.logs,
      output: this.#ledger.items,
      ...(error ? { error } : {}),
      usage: this.#usage,
    };
  }
}
