// How a call ended -> the result that goes over the wire.
import type { JsonValue } from '@codeseam/lossless-json';
import type { ToolCallOutcome, ToolContent } from '@codeseam/tools';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { PresentedTool } from './present-tools.ts';

/** Text for every client, `structuredContent` for those that read it, `isError` for what failed. */
export function toCallResult(outcome: ToolCallOutcome, tool: PresentedTool | undefined): CallToolResult {
  const deferred = outcome.additionalContexts.flatMap((entry) => entry.content);
  const content = [...outcome.content, ...deferred].map(toBlock);
  if (content.length === 0 && outcome.message !== undefined) content.push({ type: 'text', text: outcome.message });
  const structured = structuredOf(outcome.value, tool);
  return {
    content,
    ...(structured === undefined ? {} : { structuredContent: structured as Record<string, unknown> }),
    ...(outcome.isError || failed(outcome.value, tool) ? { isError: true } : {}),
  };
}

/** What an MCP tool gave is given on as it was; a program's result and any other object is the structure itself. */
function structuredOf(value: JsonValue | undefined, tool: PresentedTool | undefined): JsonValue | undefined {
  if (!isObject(value)) return tool?.declaresOutput === true ? value : undefined;
  return tool?.source === 'mcp' ? value['structuredContent'] : value;
}

/** A program that failed is an error of the call, though the call of `exec` itself went well. */
function failed(value: JsonValue | undefined, tool: PresentedTool | undefined): boolean {
  return tool?.control === true && isObject(value) && value['status'] === 'failed';
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toBlock(content: ToolContent): CallToolResult['content'][number] {
  if (content.type !== 'resource') return { ...content };
  const { uri, mimeType, text, blob } = content.resource;
  const type = mimeType === undefined ? {} : { mimeType };
  return {
    type: 'resource',
    resource: blob === undefined ? { uri, ...type, text: text ?? '' } : { uri, ...type, blob },
  };
}
