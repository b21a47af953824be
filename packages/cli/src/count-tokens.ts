// Exact token counts (encoding o200k) of what a model would be sent; the tables are loaded when first needed.
import type { Presentation, WireTool } from '@codeseam/tools';

/** Tokens of a text. */
export async function countTokens(text: string): Promise<number> {
  const { countTokens: count } = await import('gpt-tokenizer/encoding/o200k_base');
  return count(text);
}

/** The tools as a chat API takes them, which is what a model reads. */
export function wireText(tools: readonly WireTool[]): string {
  return JSON.stringify(
    tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  );
}

/** Tokens of a whole presentation: its tools and its prompt sections. */
export async function countPresentation({ tools, sections }: Presentation): Promise<number> {
  const prompt = sections.map((section) => section.render()).join('\n\n');
  return (tools.length > 0 ? await countTokens(wireText(tools)) : 0) + (prompt === '' ? 0 : await countTokens(prompt));
}
