// What a view shows of MCP servers, in the form that declarations are made of.
import type { McpServerCatalog } from '@codeseam/mcp-dts';
import { finish, type Steps } from '@codeseam/schema-types';
import { STEP, structuredSchemaOf, type Tool, type ToolView } from '@codeseam/tools';

/** The names under which an MCP client registers what servers have beside tools. */
const FIXED_MEMBERS = {
  resources: { list: '$resources.list', read: '$resources.read' },
  prompts: { list: '$prompts.list', get: '$prompts.get' },
} as const;

/** The visible MCP servers, in the order of their names. Direct-only tools are in none. */
export function mcpCatalogs(view: ToolView): McpServerCatalog[] {
  return finish(mcpCatalogsInSteps(view));
}

export function* mcpCatalogsInSteps(view: ToolView): Steps<McpServerCatalog[]> {
  const byServer = new Map<string, Tool[]>();
  for (const [at, tool] of view.tools.entries()) {
    if (at % STEP === 0) yield;
    if (tool.source !== 'mcp' || tool.directOnly) continue;
    const tools = byServer.get(tool.owner);
    if (tools) tools.push(tool);
    else byServer.set(tool.owner, [tool]);
  }
  const catalogs: McpServerCatalog[] = [];
  for (const [name, tools] of byServer) {
    catalogs.push(toCatalog(name, tools, view));
    yield;
  }
  return catalogs;
}

function toCatalog(name: string, tools: readonly Tool[], view: ToolView): McpServerCatalog {
  const info = view.owners.find((it) => it.source === 'mcp' && it.owner === name)?.info;
  const has = (member: string) => tools.some((tool) => tool.hidden && tool.name === member);
  const resources = { list: has(FIXED_MEMBERS.resources.list), read: has(FIXED_MEMBERS.resources.read) };
  const prompts = { list: has(FIXED_MEMBERS.prompts.list), get: has(FIXED_MEMBERS.prompts.get) };
  return {
    name,
    ...(info?.title === undefined ? {} : { title: info.title }),
    ...(info?.version === undefined ? {} : { version: info.version }),
    ...(info?.instructions === undefined ? {} : { instructions: info.instructions }),
    tools: tools
      .filter((tool) => !tool.hidden)
      .map((tool) => [tool, structuredSchemaOf(tool)] as const)
      .map(([tool, outputSchema]) => ({
        name: tool.name,
        ...(tool.title === undefined ? {} : { title: tool.title }),
        description: tool.description,
        inputSchema: tool.parameters,
        ...(outputSchema === undefined ? {} : { outputSchema }),
        annotations: tool.annotations,
      })),
    ...(resources.list || resources.read ? { resources } : {}),
    ...(prompts.list || prompts.get ? { prompts } : {}),
  };
}
