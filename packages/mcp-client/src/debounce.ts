// Calls that come in bursts, answered once the burst is over, or in its midst if it does not end.

export interface Debounced {
  call(): void;
  cancel(): void;
}

/** Runs `task` when `quietMs` have passed since the last call, and at the latest `maxMs` after the first one. */
export function debounce(task: () => void, quietMs: number, maxMs: number): Debounced {
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  const run = () => {
    timer = undefined;
    task();
  };
  return {
    call() {
      const now = Date.now();
      if (timer === undefined) firstAt = now;
      clearTimeout(timer);
      timer = setTimeout(run, Math.max(0, Math.min(quietMs, firstAt + maxMs - now)));
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
