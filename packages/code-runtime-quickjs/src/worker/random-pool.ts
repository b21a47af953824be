// Random bytes drawn in bulk: asking the system for eight bytes takes as long as asking for thousands.
import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;

export class RandomPool {
  readonly #pool = Buffer.alloc(POOL_BYTES);
  #next = POOL_BYTES;

  /** Writes `count` fresh bytes, at most as many as the pool holds. No byte is given twice. */
  copy(target: Buffer, at: number, count: number): void {
    if (this.#next + count > POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#next = 0;
    }
    this.#pool.copy(target, at, this.#next, this.#next + count);
    this.#pool.fill(0, this.#next, this.#next + count);
    this.#next += count;
  }
}
