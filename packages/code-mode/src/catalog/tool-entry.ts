// A tool as programs find it in `ALL_TOOLS` and in search results.
import { cutText } from '@codeseam/lossless-json';
import type { Tool } from '@codeseam/tools';
import type { ToolCatalogEntry } from '../types.ts';
import { inputHint, isTrustedSource, outputHint } from './tool-hints.ts';

/** UTF-8 bytes of a description in a list; `describe` gives the whole. */
const MAX_DESCRIPTION_BYTES = 480;

/** @param callPath how a program calls it, for MCP tools: `MCP.github.createIssue`. */
export function toolEntry(tool: Tool, callPath?: string): ToolCatalogEntry {
  const trusted = isTrustedSource(tool);
  const output = trusted ? outputHint(tool) : undefined;
  return {
    id: tool.id,
    name: tool.name,
    ...(tool.title === undefined ? {} : { label: tool.title }),
    description: shorten(tool.description),
    source: tool.source,
    ...(tool.source === 'host' ? {} : { sourceName: tool.owner }),
    // Foreign schemas do not steer until they are asked for.
    input: trusted ? inputHint(tool) : 'unknown',
    ...(output === undefined ? {} : { output }),
    ...(callPath === undefined ? {} : { callPath }),
  };
}

function shorten(description: string): string {
  const cut = cutText(description, MAX_DESCRIPTION_BYTES);
  return cut.length === description.length ? description : `${cut}…`;
}
