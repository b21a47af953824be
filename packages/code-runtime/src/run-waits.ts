// What a program waits for: its calls, timers and controls, and what has settled and is not delivered yet.
import { deliveryText } from './guest-delivery.ts';
import { HostCalls, type HostCallsOptions } from './host-calls.ts';
import { HostControls } from './host-controls.ts';
import { HostTimers } from './host-timers.ts';
import type { CodePendingCall } from './types.ts';

export interface RunWaitsOptions extends Omit<HostCallsOptions, 'onSettled'> {
  /** Something settled; it is the last of the deliveries. */
  readonly onDelivery: () => void;
}

/** Calls, timers and controls are numbered by the guest, in one count. */
export class RunWaits {
  readonly calls: HostCalls;
  readonly timers = new HostTimers((seq) => this.deliver(deliveryText(seq)));
  readonly controls = new HostControls();
  readonly #namespaces: RunWaitsOptions['namespaces'];
  readonly #onDelivery: () => void;
  #deliveries: string[] = [];

  constructor({ onDelivery, ...options }: RunWaitsOptions) {
    this.#namespaces = options.namespaces;
    this.#onDelivery = onDelivery;
    this.calls = new HostCalls({ ...options, onSettled: (seq, outcome) => this.deliver(deliveryText(seq, outcome)) });
  }

  /** Nothing is left that could make the program go on. */
  get areOver(): boolean {
    return this.calls.size + this.timers.size + this.controls.size + this.#deliveries.length === 0;
  }

  /** What waits to be delivered, in the order in which it settled, each as JSON text of a `GuestDelivery`. */
  get deliveries(): readonly string[] {
    return this.#deliveries;
  }

  /** Takes the deliveries away, to deliver them. */
  takeDeliveries(): readonly string[] {
    const taken = this.#deliveries;
    this.#deliveries = [];
    return taken;
  }

  /**
   * Starts the host function of a guest's call.
   *
   * @param namespace its place in the request.
   * @param argsJson the argument list as JSON text.
   * @returns whether the message was taken.
   */
  call(seq: number, namespace: number, members: readonly string[], argsJson: string): boolean {
    const global = this.#namespaces[namespace]?.global;
    return global !== undefined && this.calls.accept(seq, [global, ...members], argsJson);
  }

  deliver(item: string): void {
    this.#deliveries.push(item);
    this.#onDelivery();
  }

  /** Lets all controls go on. Whoever releases a run delivers by itself, so nobody is told. */
  releaseControls(): void {
    for (const seq of this.controls.takeAll()) this.#deliveries.push(deliveryText(seq));
  }

  pending(): CodePendingCall[] {
    return [...this.calls.pending(), ...this.timers.pending(), ...this.controls.pending()];
  }

  /** Guest code does not run again: only calls may still end. */
  clear(): void {
    this.timers.clearAll();
    this.controls.takeAll();
    this.#deliveries = [];
  }
}
