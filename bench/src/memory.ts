// The process's resident memory, watched while work goes on.

export interface MemoryWatch {
  /** The most that was seen, in MiB; ends the watch. */
  peakMib(): number;
}

export function watchMemory(): MemoryWatch {
  let peak = residentMib();
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib());
  }, 50);
  timer.unref();
  return {
    peakMib() {
      clearInterval(timer);
      return Math.max(peak, residentMib());
    },
  };
}

export function residentMib(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}

/** Collects garbage where the process may (`--expose-gc`). */
export function collectGarbage(): void {
  (globalThis as { gc?: () => void }).gc?.();
}
