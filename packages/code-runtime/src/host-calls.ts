// The host's side of a run's calls: starts host functions, checks what they give, and ends them with the program.
import {
  type JsonValue,
  type LosslessJsonError,
  parseJson,
  stringifyJson,
  toLosslessJson,
} from '@codeseam/lossless-json';
import type { CheckedNamespace } from './check-request.ts';
import { readRejection } from './read-rejection.ts';
import type { CodeBindingFunction, CodeCallContext, CodePendingCall, CodeSettlement } from './types.ts';

/** What crosses back to the guest for one call. `json` is absent where the function gave nothing. */
export type CallOutcome = { ok: true; json?: string } | { ok: false; message: string; code?: string; member?: string };

export interface HostCallsOptions {
  readonly namespaces: readonly Pick<CheckedNamespace, 'global' | 'table'>[];
  /** Calls in flight at once; further ones wait here. `Infinity` for no bound. */
  readonly maxPendingCalls: number;
  /** Bytes of one argument list or one result, as JSON. `Infinity` for no bound. */
  readonly maxCallBytes: number;
  readonly drainMs: number;
  readonly abortGraceMs: number;
  /** Called once for each call that settles while the program can still take it; never from within `accept` or `adopt`. */
  readonly onSettled: (seq: number, outcome: CallOutcome) => void;
  /** What host functions see as `this.context`. */
  readonly context?: unknown;
  /** Calls made before, for a run that was thawed. */
  readonly madeBefore?: number;
}

/** The public id of the call with a sequence number. */
export function callId(seq: number): string {
  return `call-${seq}`;
}

/** No engine string is longer, so no JSON text is. */
const LONGEST_TEXT = 0x1fff_ffe8;

interface HostCall {
  readonly seq: number;
  /** The namespace's global name, then the members. */
  readonly path: readonly string[];
  readonly argsJson: string;
  /** Milliseconds since the epoch; absent while the call waits for a place. */
  startedAt?: number;
  controller?: AbortController;
}

/**
 * The calls of one run. The guest numbers its calls upwards; a number that is not above all before it, as a forged or
 * repeated message would have, is dropped. A path that is no function's rejects that call.
 */
export class HostCalls {
  readonly #options: HostCallsOptions;
  readonly #open = new Map<number, HostCall>();
  #waiting: HostCall[] = [];
  #lastSeq = 0;
  #made: number;
  /** `running`: outcomes are delivered. `ending`: only recorded. `over`: nothing starts, late results are dropped. */
  #phase: 'running' | 'ending' | 'over' = 'running';
  /** Those who wait for the last call, or for their time to be up. */
  readonly #waiters = new Set<() => void>();

  constructor(options: HostCallsOptions) {
    this.#options = options;
    this.#made = options.madeBefore ?? 0;
  }

  /** Calls that left the guest and were started. */
  get made(): number {
    return this.#made;
  }

  /** Calls in flight or waiting for a place. */
  get size(): number {
    return this.#open.size + this.#waiting.length;
  }

  /**
   * Starts the host function of a guest's call, or lets it wait for a place. Also while draining, for the calls that the
   * program had queued.
   *
   * @param argsJson the argument list as JSON text.
   * @returns whether the message was taken.
   */
  accept(seq: number, path: readonly string[], argsJson: string): boolean {
    if (this.#phase === 'over' || !Number.isSafeInteger(seq) || seq <= this.#lastSeq) return false;
    this.#lastSeq = seq;
    this.#waiting.push({ seq, path: [...path], argsJson });
    this.#startWaiting();
    return true;
  }

  /** Takes over a call that an earlier process started: its settlement, when there is one, is delivered as its outcome. */
  adopt(
    call: { seq: number; path: readonly string[]; argsJson: string; startedAt?: number },
    settlement: CodeSettlement | Promise<CodeSettlement>,
  ): void {
    if (this.#phase === 'over' || this.#open.has(call.seq)) return;
    this.#lastSeq = Math.max(this.#lastSeq, call.seq);
    const open: HostCall = { ...call, startedAt: call.startedAt ?? Date.now() };
    this.#open.set(open.seq, open);
    void this.#finish(open, async () => this.#readSettlement(open, await settlement));
  }

  /** The calls that the program waits for, in the order they were made. */
  pending(): CodePendingCall[] {
    return [...this.#open.values(), ...this.#waiting].map(({ seq, path, argsJson, startedAt }) => ({
      kind: 'call',
      id: callId(seq),
      path: [...path],
      args: readList(argsJson) ?? [],
      ...(startedAt === undefined ? {} : { startedAt }),
    }));
  }

