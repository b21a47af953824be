// The timers of a run, kept by the host: when each is due, whether or not the program has a thread at the time.
import type { CodePendingCall } from './types.ts';

/** What `setTimeout` takes at most; a longer delay would fire at once. */
const LONGEST_DELAY_MS = 2_147_483_647;
/** More timers at once than this are a flood. */
export const MOST_TIMERS = 10_000;

interface HostTimer {
  readonly dueAt: number;
  readonly handle: NodeJS.Timeout;
}

export class HostTimers {
  readonly #onDue: (seq: number) => void;
  readonly #timers = new Map<number, HostTimer>();

  constructor(onDue: (seq: number) => void) {
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#timers.size;
  }

  /**
   * Arms a timer, once; one that is due already fires as soon as it can.
   *
   * @param dueAt milliseconds since the epoch.
   * @param now when the delay was counted from: timers of one delay keep their order, however long arming them takes.
   * @returns `false` where the run has too many.
   */
  arm(seq: number, dueAt: number, now = Date.now()): boolean {
    if (this.#timers.has(seq)) return true;
    if (this.#timers.size >= MOST_TIMERS) return false;
    const delay = Math.min(Math.max(dueAt - now, 0), LONGEST_DELAY_MS);
    const handle = setTimeout(() => {
      this.#timers.delete(seq);
      this.#onDue(seq);
    }, delay);
    this.#timers.set(seq, { dueAt, handle });
    return true;
  }

  clear(seq: number): void {
    clearTimeout(this.#timers.get(seq)?.handle);
    this.#timers.delete(seq);
  }

  clearAll(): void {
    for (const seq of [...this.#timers.keys()]) this.clear(seq);
  }

  pending(): CodePendingCall[] {
    return [...this.#timers].map(([seq, { dueAt }]) => ({
      kind: 'timer',
      id: `timer-${seq}`,
      path: [],
      args: [],
      dueAt,
    }));
  }

  /** `[seq, dueAt]` of each, for a run that goes on elsewhere. */
  entries(): [number, number][] {
    return [...this.#timers].map(([seq, { dueAt }]) => [seq, dueAt]);
  }
}
