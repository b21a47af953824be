// Lets long work on the host thread give way: a slice of some milliseconds, then everybody else.
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 8;

export class SliceClock {
  #until = performance.now() + SLICE_MS;

  /** Whether the slice is used up. */
  isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Gives way, and starts the next slice. */
  async pause(): Promise<void> {
    await setImmediate();
    this.#until = performance.now() + SLICE_MS;
  }
}
