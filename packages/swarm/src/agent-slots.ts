// How many subagents of one program run at once, and how many there may be.

export interface SlotLimits {
  maxAtOnce: number;
  maxPerPhase: number;
  maxPerRun: number;
}

export class AgentSlots {
  readonly #limits: SlotLimits;
  readonly #waiting: (() => void)[] = [];
  readonly #perPhase = new Map<string, number>();
  #running = 0;
  #started = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Counts one more; gives the sentence of a limit that it would break. */
  count(phase: string): string | undefined {
    const { maxPerPhase, maxPerRun } = this.#limits;
    const inPhase = this.#perPhase.get(phase) ?? 0;
    if (this.#started >= maxPerRun) return `a program may start ${maxPerRun} agents`;
    if (inPhase >= maxPerPhase)
      return `a phase may start ${maxPerPhase} agents; begin the next one with phase("title")`;
    this.#started++;
    this.#perPhase.set(phase, inPhase + 1);
    return undefined;
  }

  /** Resolves when there is a place; the others go first, in order. */
  async enter(): Promise<void> {
    if (this.#running < this.#limits.maxAtOnce) {
      this.#running++;
      return;
    }
    // Whoever leaves hands over the place.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}
