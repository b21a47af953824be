// Sends output items to the host: at once while they are few, in batches when they come fast.
import type { FromWorker } from '../messages.ts';
import type { UnsentOutput } from '../unsent-output.ts';

const SENT_AT_ONCE = 64;
const LONGEST_WAIT_MS = 2;
/** Items are counted roughly here, to stop a flood; the host's ledger is exact. */
const WRAPPER_CHARS = 24;

export class OutputSender {
  readonly #send: (message: FromWorker) => void;
  readonly #run: number;
  readonly #unsent: UnsentOutput;
  #left: number;
  #batch: string[] = [];
  #batchSince = 0;
  #sentThisTurn = 0;

  constructor(run: number, left: number, unsent: UnsentOutput, send: (message: FromWorker) => void) {
    this.#run = run;
    this.#unsent = unsent;
    this.#left = left;
    this.#send = send;
  }

  /** Takes an item as JSON text; `false` once the run's output is surely over its limit. */
  add(item: string): boolean {
    const chars = Math.max(1, item.length - WRAPPER_CHARS);
    const fits = chars <= this.#left + WRAPPER_CHARS;
    this.#left -= chars;
    const text = fits ? item : shorten(item, this.#left + chars);
    this.#batch.push(text);
    if (this.#batch.length === 1) this.#batchSince = performance.now();
    if (this.#sentThisTurn < SENT_AT_ONCE || !this.#unsent.add(this.#run, text)) this.flush();
    else this.tick();
    return fits;
  }

  /** Sends what has waited long enough. */
  tick(): void {
    if (this.#batch.length > 0 && performance.now() - this.#batchSince > LONGEST_WAIT_MS) this.flush();
  }

  /** Sends everything; `endTurn` lets the first items of the next turn go at once again. */
  flush(endTurn = false): void {
    if (this.#batch.length > 0) {
      this.#send(['output', this.#run, ...this.#batch]);
      this.#sentThisTurn += this.#batch.length;
      this.#batch = [];
      this.#unsent.clear();
    }
    if (endTurn) this.#sentThisTurn = 0;
  }
}

/** An item too large for its limit, cut to what still breaks it, so that the host need not read the whole. */
function shorten(item: string, left: number): string {
  const parsed = JSON.parse(item) as { type: string; level?: string; text?: unknown; value?: unknown };
  const longest = Math.max(0, left) + 64;
  if (typeof parsed.text === 'string') return JSON.stringify({ ...parsed, text: parsed.text.slice(0, longest) });
  return JSON.stringify({ type: 'json', value: '-'.repeat(longest) });
}
