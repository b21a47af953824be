// Remembers what was made of the last programs, within a bound.

const MOST_ENTRIES = 128;
const MOST_CHARACTERS = 2 * 1024 * 1024;

/** Results by source text; the least recently used go first. Long programs are not kept, nor what is not `final`. */
export class SourceCache<Result> {
  readonly #entries = new Map<string, Result>();
  readonly #isFinal: (result: Result) => boolean;
  #characters = 0;

  constructor(isFinal: (result: Result) => boolean = () => true) {
    this.#isFinal = isFinal;
  }

  get(source: string, make: () => Result): Result {
    const known = this.#entries.get(source);
    if (known !== undefined) {
      this.#entries.delete(source);
      this.#entries.set(source, known);
      return known;
    }
    const result = make();
    if (source.length > MOST_CHARACTERS / 8 || !this.#isFinal(result)) return result;
    this.#entries.set(source, result);
    this.#characters += source.length;
    while (this.#entries.size > MOST_ENTRIES || this.#characters > MOST_CHARACTERS) {
      const oldest = this.#entries.keys().next().value!;
      this.#entries.delete(oldest);
      this.#characters -= oldest.length;
    }
    return result;
  }
}
