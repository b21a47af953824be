// What a run waits for: its calls, timers and controls, and what has settled and is not delivered yet.
import {
  type CallOutcome,
  type CodeControlEvent,
  type CodePendingCall,
  type CodeRunFailure,
  type CodeSettlement,
  callId,
  HostCalls,
  HostControls,
  HostTimers,
  MOST_TIMERS,
} from '@codeseam/code-runtime';
import { type JsonValue, stringifyJson } from '@codeseam/lossless-json';
import type { FrozenState } from './frozen-run.ts';
import type { Turn } from './messages.ts';
import { LYING_THREAD } from './program-failure.ts';
import { readPath } from './read-path.ts';
import type { Surroundings } from './surroundings.ts';

interface RunWaitsOptions {
  readonly surroundings: Surroundings;
  /** Calls made before, for a run that was thawed. */
  readonly madeBefore: number;
  /** Something settled; it is among the deliveries. */
  readonly onDelivery: () => void;
}

export class RunWaits {
  readonly calls: HostCalls;
  readonly #surroundings: Surroundings;
  readonly #onDelivery: () => void;
  readonly #timers = new HostTimers((seq) => this.#deliver(`[${seq}]`));
  readonly #controls = new HostControls();
  #deliveries: string[] = [];

  constructor({ surroundings, madeBefore, onDelivery }: RunWaitsOptions) {
    const { limits, namespaces, context } = surroundings;
    this.#surroundings = surroundings;
    this.#onDelivery = onDelivery;
    this.calls = new HostCalls({
      namespaces,
      maxPendingCalls: limits.maxPendingCalls,
      maxCallBytes: limits.maxCallBytes,
      drainMs: limits.drainMs,
      abortGraceMs: limits.abortGraceMs,
      context,
      onSettled: (seq, outcome) => this.#deliver(deliveryText(seq, outcome)),
      madeBefore,
    });
  }

  /** Nothing is left that could make the program go on. */
  get areOver(): boolean {
    return this.calls.size + this.#timers.size + this.#controls.size + this.#deliveries.length === 0;
  }

  get hasDeliveries(): boolean {
    return this.#deliveries.length > 0;
  }

  /** What the next turn delivers, as JSON text of the guest's `Delivery` list; taken away. */
  takeDeliveries(): string {
    const items = `[${this.#deliveries.join(',')}]`;
    this.#deliveries = [];
    return items;
  }

  /**
   * Takes up what a turn of guest code asked for. Its thread may lie: more than a guest could ask for fails the run.
   *
   * @param onControl told of each control that was raised.
   */
  accept({ calls, rest }: Turn<JsonValue>, onControl: (event: CodeControlEvent) => void): CodeRunFailure | undefined {
    const { limits, namespaces } = this.#surroundings;
    for (const { seq, namespace, path, args } of calls) {
      const global = namespaces[namespace]?.global;
      const members = readPath(path);
      if (global === undefined || !members) continue;
      if (this.calls.size >= limits.maxPendingCalls + limits.maxQueuedCalls) return LYING_THREAD;
      this.calls.accept(seq, [global, ...members], args);
    }
    if (!rest) return undefined;
    for (const seq of rest.cleared) this.#timers.clear(seq);
    if (rest.end) return undefined;
    const now = Date.now();
    const cleared = new Set(rest.cleared);
    for (const { seq, delay } of rest.timers) {
      if (!cleared.has(seq) && !this.#timers.arm(seq, now + delay, now)) return LYING_THREAD;
    }
    for (const { seq, name, payload } of rest.controls) {
      const event = this.#controls.raise(seq, name, payload);
      if (event) onControl(event);
    }
    return undefined;
  }

  /** Lets all controls go on. */
  releaseControls(): void {
    for (const seq of this.#controls.takeAll()) this.#deliveries.push(`[${seq}]`);
  }

  pending(): CodePendingCall[] {
    return [...this.calls.pending(), ...this.#timers.pending(), ...this.#controls.pending()];
  }

  /** Guest code does not run again: only calls may still end. */
  clear(): void {
    this.#timers.clearAll();
    this.#controls.takeAll();
    this.#deliveries = [];
  }

  /** For a run that goes on elsewhere. */
  frozen(): Pick<FrozenState, 'calls' | 'timers' | 'controls' | 'deliveries'> {
    return {
      calls: this.calls.pending().map(({ id, path, args, startedAt }) => ({
        seq: seqOf(id),
        path,
        args: stringifyJson(args),
        startedAt: startedAt ?? Date.now(),
      })),
      timers: this.#timers.entries(),
      controls: this.#controls.entries(),
      deliveries: this.#deliveries,
    };
  }

  /** Takes up what a frozen run was waiting for. */
  thaw(state: FrozenState, settlements: Readonly<Record<string, CodeSettlement | Promise<CodeSettlement>>>): void {
    for (const item of state.deliveries) this.#deliver(item);
    for (const { seq } of state.controls) this.#deliver(`[${seq}]`);
    for (const { seq, path, args, startedAt } of state.calls) {
      const id = callId(seq);
      const settlement = Object.hasOwn(settlements, id) ? settlements[id]! : OUTCOME_UNKNOWN;
      this.calls.adopt({ seq, path, argsJson: args, startedAt }, settlement);
    }
    for (const [seq, dueAt] of state.timers.slice(0, MOST_TIMERS)) this.#timers.arm(seq, dueAt);
  }

  #deliver(item: string): void {
    this.#deliveries.push(item);
    this.#onDelivery();
  }
}

const OUTCOME_UNKNOWN: CodeSettlement = { ok: false, message: 'outcome unknown: the run was restored without it' };

/** One item of the guest's `Delivery` list as JSON text. */
function deliveryText(seq: number, outcome: CallOutcome): string {
  if (outcome.ok) return outcome.json === undefined ? `[${seq}]` : `[${seq},${outcome.json}]`;
  return JSON.stringify([seq, 0, outcome.message, outcome.code ?? null, outcome.member ?? null]);
}

/** The number in an id that `callId` made. */
function seqOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}
