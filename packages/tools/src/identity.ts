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

/** A text by which tools sort as views list them: by source (host, plugin, mcp, client), then id. */
export function orderKey(source: ToolSource, id: string): string {
  return `${TOOL_SOURCES.indexOf(source)}${id}`;
}

/** Orders owners by source (host, plugin, mcp, client), then name. */
export function compareOwners(
  a: { source: ToolSource; owner: string },
  b: { source: ToolSource; owner: string },
): number {
  return TOOL_SOURCES.indexOf(a.source) - TOOL_SOURCES.indexOf(b.source) || compareText(a.owner, b.owner);
}
