// For tests: the tools of 69 real MCP servers in a registry.
import { createToolRegistry, type JsonSchema, type ToolRegistry, type ToolView } from '@codeseam/tools';
import { readCorpus } from '../../../mcp-dts/src/testing/read-corpus.ts';

export interface CorpusTool {
  owner: string;
  name: string;
  title?: string;
  description: string;
  parameters: JsonSchema;
}

export function corpusTools(): CorpusTool[] {
  return readCorpus().flatMap((server) =>
    server.tools.map((tool) => ({
      owner: server.name,
      name: tool.name,
      ...(tool.title === undefined ? {} : { title: tool.title }),
      description: tool.description ?? '',
      parameters: readable(tool.inputSchema),
    })),
  );
}

/** What a client would make of a schema that the registry cannot read. */
function readable(schema: unknown): JsonSchema {
  return typeof schema === 'object' && schema !== null ? (schema as JsonSchema) : { type: 'object' };
}

/** Registers all of the corpus as MCP tools. */
export function corpusRegistry(): { tools: ToolRegistry; view: ToolView } {
  const tools = createToolRegistry({ mode: 'native' });
  const byOwner = new Map<string, CorpusTool[]>();
  for (const tool of corpusTools()) byOwner.set(tool.owner, [...(byOwner.get(tool.owner) ?? []), tool]);
  for (const [owner, list] of byOwner) {
    const registrar = tools.registrar({ source: 'mcp', owner });
    registrar.replace(list.map(({ owner: _, ...tool }) => ({ ...tool, execute: () => ({ content: [] }) })));
  }
  return { tools, view: tools.view({}) };
}
