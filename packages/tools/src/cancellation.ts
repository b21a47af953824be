// Whether a call is to stop. An abort signal is heavy, and most tools never look at theirs: it is made when somebody does.

export interface StopSource {
  readonly aborted: boolean;
  /** What `abort` was given; undefined where it was given nothing. */
  readonly reason: unknown;
  readonly signal: AbortSignal;
}

/** A stop that can be pulled once. */
export class Cancellation implements StopSource {
  aborted = false;
  reason: unknown = undefined;
  private controller: AbortController | undefined = undefined;

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  abort(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.controller?.abort(reason);
  }
}

/** A signal as a stop source. */
export function stopOf(signal: AbortSignal): StopSource {
  return {
    get aborted() {
      return signal.aborted;
    },
    get reason() {
      return signal.reason;
    },
    signal,
  };
}
