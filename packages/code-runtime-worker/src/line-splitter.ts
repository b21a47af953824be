// Cuts a stream of text into lines.

/** A line longer than this is handed over in pieces, so that a flood without line ends reaches the output budget. */
const LONGEST_LINE = 65_536;

export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.#onLine(line);
    if (this.#rest.length > LONGEST_LINE) this.end();
  }

  /** Hands over what has no line end yet. */
  end(): void {
    const rest = this.#rest;
    this.#rest = '';
    if (rest !== '') this.#onLine(rest);
  }
}
