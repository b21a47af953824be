// Waking a sleeping thread costs more than most turns, so whoever waits for an answer first looks out for it a moment, awake,
// as long as answers have lately come within that moment and nobody else wants the processor.

/** A vain look-out makes the next ones be left out: one, then twice as many each time in a row, up to so many. */
const MOST_SKIPPED = 64;
/** Between two looks lie some microseconds. Where it was so many milliseconds, another thread had the processor. */
const PREEMPTED_MS = 0.1;
/** Being awake then takes time from those who have work, so more are left out: so many, then twice as many each time. */
const FEWEST_SKIPPED_WHEN_BUSY = 8;
const MOST_SKIPPED_WHEN_BUSY = 512;
/** Answers in a row after which the processor counts as free again. */
const ANSWERS_WHEN_FREE = 64;

export class QuickAnswers {
  #toSkip = 0;
  #skipNext = 1;
  #skipWhenBusy = FEWEST_SKIPPED_WHEN_BUSY;
  #answers = 0;
  #until = 0;
  #lastLook = 0;

  /**
   * Begins to look out for `ms` milliseconds.
   *
   * @returns whether it is worth it now.
   */
  begin(ms: number): boolean {
    if (this.#toSkip > 0) {
      this.#toSkip--;
      return false;
    }
    this.#lastLook = performance.now();
    this.#until = this.#lastLook + ms;
    return true;
  }

  /** Notes a look in vain. @returns whether to look again. */
  lookedInVain(): boolean {
    const now = performance.now();
    if (now - this.#lastLook > PREEMPTED_MS) {
      this.#toSkip = this.#skipWhenBusy;
      this.#skipWhenBusy = Math.min(MOST_SKIPPED_WHEN_BUSY, this.#skipWhenBusy * 2);
    } else if (now > this.#until) {
      this.#toSkip = this.#skipNext;
      this.#skipNext = Math.min(MOST_SKIPPED, this.#skipNext * 2);
    } else {
      this.#lastLook = now;
      return true;
    }
    this.#answers = 0;
    return false;
  }

  /** The answer came while it was looked for. */
  came(): void {
    this.#skipNext = 1;
    if (++this.#answers >= ANSWERS_WHEN_FREE) this.#skipWhenBusy = FEWEST_SKIPPED_WHEN_BUSY;
  }
}
