// The configuration of servers: what people write, checked as a whole, and what the rest of the package works with.
import { ConfigError, type StrictConfig, strictConfig } from '@codeseam/strict-config';
import Schema from 'schemastery';
import { McpClientError } from './errors.ts';

export type CallConcurrency = 'parallel' | 'server' | 'exclusive';

/** How to get OAuth tokens for an HTTP server. A server that registers clients by itself needs none of the fields. */
export interface OAuthConfig {
  /** `authorization_code` asks a person in a browser; `client_credentials` needs `clientId` and `clientSecret`. */
  grant: 'authorization_code' | 'client_credentials';
  clientId?: string;
  clientSecret?: string;
  scope?: string;
  /** The authorization server that `clientId` belongs to: the credentials go to no other one. */
  issuer?: string;
  /** The https URL of a client metadata document, for servers that take that in place of a registration. */
  clientMetadataUrl?: string;
  /** The loopback port of the redirect URL; 0 takes a free one. */
  redirectPort: number;
  /** Where tokens are kept, with mode 0600. Default: `codeseam/mcp-oauth.json` in the user's config folder. */
  tokensFile?: string;
}

interface CommonServerConfig {
  disabled: boolean;
  /** Whether the server's `readOnlyHint` is believed. */
  trust: boolean;
  concurrency: CallConcurrency;
  /** How long the first programs wait for this server, in milliseconds. */
  startupMs: number;
  /** One attempt to connect and read the lists, in milliseconds. */
  connectMs: number;
  /** One call, waiting for its turn included, in milliseconds. */
  callMs: number;
  /** Reconnects after a loss before the tools are removed; it goes on trying every 30 s after that. */
  reconnectAttempts: number;
  /** What `roots/list` is answered with: absolute paths or `file:` URIs. */
  roots: readonly string[];
}

export interface StdioServerConfig extends CommonServerConfig {
  transport: 'stdio';
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
}

export interface HttpServerConfig extends CommonServerConfig {
  /** `sse` is the transport of protocol revision 2024-11-05. */
  transport: 'http' | 'sse';
  url: string;
  headers: Readonly<Record<string, string>>;
  oauth?: OAuthConfig;
}

/** One server, checked and with every default filled. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

/** One server as people write it: the shape of `mcpServers` in other clients' files, and our own options. */
export interface ServerOptions extends Partial<CommonServerConfig> {
  command?: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  url?: string;
  headers?: Readonly<Record<string, string>>;
  type?: 'stdio' | 'http' | 'streamable-http' | 'streamableHttp' | 'sse';
  oauth?: boolean | Partial<OAuthConfig>;
}

/** A plugin row: a map of servers, or one server with its name. */
export interface McpClientRow extends ServerOptions {
  servers?: Readonly<Record<string, ServerOptions>>;
  /** The server's name, where the row is one server. */
  name?: string;
}

/** The longest that a timer can wait. */
const MAX_MS = 2_147_483_647;
const milliseconds = (standard: number, description: string) =>
  Schema.number().min(1).max(MAX_MS).step(1).default(standard).description(description);

const OAUTH = Schema.object({
  grant: Schema.union(['authorization_code', 'client_credentials'] as const).default('authorization_code'),
  clientId: Schema.string(),
  clientSecret: Schema.string(),
  scope: Schema.string(),
  issuer: Schema.string(),
  clientMetadataUrl: Schema.string(),
  redirectPort: Schema.number().min(0).max(65_535).step(1).default(0),
  tokensFile: Schema.string(),
});

