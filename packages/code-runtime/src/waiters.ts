// Those who wait for the same thing to happen to a run.

export class Waiters<Value> {
  #waiting: ((value: Value) => void)[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  wait(): Promise<Value> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** It happened: everyone who waits now is told, once. */
  tell(value: Value): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const tell of waiting) tell(value);
  }
}
