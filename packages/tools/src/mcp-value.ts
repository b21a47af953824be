// The schema of what an MCP tool gives to programs, around the one that its server declares, and back.
import type { JsonSchema, ToolSource } from './types.ts';

const ROOT = 'urn:codeseam:mcp:';

/**
 * The schema of an MCP tool's canonical value `{ content, structuredContent?, isError? }`. The declared schema describes
 * `structuredContent` alone; it keeps a root of its own (`$id`), so that its local references still point into itself.
 */
export function mcpValueSchema(server: string, tool: string, declared: JsonSchema): JsonSchema {
  const $id = `${ROOT}${encodeURIComponent(server)}:${encodeURIComponent(tool)}:output`;
  return {
    type: 'object',
    properties: {
      content: { type: 'array', items: { type: 'object' } },
      structuredContent: '$id' in declared ? declared : { $id, ...declared },
      isError: { type: 'boolean' },
    },
    required: ['content'],
    additionalProperties: false,
  };
}

/** The declared schema of an MCP tool, as its server gave it; the output schema itself for tools of other sources. */
export function structuredSchemaOf(tool: { source?: ToolSource; outputSchema?: JsonSchema }): JsonSchema | undefined {
  const { source, outputSchema } = tool;
  if (source !== 'mcp' || outputSchema === undefined) return outputSchema;
  const declared = (outputSchema['properties'] as Record<string, JsonSchema> | undefined)?.['structuredContent'];
  if (declared === undefined) return undefined;
  const { $id, ...rest } = declared;
  return typeof $id === 'string' && $id.startsWith(ROOT) ? rest : declared;
}
