// How long to wait before the next attempt, and waiting that can be cut short.

export const FIRST_BACKOFF_MS = 500;
export const LONGEST_BACKOFF_MS = 30_000;

/** Milliseconds before attempt number `attempt` (1 is the first one after a failure): 500, 1000, … up to 30,000. */
export function backoffMs(attempt: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(attempt - 1, 16), LONGEST_BACKOFF_MS);
}

/** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
