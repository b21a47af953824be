import { describeMcp } from '@codeseam/mcp-dts';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { BenchCase } from '../bench-case.ts';
import { readServerCorpus } from '../work/server-corpus.ts';

const count = (text: string): number => encode(text).length;

const p12: BenchCase = {
  id: 'P12',
  title: 'tokens of declarations over those of the schemas, descriptions left out of both',
  rounds: 1,
  async measure() {
    const servers = readServerCorpus();
    const api = describeMcp(servers);
    let schemas = 0;
    let schemasWithText = 0;
    const texts = new Set<string>();
    for (const { inputSchema, outputSchema } of servers.flatMap((server) => server.tools)) {
      schemas += count(JSON.stringify(withoutDescriptions({ inputSchema, outputSchema }, texts)));
      schemasWithText += count(JSON.stringify({ inputSchema, outputSchema }));
    }
    for (const tool of servers.flatMap((server) => server.tools))
      if (tool.description) texts.add(printed(tool.description));
    const declarations = api.files.map((file) => file.content);
    const bare = sum(declarations, (text) => count(withoutTexts(text, texts)));
    const uncommented = sum(declarations, (text) => count(text.replace(/ ?\/\*\*[\s\S]*?\*\//g, '')));
    const share = (100 * bare) / schemas;
    return [
      { what: this.title, unit: '%', ours: share, reach: 'at most 45 %', reached: share <= 45 },
      { what: 'the same without the marks and tags of comments', unit: '%', ours: (100 * uncommented) / schemas },
      {
        what: 'declarations and schemas with all their text',
        unit: 'tokens',
        ours: sum(declarations, count),
        peer: schemasWithText,
      },
    ];
  },
};

/** The schema with the texts of its descriptions emptied; they are added to `texts` as they are printed. */
function withoutDescriptions(value: unknown, texts: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDescriptions(item, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== 'description' || typeof inner !== 'string') return [key, withoutDescriptions(inner, texts)];
      texts.add(printed(inner));
      return [key, ''];
    }),
  );
}

function printed(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('*/', '*\\/');
}

/** Comments keep their marks and tags. */
function withoutTexts(content: string, texts: ReadonlySet<string>): string {
  return content.replace(/\/\*\* ([\s\S]*?) \*\//g, (comment, body: string) => {
    for (let end = body.length; end > 0; end = body.lastIndexOf(' @', end - 1)) {
      if (texts.has(body.slice(0, end)) || texts.has(body.slice(0, end).replace(/\n \*$/, '')))
        return `/**${body.slice(end)} */`;
    }
    return comment;
  });
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

export default p12;
