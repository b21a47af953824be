// One call at a time, in the order they came; a caller that gives up leaves the queue.

/** A lane that one task holds at a time. */
export class CallLane {
  #tail: Promise<void> = Promise.resolve();

  /** Runs the task when all earlier ones have ended. Rejects with the signal's reason if it is aborted before its turn. */
  async run<Result>(signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
    const before = this.#tail;
    let release!: () => void;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#tail = before.then(() => held);
    try {
      await raceAbort(before, signal);
      return await task();
    } finally {
      release();
    }
  }
}

/** The promise, or a rejection with the signal's reason as soon as that aborts. */
export function raceAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
