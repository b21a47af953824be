// Finds tools by what they are called, say and take.
import { nearestNames } from '@codeseam/nearest-names';
import type { Steps } from '@codeseam/schema-types';
import type { Tool } from '@codeseam/tools';
import { InvertedIndex } from './inverted-index.ts';
import { relatedStems } from './related-words.ts';
import { splitWords } from './split-words.ts';
import { forEachStem, stemOf, stemsOf } from './stem-word.ts';
import { isStopWord } from './stop-words.ts';

export interface ToolSearchHits {
  tools: Tool[];
  /** All tools that match. */
  total: number;
}

/** Name, title, owner, what the description begins with, the rest of it, parameter names. */
const RULES = [
  { weight: 3, lengthPenalty: 0.5 },
  { weight: 1.5, lengthPenalty: 0.3 },
  { weight: 1, lengthPenalty: 0 },
  { weight: 2, lengthPenalty: 0.5 },
  { weight: 0.5, lengthPenalty: 0.6 },
  { weight: 0.5, lengthPenalty: 0.5 },
];
const RELATED_WEIGHT = 0.5;
const PREFIX_WEIGHT = 0.7;
const FUZZY_WEIGHT = 0.6;
const MOST_PREFIXED = 12;
/** More words of the query found count more than one word found often. */
const COVERAGE_POWER = 0.6;
/** Past this, descriptions tell usage rather than purpose, and past the second they are not read. */
const LEAD_CHARS = 160;
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_QUERY_WORDS = 40;
const RERANKED = 50;
const NAME_BONUS = 0.3;

/** The search index of one catalog: built in slices, asked many times. */
export class ToolSearch {
  readonly #tools: readonly Tool[];
  readonly #index = new InvertedIndex(RULES);
  readonly #exact = new Map<string, number[]>();
  readonly #scores: Float64Array;
  readonly #best: Float64Array;
  readonly #found: Uint8Array;

  private constructor(tools: readonly Tool[]) {
    this.#tools = tools;
    this.#scores = new Float64Array(tools.length);
    this.#best = new Float64Array(tools.length);
    this.#found = new Uint8Array(tools.length);
  }

  /** Builds the index, tool by tool. */
  static *build(tools: readonly Tool[]): Steps<ToolSearch> {
    const search = new ToolSearch(tools);
    for (const tool of tools) {
      search.#add(tool);
      yield;
    }
    return search;
  }