const FIELDS = {
  command: Schema.string(),
  args: Schema.array(Schema.string()).default(undefined as never),
  env: Schema.dict(Schema.string()).default(undefined as never),
  cwd: Schema.string(),
  url: Schema.string(),
  headers: Schema.dict(Schema.string()).default(undefined as never),
  type: Schema.union(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'] as const),
  oauth: Schema.union([Schema.boolean(), OAUTH]),
  disabled: Schema.boolean().default(false),
  trust: Schema.boolean().default(false),
  concurrency: Schema.union(['parallel', 'server', 'exclusive'] as const).default('parallel'),
  startupMs: milliseconds(30_000, 'how long the first programs wait for this server'),
  connectMs: milliseconds(60_000, 'one attempt to connect and read the lists'),
  callMs: milliseconds(300_000, 'one call, waiting for its turn included'),
  reconnectAttempts: Schema.number().min(0).max(1_000).step(1).default(8),
  roots: Schema.array(Schema.string()).default([]),
  // What other clients write into their files and what means nothing here.
  ...Object.fromEntries(
    ['alwaysAllow', 'autoApprove', 'description', 'displayName', 'icon', 'timeout', 'metadata'].map((key) => [
      key,
      Schema.any(),
    ]),
  ),
};

const SERVER: Schema = Schema.transform(Schema.object(FIELDS) as Schema, toServerConfig);
const ROW: Schema = Schema.transform(
  Schema.object({
    ...FIELDS,
    servers: Schema.dict(SERVER).default(undefined as never),
    name: Schema.string(),
  }) as Schema,
  toServers,
);

/** Checks a plugin row and gives its servers by name. A Standard Schema, as cordis wants it. */
export const checkRow = strictConfig(ROW, { name: 'mcp-client' }) as unknown as StrictConfig<
  McpClientRow,
  Record<string, ServerConfig>
>;

/**
 * Reads a map of servers (or one server with its `name`). Throws one `INVALID_CONFIG` that lists every violation: unknown
 * fields with the nearest known one, wrong types and ranges, servers with neither `command` nor `url` or with both.
 */
export function readServers(config: McpClientRow): Record<string, ServerConfig> {
  try {
    return checkRow(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new McpClientError('INVALID_CONFIG', error.message, { cause: error });
  }
}

function toServers(row: Record<string, unknown>): Record<string, ServerConfig> {
  const { servers, name, ...single } = row as { servers?: Record<string, ServerConfig>; name?: string } & ServerOptions;
  if (servers !== undefined) {
    if (single.command !== undefined || single.url !== undefined || name !== undefined) {
      throw new Error('has "servers" beside the fields of one server; keep one of the two forms');
    }
    for (const each of Object.keys(servers)) checkName(each);
    return servers;
  }
  if (name === undefined)
    throw new Error('needs "servers", a map by name, or one server: "name" with "command" or "url"');
  checkName(name);
  return { [name]: toServerConfig(single) };
}

function checkName(name: string): void {
  if (name.trim() === '' || name.length > 200) throw new Error('the name of a server must have 1 to 200 characters');
}

/** Fills what depends on other fields, and refuses combinations that make no sense. */
function toServerConfig(options: ServerOptions): ServerConfig {
  const { command, url, type, args, env, cwd, headers } = options;
  if (command !== undefined && url !== undefined) throw new Error('has both "command" and "url"; keep one');
  if (command === undefined && url === undefined)
    throw new Error('needs "command" (a local server) or "url" (a remote one)');
  if (command === '') throw new Error('has an empty "command"');
  const local = command !== undefined;
  for (const key of local ? (['headers', 'oauth'] as const) : (['args', 'env', 'cwd'] as const)) {
    if (options[key] !== undefined)
      throw new Error(`has "${key}", which belongs to a server with "${local ? 'url' : 'command'}"`);
  }
  if (type !== undefined && (type === 'stdio') !== local) {
    throw new Error(`has the type "${type}", but a "${local ? 'command' : 'url'}"`);
  }
  const { disabled, trust, concurrency, startupMs, connectMs, callMs, reconnectAttempts, roots } =
    options as CommonServerConfig;
  const common = { disabled, trust, concurrency, startupMs, connectMs, callMs, reconnectAttempts, roots };
  if (local) {
    return {
      ...common,
      transport: 'stdio',
      command,
      args: args ?? [],
      env: env ?? {},
      ...(cwd === undefined ? {} : { cwd }),
    };
  }
  if (!URL.canParse(url!) || !/^https?:$/.test(new URL(url!).protocol)) {
    throw new Error(`has the url "${url}"; it must begin with http:// or https://`);
  }
  const oauth = toOAuth(options.oauth);
  return {
    ...common,
    transport: type === 'sse' ? 'sse' : 'http',
    url: url!,
    headers: headers ?? {},
    ...(oauth === undefined ? {} : { oauth }),
  };
}

function toOAuth(given: ServerOptions['oauth']): OAuthConfig | undefined {
  if (given === undefined || given === false) return undefined;
  const oauth: OAuthConfig = { grant: 'authorization_code', redirectPort: 0, ...(given === true ? {} : given) };
  if (oauth.grant === 'client_credentials' && (oauth.clientId === undefined || oauth.clientSecret === undefined)) {
    throw new Error('needs oauth.clientId and oauth.clientSecret for the grant client_credentials');
  }
  return oauth;
}
