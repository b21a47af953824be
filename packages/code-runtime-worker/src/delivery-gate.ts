// Keeps deliveries back while a run is held, in order, and lets them through when it is released.
import type { Delivery } from './messages.ts';

export class DeliveryGate {
  readonly #send: (deliveries: readonly Delivery[]) => void;
  #kept: Delivery[] = [];
  #held = false;

  constructor(send: (deliveries: readonly Delivery[]) => void) {
    this.#send = send;
  }

  get held(): boolean {
    return this.#held;
  }

  hold(): void {
    this.#held = true;
  }

  deliver(delivery: Delivery): void {
    if (this.#held) this.#kept.push(delivery);
    else this.#send([delivery]);
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    const kept = this.#kept;
    this.#kept = [];
    if (kept.length > 0) this.#send(kept);
  }
}
