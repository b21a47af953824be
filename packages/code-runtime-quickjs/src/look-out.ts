// Keeps the event loop from going to sleep for a moment: it turns without waiting, so an answer of a thread is met at once
// and everything else is served as ever.
import { QuickAnswers } from './quick-answers.ts';

export class LookOut {
  readonly #quick = new QuickAnswers();
  readonly #ms: number;
  #awaited = false;
  #turning = false;

  /** `ms`: for how long each time. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** An answer is awaited. */
  begin(): void {
    if (this.#awaited || !this.#quick.begin(this.#ms)) return;
    this.#awaited = true;
    this.#turn();
  }

  /** It is there. */
  end(): void {
    if (!this.#awaited) return;
    this.#awaited = false;
    this.#quick.came();
  }

  #turn(): void {
    if (this.#turning) return;
    this.#turning = true;
    setImmediate(() => {
      this.#turning = false;
      if (!this.#awaited) return;
      if (this.#quick.lookedInVain()) this.#turn();
      else this.#awaited = false;
    });
  }
}
