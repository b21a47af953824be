// The bounded index of host and plugin tools in the description of `exec`: ids and shapes, never a tool's own prose.
import type { Steps } from '@codeseam/schema-types';
import type { Tool } from '@codeseam/tools';
import { inputHint, isTrustedSource, outputHint } from './tool-hints.ts';

export interface QuickIndex {
  lines: string[];
  /** Host and plugin tools that did not fit. */
  more: number;
}

/** `- ` and ` {} -> ?`: no line is shorter than its id and this. */
const SHORTEST_REST = '-  {} -> ?\n'.length;

/**
 * Tools with a declared output first, then by id. A line that does not fit is skipped and later ones are still tried, so
 * that the index is full whatever the order.
 *
 * @param maxChars of all lines together, line ends included.
 */
export function* quickIndex(tools: readonly Tool[], maxChars: number): Steps<QuickIndex> {
  const own = tools.filter(isTrustedSource).sort(byOutputThenId);
  yield;
  const lines: string[] = [];
  let left = maxChars;
  for (const tool of own) {
    // Spares the hints of thousands of tools that cannot fit.
    if (tool.id.length + SHORTEST_REST > left) continue;
    yield;
    const line = `- ${oneLine(tool.id)} ${inputHint(tool)} -> ${outputHint(tool) ?? '?'}`;
    if (line.length + 1 > left) continue;
    lines.push(line);
    left -= line.length + 1;
  }
  return { lines, more: own.length - lines.length };
}

function byOutputThenId(a: Tool, b: Tool): number {
  const declared = Number(b.outputSchema !== undefined) - Number(a.outputSchema !== undefined);
  return declared || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** An id may hold any character; the index keeps to one line each. */
function oneLine(id: string): string {
  return /^[\x21-\x7e]+$/.test(id) ? id : JSON.stringify(id);
}
