// Identifier paths under `MCP`, both ways.

import { finish, type Steps } from '@codeseam/schema-types';
import { identifiersInSteps, identifiersOf } from './identifiers.ts';
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

/** One server with its name settled. Those of its tools are settled when they are first asked for. */
export interface NamedServer {
  readonly catalog: McpServerCatalog;
  readonly identifier: string;
  /** Settles the names of its tools ahead. */
  nameTools(): Steps<void>;
  /** Its tools, of which no two have one name. */
  readonly toolCount: number;
  /** By identifier. */
  readonly tools: readonly NamedTool[];
  readonly byIdentifier: ReadonlyMap<string, NamedTool>;
  readonly byName: ReadonlyMap<string, NamedTool>;
  readonly resources: { list: boolean; read: boolean };
  readonly prompts: { list: boolean; get: boolean };
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
  let named: NamedTools | undefined;
  const settled = () => {
    named ??= finish(nameTools(catalog.tools));
    return named;
  };
  return {
    *nameTools() {
      const made = named ?? (yield* nameTools(catalog.tools));
      named ??= made;
    },
    catalog,
    identifier,
    toolCount: new Set(catalog.tools.map((tool) => tool.name)).size,
    get tools() {
      return settled().tools;
    },
    get byIdentifier() {
      return settled().byIdentifier;
    },
    get byName() {
      return settled().byName;
    },
    resources: { list: catalog.resources?.list === true, read: catalog.resources?.read === true },
    prompts: { list: catalog.prompts?.list === true, get: catalog.prompts?.get === true },
  };
}

type NamedTools = Pick<NamedServer, 'tools' | 'byName' | 'byIdentifier'>;

function* nameTools(given: readonly McpToolInfo[]): Steps<NamedTools> {
  const byName = new Map<string, NamedTool>();
  const identifiers = yield* identifiersInSteps(
    given.map((tool) => tool.name),
    RESERVED_TOOL_NAMES,
  );
  for (const info of given) {
    if (!byName.has(info.name)) byName.set(info.name, { info, identifier: identifiers.get(info.name)! });
  }
  const tools = [...byName.values()].sort(byIdentifierOrder);
  return { tools, byName, byIdentifier: new Map(tools.map((tool) => [tool.identifier, tool])) };
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
export function pathOfTool(server: NamedServer, toolName: string): string[] | undefined {
  const tool = server.byName.get(toolName);
  if (tool !== undefined) return ['MCP', server.identifier, tool.identifier];
  const fixed = /^\$(resources|prompts)\.(list|read|get)$/.exec(toolName);
  if (fixed === null || resolvePath([server], [server.identifier, fixed[1]!, fixed[2]!]) === undefined)
    return undefined;
  return ['MCP', server.identifier, fixed[1]!, fixed[2]!];
}

/** What callers see of a named server. */
export function describeServer(server: NamedServer): McpApiServer {
  let tools: McpApiServer['tools'] | undefined;
  return {
    server: server.catalog.name,
    identifier: server.identifier,
    toolCount: server.toolCount,
    get tools() {
      tools ??= server.tools.map(({ info, identifier }) => ({ tool: info.name, identifier }));
      return tools;
    },
    resources: server.resources,
    prompts: server.prompts,
  };
}
