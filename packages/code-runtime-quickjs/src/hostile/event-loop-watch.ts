// Watches the host's event loop and memory: how long the host's own work kept the loop from its next turn, and the most
// memory the process took.
import { readFileSync } from 'node:fs';

const TICK_MS = 10;

export interface Stall {
  readonly ms: number;
  /** What ran when the loop went on. */
  readonly during: string;
}

export class EventLoopWatch {
  readonly #during: () => string;
  readonly #timer: NodeJS.Timeout;
  #usedMs = threadCpuMs();
  #longest: Stall = { ms: 0, during: '' };
  #peakRss = process.memoryUsage.rss();

  /** @param during says what runs, for the report. */
  constructor(during: () => string = () => '') {
    this.#during = during;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** The most work between two turns of the loop. */
  get longest(): Stall {
    this.#tick();
    return this.#longest;
  }

  /** The most resident memory since the watch began, or since it was last asked; in bytes. */
  takePeakRss(): number {
    this.#tick();
    const peak = this.#peakRss;
    this.#peakRss = process.memoryUsage.rss();
    return peak;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const usedMs = threadCpuMs();
    const ms = Math.round(usedMs - this.#usedMs);
    if (ms > this.#longest.ms) this.#longest = { ms, during: this.#during() };
    this.#peakRss = Math.max(this.#peakRss, process.memoryUsage.rss());
    this.#usedMs = usedMs;
  }
}

/**
 * Milliseconds of processor time that this thread has used: other work on the machine does not count, as it would in the
 * time between two ticks. Linux alone tells; elsewhere no stall is ever seen.
 */
function threadCpuMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
