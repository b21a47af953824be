// A thread, the run that has it, and by when the thread must answer.
import type { QuickJsRun } from './run.ts';
import type { WorkerThread } from './worker-thread.ts';

/** A turn may outlast its budget by this much before its thread is ended. */
const OVERRUN_MS = 500;
/** A run that ended from outside gets this long to notice. */
const STOP_GRACE_MS = 250;
/** Starting a thread, building a base image and taking an image are bounded work. */
const OWN_WORK_MS = 30_000;

export class Desk {
  readonly thread: WorkerThread;
  run: QuickJsRun | undefined;
  /** The run's image has been asked for. */
  parking = false;
  /** The thread has done with the run, which hears of it now. */
  closing = false;
  /** When the run got the thread. */
  seatedAt = 0;
  /** When the run last began to wait. */
  waitingSince = 0;
  /** Why the thread was ended. */
  ended: 'overrun' | 'lie' | undefined;
  /** When the thread must have answered, else it is ended. */
  #answerBy = Number.POSITIVE_INFINITY;
  /** What a turn that has been posted may take, once the thread has begun it. */
  #allowedMs: number | undefined;

  constructor(makeThread: (desk: Desk) => WorkerThread) {
    this.thread = makeThread(this);
  }

  /** The thread has been asked for something: a turn that may keep it busy for `computeMs`, or work of its own. */
  expect(computeMs?: number): void {
    this.#answerBy = performance.now() + OWN_WORK_MS;
    if (computeMs !== undefined) this.#allowedMs = computeMs + OVERRUN_MS;
  }

  /** The thread has answered. */
  answered(): void {
    this.#answerBy = Number.POSITIVE_INFINITY;
    this.#allowedMs = undefined;
  }

  /** Its turn is of no use any more: asks the thread to stop, and gives it little time for it. */
  stop(run: number): void {
    this.thread.stop(run);
    this.#answerBy = Math.min(this.#answerBy, performance.now() + STOP_GRACE_MS);
  }

  /** Ends the thread. What it still says is not heard. */
  end(why: 'overrun' | 'lie'): void {
    this.answered();
    this.ended = why;
    void this.thread.terminate();
  }

  /** Looks whether the thread is late, and ends it then. @returns whether an answer is still expected. */
  check(now: number): boolean {
    if (this.#answerBy === Number.POSITIVE_INFINITY) {
      // Done here and not after each turn: it costs more than a turn's message.
      this.thread.hold(false);
      return false;
    }
    if (this.#allowedMs !== undefined && this.thread.hasBegun) {
      this.#answerBy = Math.min(this.#answerBy, now + this.#allowedMs);
      this.#allowedMs = undefined;
    }
    if (now > this.#answerBy) this.end('overrun');
    return true;
  }
}
