// How long programs have lately waited: whether it pays to keep a thread for one that waits while others want it.

/** About what it costs to park a program and bring it back. */
const WORTH_WAITING_MS = 2;
/** How much one wait counts against all before it. */
const WEIGHT = 1 / 16;
const RARE = 0.2;

export class WaitHistory {
  /** The share of waits that ended sooner than parking would have taken. */
  #quickShare = 0.5;

  note(waitedMs: number): void {
    const quick = waitedMs <= WORTH_WAITING_MS ? 1 : 0;
    this.#quickShare += (quick - this.#quickShare) * WEIGHT;
  }

  /** Milliseconds for which a waiting program keeps its thread although others want it. */
  get graceMs(): number {
    return this.#quickShare < RARE ? 0 : WORTH_WAITING_MS;
  }
}
