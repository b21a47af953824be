// Measures how long a thread is busy, from its event loop's utilization, and says when it has been so for too long.
import type { Worker } from 'node:worker_threads';

/** The thread is asked at least this often while it waits. */
const LONGEST_PAUSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 5;

/** Waiting is free, and nothing that a program has pending hides that it is busy: the event loop itself is measured. */
export class BusyClock {
  readonly #worker: Worker;
  readonly #budgetMs: number;
  readonly #onOver: () => void;
  #startMs: number | undefined;
  #busyMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(worker: Worker, budgetMs: number, onOver: () => void) {
    this.#worker = worker;
    this.#budgetMs = budgetMs;
    this.#onOver = onOver;
  }

  /** Counts from now on; what the thread did before is not the program's. */
  start(): void {
    if (this.#startMs !== undefined) return;
    this.#startMs = this.#active();
    this.#watch();
  }

  /** Milliseconds that the program has been busy. */
  get busyMs(): number {
    // An event loop that has ended reports nothing.
    if (this.#startMs !== undefined) this.#busyMs = Math.max(this.#busyMs, this.#active() - this.#startMs);
    return this.#busyMs;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.busyMs;
    this.#startMs = undefined;
  }

  #active(): number {
    return this.#worker.performance.eventLoopUtilization().active;
  }

  /** It cannot be busy for longer than time passes, so it is asked again when it could have used up what is left. */
  #watch(): void {
    const left = this.#budgetMs - this.busyMs;
    if (left <= 0) {
      this.#onOver();
      return;
    }
    const pause = Math.min(Math.max(left, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#timer = setTimeout(() => this.#watch(), pause);
  }
}