  /** The same for a run that goes on elsewhere; `args` is the argument list as JSON text. */
  entries(): {
    readonly seq: number;
    readonly path: readonly string[];
    readonly args: string;
    readonly startedAt: number;
  }[] {
    return [...this.#open.values(), ...this.#waiting].map(({ seq, path, argsJson, startedAt }) => ({
      seq,
      path,
      args: argsJson,
      startedAt: startedAt ?? Date.now(),
    }));
  }

  /**
   * The program has ended well: outcomes are only recorded; calls get `drainMs` to start and finish, then those in flight
   * are aborted and get `abortGraceMs`.
   *
   * @returns the ids of calls whose outcome is unknown; their late results are dropped.
   */
  async drain(): Promise<string[]> {
    if (this.#phase === 'running') {
      this.#phase = 'ending';
      await this.#emptyWithin(this.#options.drainMs);
    }
    return this.abort('the program has ended');
  }

  /** Aborts every call at once, drops those that wait, and gives those in flight `abortGraceMs`. Gives what {@link drain} gives. */
  async abort(reason: string): Promise<string[]> {
    if (this.#phase !== 'over') {
      this.#phase = 'ending';
      this.#waiting = [];
      this.#wakeWaiters();
      for (const call of [...this.#open.values()]) abortCall(call, reason);
      await this.#emptyWithin(this.#options.abortGraceMs);
      this.#phase = 'over';
    }
    return [...this.#open.keys()].map(callId);
  }

  /** Leaves every call to its host function, for a run that goes on elsewhere: nothing is aborted, nothing delivered. */
  detach(): void {
    this.#phase = 'over';
    this.#waiting = [];
    this.#wakeWaiters();
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && this.#open.size < this.#options.maxPendingCalls) {
      const call = this.#waiting.shift()!;
      call.startedAt = Date.now();
      this.#made++;
      this.#open.set(call.seq, call);
      void this.#finish(call, () => this.#invoke(call));
    }
  }

  async #finish(call: HostCall, work: () => Promise<CallOutcome>): Promise<void> {
    let outcome: CallOutcome;
    try {
      outcome = await work();
    } catch (error) {
      outcome = { ok: false, ...readRejection(error) };
    }
    if (this.#phase === 'over' || !this.#open.delete(call.seq)) return;
    if (this.#phase === 'running') this.#options.onSettled(call.seq, outcome);
    this.#startWaiting();
    if (this.size === 0) this.#wakeWaiters();
  }

  async #invoke(call: HostCall): Promise<CallOutcome> {
    const { maxCallBytes } = this.#options;
    const run = this.#find(call.path);
    if (!run) return { ok: false, message: `${showPath(call.path)} is not a function of this run` };
    if (Buffer.byteLength(call.argsJson) > maxCallBytes) {
      return {
        ok: false,
        message: `the arguments of ${showPath(call.path)} are over maxCallBytes (${maxCallBytes} bytes)`,
      };
    }
    const args = readList(call.argsJson);
    if (!args) return { ok: false, message: `the arguments of ${showPath(call.path)} are not a JSON list` };
    return this.#readResult(call, await Reflect.apply(run, new CallContext(call, this.#options.context), args));
  }

  #find([global, ...members]: readonly string[]): CodeBindingFunction | undefined {
    return this.#options.namespaces.find((it) => it.global === global)?.table.find(members);
  }

  #readResult(call: HostCall, result: unknown): CallOutcome {
    if (result === undefined) return { ok: true };
    const maxBytes = Math.min(this.#options.maxCallBytes, LONGEST_TEXT);
    try {
      return { ok: true, json: stringifyJson(toLosslessJson(result, { name: 'result', maxBytes })) };
    } catch (error) {
      const { code, message } = error as LosslessJsonError;
      const problem = code === 'too_large' ? `over maxCallBytes (${maxBytes} bytes)` : 'not lossless JSON';
      return { ok: false, message: `the result of ${showPath(call.path)} is ${problem}: ${message}` };
    }
  }

  #readSettlement(call: HostCall, settlement: CodeSettlement): CallOutcome {
    if (settlement.ok === true) return this.#readResult(call, settlement.value);
    const { message, code } = settlement;
    return { ok: false, message: String(message), ...(typeof code === 'string' ? { code } : {}) };
  }

  #emptyWithin(ms: number): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiters.add(wake);
    });
  }

  #wakeWaiters(): void {
    for (const wake of [...this.#waiters]) wake();
  }
}

/** What a host function sees as `this`. Its signal is made when it is first asked for: most functions never do. */
class CallContext implements CodeCallContext {
  readonly id: string;
  readonly path: string[];
  readonly context: unknown;
  readonly #call: HostCall;

  constructor(call: HostCall, context: unknown) {
    this.#call = call;
    this.id = callId(call.seq);
    this.path = [...call.path];
    this.context = context;
  }

  get signal(): AbortSignal {
    this.#call.controller ??= new AbortController();
    return this.#call.controller.signal;
  }
}

function abortCall(call: HostCall, reason: string): void {
  call.controller ??= new AbortController();
  call.controller.abort(new DOMException(reason, 'AbortError'));
}

function readList(json: string): JsonValue[] | undefined {
  try {
    const value = parseJson(json);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A call's path as a program would write it: `tools.issues["a b"]`. */
export function showPath(path: readonly string[]): string {
  return path
    .map((part, index) => (/^[A-Za-z_$][\w$]*$/.test(part) ? (index ? `.${part}` : part) : `[${JSON.stringify(part)}]`))
    .join('');
}
