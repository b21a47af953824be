// Who a tool is: (source, owner, name), written as one id.
import type { ToolSource } from './types.ts';

/** In the order in which views list them. */
export const TOOL_SOURCES: readonly ToolSource[] = ['host', 'plugin', 'mcp', 'client'];

const escapePart = (part: string): string => part.replace(/[%:]/g, (char) => (char === '%' ? '%25' : '%3A'));

/** `<source>:<owner>:<name>` with `:` and `%` in parts escaped, so that different identities have different ids. */
export function toolId(source: ToolSource, owner: string, name: string): string {
  return `${source}:${escapePart(owner)}:${escapePart(name)}`;
}

/** Orders by plain code units, so that no locale changes a prompt. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders tools by source (host, plugin, mcp, client), then id. */
export function compareTools(a: { source: ToolSource; id: string }, b: { source: ToolSource; id: string }): number {
  return TOOL_SOURCES.indexOf(a.source) - TOOL_SOURCES.indexOf(b.source) || compareText(a.id, b.id);
}
