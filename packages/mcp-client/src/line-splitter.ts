// Cuts a byte stream into lines without copying what has already arrived again for every chunk.

const NEWLINE = 0x0a;

/**
 * Feeds on chunks and gives whole lines as text, without `\n` or `\r\n`. A line over `maxLineBytes` is dropped
 * whole (the rest of it too) and reported once by its size so far, so that one endless line cannot fill the memory.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: (bytes: number) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  #dropping = false;

  constructor(options: { maxLineBytes: number; onLine: (line: string) => void; onTooLong: (bytes: number) => void }) {
    this.#maxLineBytes = options.maxLineBytes;
    this.#onLine = options.onLine;
    this.#onTooLong = options.onTooLong;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE, from); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at));
      this.#finishLine();
      from = at + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
  }

  /** The stream is over: what has no newline yet is a line as well. */
  end(): void {
    if (this.#bytes > 0 || this.#dropping) this.#finishLine();
  }

  #take(part: Buffer): void {
    if (this.#dropping || part.length === 0) return;
    if (this.#bytes + part.length > this.#maxLineBytes) {
      this.#onTooLong(this.#bytes + part.length);
      this.#parts = [];
      this.#bytes = 0;
      this.#dropping = true;
      return;
    }
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  #finishLine(): void {
    if (this.#dropping) {
      this.#dropping = false;
      return;
    }
    const line = (this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)).toString('utf8');
    this.#parts = [];
    this.#bytes = 0;
    this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}
