// Identifier paths under `MCP`, both ways.

import { identifiersOf } from './identifiers.ts';
import { RESERVED_SERVER_NAMES, RESERVED_TOOL_NAMES } from './reserved-words.ts';
import type { McpApiServer, McpServerCatalog, McpTarget, McpToolInfo } from './types.ts';

/** Names of the hidden tools behind the fixed members. */
const FIXED_MEMBERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  resources: { list: '$resources.list', read: '$resources.read' },
  prompts: { list: '$prompts.list', get: '$prompts.get' },
};

export interface NamedTool {
  info: McpToolInfo;
  identifier: string;
}

/** One server with its names settled: tools by identifier. */
export interface NamedServer {
  catalog: McpServerCatalog;
  identifier: string;
  tools: readonly NamedTool[];
  byIdentifier: ReadonlyMap<string, NamedTool>;
  byName: ReadonlyMap<string, NamedTool>;
  resources: { list: boolean; read: boolean };
  prompts: { list: boolean; get: boolean };
}

/** Servers with something visible, by identifier. Of two with the same name the first counts, and so with tools. */
export function nameServers(catalogs: readonly McpServerCatalog[]): NamedServer[] {
  const visible = new Map<string, McpServerCatalog>();
  for (const catalog of catalogs) {
    if (!visible.has(catalog.name) && hasContent(catalog)) visible.set(catalog.name, catalog);
  }
  // Files are named by the identifier, and some file systems fold case.
  const identifiers = identifiersOf(visible.keys(), RESERVED_SERVER_NAMES, { foldCase: true });
  return [...visible.values()]
    .map((catalog) => nameServer(catalog, identifiers.get(catalog.name)!))
    .sort(byIdentifierOrder);
}

function hasContent({ tools, resources, prompts }: McpServerCatalog): boolean {
  return tools.length > 0 || [resources?.list, resources?.read, prompts?.list, prompts?.get].includes(true);
}

function nameServer(catalog: McpServerCatalog, identifier: string): NamedServer {
  const byName = new Map<string, NamedTool>();
  const identifiers = identifiersOf(
    catalog.tools.map((tool) => tool.name),
    RESERVED_TOOL_NAMES,
  );
  for (const info of catalog.tools) {
    if (!byName.has(info.name)) byName.set(info.name, { info, identifier: identifiers.get(info.name)! });
  }
  const tools = [...byName.values()].sort(byIdentifierOrder);
  return {
    catalog,
    identifier,
    tools,
    byName,
    byIdentifier: new Map(tools.map((tool) => [tool.identifier, tool])),
    resources: { list: catalog.resources?.list === true, read: catalog.resources?.read === true },
    prompts: { list: catalog.prompts?.list === true, get: catalog.prompts?.get === true },
  };
}

function byIdentifierOrder(a: { identifier: string }, b: { identifier: string }): number {
  return a.identifier < b.identifier ? -1 : a.identifier > b.identifier ? 1 : 0;
}

export function findServer(servers: readonly NamedServer[], name: string): NamedServer | undefined {
  return servers.find((server) => server.identifier === name) ?? servers.find((server) => server.catalog.name === name);
}

export function findTool(server: NamedServer, name: string): NamedTool | undefined {
  return server.byIdentifier.get(name) ?? server.byName.get(name);
}

/** What a path of identifiers or raw names means; undefined if it means no visible tool. */
export function resolvePath(servers: readonly NamedServer[], path: readonly string[]): McpTarget | undefined {
  const [first, second, third] = path;
  const server = first === undefined ? undefined : findServer(servers, first);
  if (server === undefined || second === undefined) return undefined;
  if (path.length === 2) {
    const tool = findTool(server, second);
    return tool && { server: server.catalog.name, tool: tool.info.name };
  }
  if (path.length !== 3 || third === undefined) return undefined;
  const isThere =
    (second === 'resources' || second === 'prompts') && (server[second] as Record<string, boolean>)[third] === true;
  const member = isThere ? FIXED_MEMBERS[second]?.[third] : undefined;
  return member === undefined ? undefined : { server: server.catalog.name, tool: member };
}

/** The path of a raw tool name, the hidden names of fixed members included. */
export function pathOfTool(
  servers: readonly NamedServer[],
  serverName: string,
  toolName: string,
): string[] | undefined {
  const server = servers.find((item) => item.catalog.name === serverName);
  if (server === undefined) return undefined;
  const tool = server.byName.get(toolName);
  if (tool !== undefined) return ['MCP', server.identifier, tool.identifier];
  const fixed = /^\$(resources|prompts)\.(list|read|get)$/.exec(toolName);
  if (fixed === null || resolvePath([server], [server.identifier, fixed[1]!, fixed[2]!]) === undefined)
    return undefined;
  return ['MCP', server.identifier, fixed[1]!, fixed[2]!];
}

/** What callers see of a named server. */
export function describeServer(server: NamedServer): McpApiServer {
  return {
    server: server.catalog.name,
    identifier: server.identifier,
    tools: server.tools.map(({ info, identifier }) => ({ tool: info.name, identifier })),
    resources: server.resources,
    prompts: server.prompts,
  };
}
