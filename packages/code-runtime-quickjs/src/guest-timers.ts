// The host's side of a program's timers: when each is due, whether or not the program has a VM at the time.
import type { CodePendingCall } from '@codeseam/code-runtime';

/** Node fires a timer with a longer delay at once. */
const LONGEST_DELAY_MS = 2_147_483_647;

interface GuestTimer {
  readonly dueAt: number;
  handle: NodeJS.Timeout | undefined;
}

export class GuestTimers {
  readonly #timers = new Map<number, GuestTimer>();
  readonly #onDue: (seq: number) => void;

  constructor(onDue: (seq: number) => void) {
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#timers.size;
  }

  /** Arms a timer; one that was due while nobody ran it fires as soon as it can. */
  set(seq: number, dueAt: number): void {
    const delay = Math.min(Math.max(dueAt - Date.now(), 0), LONGEST_DELAY_MS);
    const handle = setTimeout(() => {
      this.#timers.delete(seq);
      this.#onDue(seq);
    }, delay);
    this.#timers.set(seq, { dueAt, handle });
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
