// Output that a worker keeps back to send it in one message, shared so that it survives the end of the thread.
import { SIGNAL_UNSENT_LENGTH, SIGNAL_UNSENT_RUN, UNSENT_UNITS } from './messages.ts';

/** Memory that host and worker share. JSON text has no line breaks, so one separates the items. */
export class UnsentOutput {
  readonly #signals: Int32Array;
  readonly #units: Uint16Array;

  constructor(signals: Int32Array, units: Uint16Array) {
    this.#signals = signals;
    this.#units = units;
  }

  /** Notes an item; `false` where there is no room, and the batch must be sent. */
  add(run: number, item: string): boolean {
    const length = Atomics.load(this.#signals, SIGNAL_UNSENT_LENGTH);
    if (length + item.length + 1 > UNSENT_UNITS) return false;
    for (let index = 0; index < item.length; index++) this.#units[length + index] = item.charCodeAt(index);
    this.#units[length + item.length] = 0x0a;
    Atomics.store(this.#signals, SIGNAL_UNSENT_RUN, run);
    Atomics.store(this.#signals, SIGNAL_UNSENT_LENGTH, length + item.length + 1);
    return true;
  }

  /** Everything noted has been sent. */
  clear(): void {
    Atomics.store(this.#signals, SIGNAL_UNSENT_LENGTH, 0);
  }

  /** What a thread that has ended left of a run's output. */
  itemsOf(run: number): string[] {
    if (Atomics.load(this.#signals, SIGNAL_UNSENT_RUN) !== run) return [];
    const length = Math.min(Math.max(Atomics.load(this.#signals, SIGNAL_UNSENT_LENGTH), 0), UNSENT_UNITS);
    const items = Buffer.from(Uint16Array.from(this.#units.subarray(0, length)).buffer)
      .toString('utf16le')
      .split('\n');
    return items.slice(0, -1);
  }
}
