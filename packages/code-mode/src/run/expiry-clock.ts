// When a suspended run is given up: after its TTL, which does not run while a person is asked.

export interface ExpiryOptions {
  ttlMs: number;
  /** The longest that an open question keeps a run. */
  approvalTtlMs: number;
  isAwaitingApproval(): boolean;
  onExpired(): void;
}

/** Looks again this often while a person is asked, since nobody tells when that is over. */
const LOOK_AGAIN_MS = 5_000;
const LONGEST_TIMER_MS = 2_147_483_647;

/** Runs from `start` to `stop`. Its timer keeps no process alive. */
export class ExpiryClock {
  readonly #options: ExpiryOptions;
  #timer: NodeJS.Timeout | undefined;
  #dueAt: number;
  #askedSince: number | undefined;

  constructor(options: ExpiryOptions) {
    this.#options = options;
    this.#dueAt = Date.now() + options.ttlMs;
  }

  /** The run was suspended. @param renew whether it made progress since the last time. */
  start(renew: boolean): void {
    this.stop();
    if (renew) {
      this.#dueAt = Date.now() + this.#options.ttlMs;
      this.#askedSince = undefined;
    }
    this.#check();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const left = this.#leftMs();
    if (left <= 0) this.#options.onExpired();
    else this.#timer = setTimeout(() => this.#check(), Math.min(left, LONGEST_TIMER_MS)).unref();
  }

  /** Milliseconds until the next look. */
  #leftMs(): number {
    const now = Date.now();
    const { ttlMs, approvalTtlMs, isAwaitingApproval } = this.#options;
    if (!isAwaitingApproval()) {
      this.#askedSince = undefined;
      return this.#dueAt - now;
    }
    this.#askedSince ??= now;
    // The whole TTL again once the question is answered.
    this.#dueAt = now + ttlMs;
    return Math.min(this.#askedSince + approvalTtlMs - now, LOOK_AGAIN_MS, Math.max(20, ttlMs / 4));
  }
}
