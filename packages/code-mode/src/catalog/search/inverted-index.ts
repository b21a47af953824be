// A small full-text index: for each stem the documents that have it, weighted by field (BM25F).

/** How much a field counts, and how far a long one is held against a document. */
export interface FieldRule {
  weight: number;
  /** 0: length does not matter, 1: it matters fully. */
  lengthPenalty: number;
}

/** Documents in the order they were added. */
export interface Postings {
  readonly documents: Int32Array;
  /** Saturated and weighted: what finding the stem in each document is worth, rarity included. */
  readonly scores: Float64Array;
}

/** Document, field and count of each occurrence of a stem, one after the other: a catalog has a million of them. */
type Occurrences = number[];

/** Where more of the same word stops counting. */
const SATURATION = 1.2;

export class InvertedIndex {
  readonly #rules: readonly FieldRule[];
  readonly #occurrences = new Map<string, Occurrences>();
  readonly #lengths: Uint16Array[] = [];
  readonly #ready = new Map<string, Postings>();
  /** Stems in all documents together, by field. */
  readonly #totals: number[];
  /** Stems by their first letter; sorted when they are asked for. */
  readonly #vocabulary = new Map<string, { stems: string[]; sorted: boolean }>();

  constructor(rules: readonly FieldRule[]) {
    this.#rules = rules;
    this.#totals = rules.map(() => 0);
  }

  /** Begins the next document. */
  begin(): void {
    this.#lengths.push(new Uint16Array(this.#rules.length));
  }

  /** Adds a stem to a field of the document that was begun last. */
  add(field: number, stem: string): void {
    const document = this.#lengths.length - 1;
    this.#lengths[document]![field]!++;
    this.#totals[field]!++;
    const list = this.#occurrences.get(stem);
    if (!list) this.#meet(stem, [document, field, 1]);
    else if (list[list.length - 3] === document && list[list.length - 2] === field) list[list.length - 1]!++;
    else list.push(document, field, 1);
  }

  get size(): number {
    return this.#lengths.length;
  }

  has(stem: string): boolean {
    return this.#occurrences.has(stem);
  }

  /** All stems that begin with this letter, sorted. */
  beginningWith(letter: string): readonly string[] {
    const bucket = this.#vocabulary.get(letter);
    if (!bucket) return [];
    if (!bucket.sorted) bucket.stems.sort();
    bucket.sorted = true;
    return bucket.stems;
  }

  /** Made at the first question for a stem; nothing may be added after that. */
  postings(stem: string): Postings | undefined {
    let found = this.#ready.get(stem);
    if (!found) {
      const occurrences = this.#occurrences.get(stem);
      if (!occurrences) return undefined;
      found = this.#weigh(occurrences);
      this.#ready.set(stem, found);
    }
    return found;
  }

  #meet(stem: string, first: Occurrences): void {
    this.#occurrences.set(stem, first);
    const bucket = this.#vocabulary.get(stem[0]!);
    if (bucket) bucket.stems.push(stem);
    else this.#vocabulary.set(stem[0]!, { stems: [stem], sorted: false });
  }

  #weigh(occurrences: Occurrences): Postings {
    const averages = this.#totals.map((total) => Math.max(1, total / this.size));
    const documents: number[] = [];
    const weights: number[] = [];
    for (let at = 0; at < occurrences.length; at += 3) {
      const document = occurrences[at]!;
      const field = occurrences[at + 1]!;
      const count = occurrences[at + 2]!;
      const { weight, lengthPenalty } = this.#rules[field]!;
      const length = this.#lengths[document]![field]! / averages[field]!;
      const worth = (weight * count) / (1 - lengthPenalty + lengthPenalty * length);
      if (documents.at(-1) === document) weights[weights.length - 1]! += worth;
      else {
        documents.push(document);
        weights.push(worth);
      }
    }
    const rarity = Math.log(1 + (this.size - documents.length + 0.5) / (documents.length + 0.5));
    const scores = Float64Array.from(weights, (worth) => (rarity * worth) / (SATURATION + worth));
    return { documents: Int32Array.from(documents), scores };
  }
}
