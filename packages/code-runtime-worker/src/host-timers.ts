// The timers and controls of a run, kept by the host: listed while they are pending, delivered when they are due.
import type { CodeJsonValue, CodePendingCall } from '@codeseam/code-runtime';

/** What `setTimeout` takes at most; a longer delay would fire at once. */
const LONGEST_DELAY_MS = 2_147_483_647;
/** More timers at once than this are a flood. */
const MOST_TIMERS = 10_000;

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

  /** Arms a timer; `false` where the run has too many. */
  arm(seq: number, delay: number): boolean {
    if (this.#timers.has(seq)) return true;
    if (this.#timers.size >= MOST_TIMERS) return false;
    const ms = delay >= 1 ? Math.min(delay, LONGEST_DELAY_MS) : 1;
    const handle = setTimeout(() => {
      this.#timers.delete(seq);
      this.#onDue(seq);
    }, ms);
    this.#timers.set(seq, { dueAt: Date.now() + ms, handle });
    return true;
  }

  clear(seq: number): void {
    const timer = this.#timers.get(seq);
    if (!timer) return;
    clearTimeout(timer.handle);
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
}

/** Controls that the prelude raised; all are let go on by the next release. */
export class HostControls {
  readonly #open = new Map<number, { name: string; payload: CodeJsonValue; startedAt: number }>();

  raise(seq: number, name: string, payload: CodeJsonValue): boolean {
    if (this.#open.has(seq)) return false;
    this.#open.set(seq, { name, payload, startedAt: Date.now() });
    return true;
  }

  /** Gives what was raised, in order, and forgets it. */
  takeAll(): number[] {
    const seqs = [...this.#open.keys()];
    this.#open.clear();
    return seqs;
  }

  pending(): CodePendingCall[] {
    return [...this.#open].map(([seq, { name, payload, startedAt }]) => ({
      kind: 'control',
      id: controlId(seq),
      path: [name],
      args: [payload],
      startedAt,
    }));
  }
}

export function controlId(seq: number): string {
  return `control-${seq}`;
}
