// The search index of one catalog: built in slices, asked many times.
import type { Tool } from '@codeseam/tools';
import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { SliceClock } from '../slice-clock.ts';
import { splitWords } from './split-words.ts';
import { isStopWord } from './stop-words.ts';

export interface ToolSearchHits {
  tools: Tool[];
  /** All tools that match. */
  total: number;
}

interface Document {
  id: number;
  name: string;
  label: string;
  owner: string;
  description: string;
  parameters: string;
}

const FIELDS = ['name', 'label', 'owner', 'description', 'parameters'] as const;
const BOOST = { name: 4, label: 2, owner: 1.5, description: 1.2, parameters: 0.7 };

/** Finds tools by what they are called, say and take. */
export class ToolSearch {
  readonly #tools: readonly Tool[];
  readonly #index: MiniSearch<Document>;
  readonly #terms = new Set<string>();
  /** The empty query's answer. */
  readonly #byId: readonly Tool[];

  private constructor(tools: readonly Tool[]) {
    this.#tools = tools;
    this.#byId = [...tools].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#index = new MiniSearch<Document>({
      fields: [...FIELDS],
      tokenize: splitWords,
      processTerm: (word) => {
        const term = stemmer(word);
        this.#terms.add(term);
        return term;
      },
    });
  }

  /** Builds the index without holding the event loop for more than some milliseconds at a time. */
  static async build(tools: readonly Tool[]): Promise<ToolSearch> {
    const search = new ToolSearch(tools);
    const clock = new SliceClock();
    for (const [id, tool] of tools.entries()) {
      search.#index.add({
        id,
        name: tool.name,
        label: tool.title ?? '',
        owner: tool.owner,
        description: tool.description,
        parameters: parameterNames(tool).join(' '),
      });
      if (clock.isOver()) await clock.pause();
    }
    return search;
  }

  find(query: string, limit: number): ToolSearchHits {
    const asked = query.trim();
    if (asked === '') return { tools: this.#byId.slice(0, limit), total: this.#byId.length };
    const words = splitWords(asked);
    const telling = words.filter((word) => !isStopWord(word));
    const text = (telling.length > 0 ? telling : words).join(' ');
    const results = this.#index.search(text, {
      boost: BOOST,
      processTerm: (word) => stemmer(word),
      prefix: (term) => term.length > 3,
      // Only a word that stands nowhere can be a misspelt one.
      fuzzy: (term) => (term.length > 3 && !this.#terms.has(term) ? 0.25 : false),
    });
    const exact = asked.toLowerCase();
    const isExact = (tool: Tool) => tool.id.toLowerCase() === exact || tool.name.toLowerCase() === exact;
    const ranked = results
      .map(({ id, score }) => ({ tool: this.#tools[id as number]!, score }))
      .sort(
        (a, b) =>
          Number(isExact(b.tool)) - Number(isExact(a.tool)) || b.score - a.score || (a.tool.id < b.tool.id ? -1 : 1),
      );
    return { tools: ranked.slice(0, limit).map(({ tool }) => tool), total: ranked.length };
  }
}

/** The names of a tool's top-level parameters. */
export function parameterNames(tool: Pick<Tool, 'parameters'>): string[] {
  const { properties } = tool.parameters as { properties?: unknown };
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}
