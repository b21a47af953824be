// What a run has used so far, over all processes it has lived in, and its limit on time from start to end.
import type { CodeRunUsage } from '@codeseam/code-runtime';
import type { FrozenState } from './frozen-run.ts';

export class UsageMeter {
  readonly #startedAt = performance.now();
  #computeMs = 0;
  #heapBytes = 0;
  #earlierMs = 0;
  /** The time from start to end, once it is over. */
  #wallMs: number | undefined;
  #limit: NodeJS.Timeout | undefined;

  get computeMs(): number {
    return this.#computeMs;
  }

  usage(calls: number): CodeRunUsage {
    return {
      computeMs: this.#computeMs,
      wallMs: this.#wallMs ?? this.#elapsedMs(),
      ...(this.#heapBytes > 0 ? { peakMemoryBytes: this.#heapBytes } : {}),
      calls,
    };
  }

  add(turn: { readonly computeMs: number; readonly heapBytes: number }): void {
    this.#computeMs += turn.computeMs;
    this.#heapBytes = Math.max(this.#heapBytes, turn.heapBytes);
  }

  /** Calls `fail` when the run has lasted for `wallMs`. */
  limit(wallMs: number, fail: () => void): void {
    this.#limit = setTimeout(fail, Math.max(0, wallMs - this.#earlierMs));
  }

  /** The program has ended, or goes on elsewhere. */
  unlimit(): void {
    clearTimeout(this.#limit);
  }

  /** The run is over. */
  stop(): void {
    this.#wallMs = this.#elapsedMs();
  }

  frozen(calls: number): FrozenState['usage'] {
    return { computeMs: this.#computeMs, wallMs: this.#elapsedMs(), heapBytes: this.#heapBytes, calls };
  }

  thaw({ computeMs, wallMs, heapBytes }: FrozenState['usage']): void {
    this.#computeMs = computeMs;
    this.#earlierMs = wallMs;
    this.#heapBytes = heapBytes;
  }

  #elapsedMs(): number {
    return this.#earlierMs + performance.now() - this.#startedAt;
  }
}
