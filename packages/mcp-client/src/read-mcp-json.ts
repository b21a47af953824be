// Reads the JSON files in which other clients keep their MCP servers.
import { JsonSyntaxError, parseCommentedJson } from '@codeseam/strict-config';
import { McpClientError } from './errors.ts';
import { isRecord, type JsonRecord } from './mcp-request.ts';
import { readServers, type ServerOptions } from './server-config.ts';

export interface ReadMcpJsonOptions {
  /** Where the text is from, for messages. */
  from?: string;
  /** What `${NAME}`, `${env:NAME}` and `${NAME:-default}` stand for. Without it such places are errors. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** The keys under which clients keep the map. */
const MAP_KEYS = ['mcpServers', 'servers', 'mcp_servers'];
/** Other names that clients have for our fields. */
const ALIASES: Readonly<Record<string, string>> = {
  serverUrl: 'url',
  httpUrl: 'url',
  transport: 'type',
  transportType: 'type',
};

/**
 * The servers of a JSON document: `{ mcpServers }`, `{ servers }`, `{ mcp: { servers } }`, or the bare map.
 * Comments and trailing commas are allowed, since editors' files have them. Nothing is evaluated.
 * Throws `McpClientError` (`INVALID_CONFIG`), also for servers that cannot be right and for variables that are not set.
 *
 * @example parseMcpServers(await readFile('mcp.json', 'utf8'), { env: process.env })
 */
export function parseMcpServers(text: string, options: ReadMcpJsonOptions = {}): Record<string, ServerOptions> {
  const from = options.from ?? 'the MCP servers file';
  const found = findMcpServers(parseDocument(text, from));
  if (found === undefined) {
    throw new McpClientError('INVALID_CONFIG', `${from} has no map of servers`, {
      hint: 'expected { "mcpServers": { "name": { "command": … } } }',
    });
  }
  const servers = Object.entries(found).map(([name, given]) => {
    return [name, isRecord(given) ? fill(given, options.env, `${from}: ${name}`) : given] as const;
  });
  const map = Object.fromEntries(servers) as Record<string, ServerOptions>;
  try {
    readServers({ servers: map });
  } catch (error) {
    throw new McpClientError('INVALID_CONFIG', `${from}: ${(error as Error).message}`, { cause: error });
  }
  return map;
}

/**
 * The map of servers in a parsed document, wherever the clients have it, their names for fields made ours; nothing is
 * checked or filled. Undefined where there is no such map.
 */
export function findMcpServers(document: unknown): Record<string, unknown> | undefined {
  const map = findMap(document);
  if (map === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(map).map(([name, given]) => [name, isRecord(given) ? rename(given) : given]),
  );
}

function findMap(document: unknown): JsonRecord | undefined {
  if (!isRecord(document)) return undefined;
  for (const key of MAP_KEYS) if (isRecord(document[key])) return document[key];
  if (isRecord(document['mcp'])) return findMap(document['mcp']);
  const values = Object.values(document);
  const isServer = (value: unknown) =>
    isRecord(value) && ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => typeof value[key] === 'string');
  return values.length > 0 && values.every(isServer) ? document : undefined;
}

function rename(given: JsonRecord): JsonRecord {
  const renamed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const name = ALIASES[key] ?? key;
    if (name === 'enabled' && typeof value === 'boolean') renamed['disabled'] = !value;
    else if (!(name in renamed)) renamed[name] = value;
  }
  return renamed;
}

const VARIABLE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
const OTHER_PLACE = /\$\{[^}]*\}/;

function fill(value: unknown, env: ReadMcpJsonOptions['env'], path: string): any {
  if (Array.isArray(value)) return value.map((item, index) => fill(item, env, `${path}[${index}]`));
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, env, `${path}.${key}`)]));
  }
  if (typeof value !== 'string' || !value.includes('${')) return value;
  const filled = value.replaceAll(VARIABLE, (_place, name: string, otherwise: string | undefined) => {
    const found = (env !== undefined && Object.hasOwn(env, name) ? env[name] : undefined) ?? otherwise;
    if (found === undefined)
      throw new McpClientError('INVALID_CONFIG', `${path} needs the variable ${name}, which is not set`);
    return found.replaceAll('${', '\u0000');
  });
  const left = OTHER_PLACE.exec(filled);
  if (left !== null)
    throw new McpClientError(
      'INVALID_CONFIG',
      `${path} has ${left[0]}, which only its own client can fill; write the value`,
    );
  return filled.replaceAll('\u0000', '${');
}

function parseDocument(text: string, from: string): unknown {
  try {
    return parseCommentedJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const message = `${from}:${error.line}:${error.column}: not valid JSON: ${error.message}`;
    throw new McpClientError('INVALID_CONFIG', message, { cause: error });
  }
}