  /** Exact name or id first, then by rank, then by id. An empty query lists the first tools by id. */
  find(query: string, limit: number): ToolSearchHits {
    const asked = query.trim();
    if (asked === '') return this.#firstById(limit);
    const matches = this.#rank(asked);
    const exact = this.#exact.get(asked.toLowerCase()) ?? [];
    for (const at of exact) if (this.#found[at] === 0) matches.push(at);
    for (const at of exact) this.#scores[at] = Number.POSITIVE_INFINITY;
    // By score (two exact ones are equal), then by id.
    const comesFirst = (a: number, b: number) => {
      const [one, other] = [this.#scores[a]!, this.#scores[b]!];
      if (one !== other) return other > one ? 1 : -1;
      return this.#tools[a]!.id < this.#tools[b]!.id ? -1 : 1;
    };
    const first = best(matches, Math.max(limit, RERANKED), comesFirst);
    this.#preferWhollyNamed(asked, first);
    first.sort(comesFirst);
    return { tools: first.slice(0, limit).map((at) => this.#tools[at]!), total: matches.length };
  }

  #firstById(limit: number): ToolSearchHits {
    const all = this.#tools.map((_, at) => at);
    const first = best(all, limit, (a, b) => (this.#tools[a]!.id < this.#tools[b]!.id ? -1 : 1));
    return { tools: first.map((at) => this.#tools[at]!), total: all.length };
  }

  /** The tools that match, with their scores in `#scores`. */
  #rank(query: string): number[] {
    this.#scores.fill(0);
    this.#found.fill(0);
    const words = splitWords(query).slice(0, MAX_QUERY_WORDS);
    const telling = words.filter((word) => !isStopWord(word));
    const stems = [...new Set((telling.length > 0 ? telling : words).map(stemOf))];
    const matches: number[] = [];
    for (const stem of stems) {
      const touched: number[] = [];
      for (const [alternative, weight] of this.#alternatives(stem)) {
        const postings = this.#index.postings(alternative);
        if (!postings) continue;
        const { documents, scores } = postings;
        for (let at = 0; at < documents.length; at++) {
          const document = documents[at]!;
          const score = scores[at]! * weight;
          if (this.#best[document] === 0) touched.push(document);
          if (score > this.#best[document]!) this.#best[document] = score;
        }
      }
      for (const document of touched) {
        if (this.#found[document] === 0) matches.push(document);
        this.#found[document]!++;
        this.#scores[document]! += this.#best[document]!;
        this.#best[document] = 0;
      }
    }
    for (const document of matches)
      this.#scores[document]! *= (this.#found[document]! / stems.length) ** COVERAGE_POWER;
    return matches;
  }

  /** Among the best, a name that the query speaks of as a whole comes before one of which it speaks of a part. */
  #preferWhollyNamed(query: string, matches: readonly number[]): void {
    const asked = new Set<string>();
    for (const stem of stemsOf(query)) {
      asked.add(stem);
      for (const related of relatedStems(stem)) asked.add(related);
    }
    for (const at of matches) {
      const stems = stemsOf(this.#tools[at]!.name);
      const spoken = stems.filter((stem) => asked.has(stem)).length;
      this.#scores[at]! *= 1 + (NAME_BONUS * spoken) / Math.max(1, stems.length);
    }
  }

  /** The stem itself, what begins with it, words for the same, and, for a word that stands nowhere, its neighbours. */
  *#alternatives(stem: string): Iterable<readonly [string, number]> {
    yield [stem, 1];
    for (const related of relatedStems(stem)) yield [related, RELATED_WEIGHT];
    if (stem.length < 4) return;
    const family = this.#index.beginningWith(stem[0]!);
    const prefixed = startingWith(family, stem);
    for (const longer of prefixed) yield [longer, PREFIX_WEIGHT];
    if (this.#index.has(stem) || prefixed.length > 0) return;
    for (const near of nearestNames(stem, neighbours(family, stem))) yield [near, FUZZY_WEIGHT];
  }

  #add(tool: Tool): void {
    const at = this.#index.size;
    for (const key of new Set([tool.id.toLowerCase(), tool.name.toLowerCase()])) {
      const same = this.#exact.get(key);
      if (same) same.push(at);
      else this.#exact.set(key, [at]);
    }
    const description = tool.description.slice(0, MAX_DESCRIPTION_CHARS);
    const lead = leadOf(description);
    this.#index.begin();
    const texts = [
      tool.name,
      tool.title ?? '',
      tool.owner,
      description.slice(0, lead),
      description.slice(lead),
      parameterNames(tool).join(' '),
    ];
    for (const [field, text] of texts.entries()) forEachStem(text, (stem) => this.#index.add(field, stem));
  }
}

/** The names of a tool's top-level parameters. */
export function parameterNames(tool: Pick<Tool, 'parameters'>): string[] {
  const { properties } = tool.parameters as { properties?: unknown };
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

/** Where the first sentence ends, or the first words of it. */
function leadOf(description: string): number {
  const end = /[.!?。！？](?:\s|$)|\n\s*\n/.exec(description.slice(20, LEAD_CHARS));
  if (end) return 20 + end.index + 1;
  return Math.min(description.length, LEAD_CHARS);
}

/** The words that a misspelt one may be: of its first letter, and about its length. */
function neighbours(family: readonly string[], stem: string): string[] {
  return family.filter((word) => Math.abs(word.length - stem.length) <= 2);
}

/** The longer words of a sorted vocabulary that begin with a stem. */
function startingWith(vocabulary: readonly string[], stem: string): string[] {
  const found: string[] = [];
  for (
    let at = firstAfter(vocabulary, stem);
    at < vocabulary.length && found.length < MOST_PREFIXED && vocabulary[at]!.startsWith(stem);
    at++
  ) {
    found.push(vocabulary[at]!);
  }
  return found;
}

/** The index of the first word behind `word`. */
function firstAfter(vocabulary: readonly string[], word: string): number {
  let low = 0;
  let high = vocabulary.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (vocabulary[middle]! <= word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The `most` items that come first, in order; far cheaper than sorting thousands to show five. */
function best(items: readonly number[], most: number, comesFirst: (a: number, b: number) => number): number[] {
  const kept: number[] = [];
  for (const item of items) {
    if (kept.length === most && comesFirst(item, kept[most - 1]!) > 0) continue;
    let low = 0;
    let high = kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comesFirst(item, kept[middle]!) < 0) high = middle;
      else low = middle + 1;
    }
    kept.splice(low, 0, item);
    if (kept.length > most) kept.pop();
  }
  return kept;
}
