// The one byte budget over a run's logs, text, json and its completion or failure text, counted as JSON.
import { cutJsonText, type JsonValue, jsonBytes } from '@codeseam/lossless-json';
import type { CodeOutputItem, CodeRunFailure } from './types.ts';

/** More items than this are a flood, however short: each costs the host more memory than its text. */
export const MAX_OUTPUT_ITEMS = 100_000;

export interface OutputLedgerOptions {
  /** `maxOutputBytes` of the run. */
  readonly maxBytes: number;
  /** Called with each item that was kept, the cut one and the note included. */
  readonly onItem?: (item: CodeOutputItem) => void;
  /** The items so far of a run that was thawed; they count, and `onItem` is not called for them. */
  readonly before?: readonly CodeOutputItem[];
}

/**
 * Keeps a run's output. On overflow the longest prefix that fits stays, the last string is cut at a code point, one note
 * says so, and nothing more is taken: the run has failed with {@link overflow}.
 */
export class OutputLedger {
  readonly items: CodeOutputItem[] = [];
  readonly #maxBytes: number;
  readonly #onItem: ((item: CodeOutputItem) => void) | undefined;
  #bytes = 0;
  #overflow: CodeRunFailure | undefined;

  constructor(options: OutputLedgerOptions) {
    this.#maxBytes = options.maxBytes;
    for (const item of options.before ?? []) this.add(item);
    this.#onItem = options.onItem;
  }

  /** Bytes counted so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The failure of the run once its output went over the budget. */
  get overflow(): CodeRunFailure | undefined {
    return this.#overflow;
  }

  /** Console lines, in order. */
  get logs(): string[] {
    return this.items.flatMap((item) => (item.type === 'log' ? [item.text] : []));
  }

  /** Takes an item; `false` once the budget is passed, and from then on. */
  add(item: CodeOutputItem): boolean {
    if (this.#overflow) return false;
    if (this.items.length >= MAX_OUTPUT_ITEMS)
      return this.#stop(`the program's output has more than ${MAX_OUTPUT_ITEMS} items`);
    if (this.#takes(item.type === 'json' ? item.value : item.text)) {
      this.#keep(item);
      return true;
    }
    if (item.type !== 'json') {
      const text = cutJsonText(item.text, this.#maxBytes - this.#bytes);
      if (text !== '' && this.#takes(text)) this.#keep({ ...item, text });
    }
    return this.#stop(`the program's output is over maxOutputBytes (${this.#maxBytes} bytes)`);
  }

  /** Counts the completion value; gives the run's failure where it, or the output before it, is over the budget. */
  complete(value: JsonValue): CodeRunFailure | undefined {
    if (!this.#overflow && !this.#takes(value))
      this.#stop(`the program's output with its value is over maxOutputBytes (${this.#maxBytes} bytes)`);
    return this.#overflow;
  }

  /** Counts the text of the run's failure; gives that failure, or the `output-limit` one where the budget is passed. */
  fail(failure: CodeRunFailure): CodeRunFailure {
    if (this.#overflow) return this.#overflow;
    const text = failure.stack === undefined ? failure.message : [failure.message, failure.stack];
    if (this.#takes(text)) return failure;
    this.#stop(
      `the program's output with the text of its failure (${failure.kind}) is over maxOutputBytes (${this.#maxBytes} bytes)`,
    );
    return this.#overflow!;
  }

  #takes(value: JsonValue): boolean {
    const left = this.#maxBytes - this.#bytes;
    const bytes = jsonBytes(value, left);
    if (bytes > left) return false;
    this.#bytes += bytes;
    return true;
  }

  #keep(item: CodeOutputItem): void {
    this.items.push(item);
    this.#onItem?.(item);
  }

  #stop(message: string): false {
    this.#overflow = { kind: 'output-limit', message, hint: 'print or return less, or a summary of it' };
    this.#keep({ type: 'note', text: 'output cut here: it reached its limit' });
    return false;
  }
}
