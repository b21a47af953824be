// One connection to one server, from the handshake to its end.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { crashCause, oneLine } from './crash-cause.ts';
import { McpClientError } from './errors.ts';
import { createHttpTransport, type HttpClientTransport, otherLoopbackName } from './http-transport.ts';
import { type AskToAuthorize, type Authorization, openAuthorization } from './oauth/authorize.ts';
import { refuseOwnFront } from './self-upstream.ts';
import type { HttpServerConfig, ServerConfig } from './server-config.ts';
import { LIST_KINDS, type ListKind } from './server-lists.ts';
import { limitLines } from './stderr-log.ts';
import { StdioTransport } from './stdio-transport.ts';
import { unreachable } from './unreachable.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/** What a connection tells its owner while it lives. */
export interface ConnectionListener {
  onListChanged(kind: ListKind): void;
  /** A stream of an HTTP connection broke: the server may be gone. */
  onStreamError(): void;
  /** Lines for the log. */
  onLog(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
}

export interface Connection {
  readonly client: Client;
  readonly transport: Transport;
  /** Resolves with the reason when the connection is gone. Never rejects. */
  readonly lost: Promise<string>;
  /** Says that it is gone, where the transport itself cannot know. */
  markLost(reason: string): void;
  /** After a refusal: waits for the person who is being asked, if one is; false where there is nothing to wait for. */
  authorizeAgain?(signal: AbortSignal): Promise<boolean>;
  /** Ends it, the server's processes included. Idempotent. */
  close(): Promise<void>;
}

export interface OpenConnectionOptions {
  name: string;
  config: ServerConfig;
  listener: ConnectionListener;
  signal: AbortSignal;
  /** Asks a person to authorize, where a server speaks OAuth. */
  onAuthorize?: AskToAuthorize;
}

/**
 * Starts or reaches the server and shakes hands. Rejects with `McpClientError` (`START_FAILED`, `CONNECT_FAILED`,
 * `CONNECT_TIMEOUT`, `UNAUTHORIZED`, `ABORTED`) after having ended whatever it had started.
 */
export async function openConnection(options: OpenConnectionOptions): Promise<Connection> {
  const { name, config, listener } = options;
  if (config.transport === 'stdio') {
    const { command, args, env, cwd } = config;
    const transport = new StdioTransport({
      command,
      args,
      env,
      ...(cwd === undefined ? {} : { cwd }),
      onStderr: limitLines((line) => listener.onLog('info', line)),
      onNoise: (line) => listener.onLog('debug', `not a message, skipped: ${line}`),
    });
    return connectOver(transport, options);
  }
  try {
    return await connectHttp(config, options);
  } catch (error) {
    const other = otherLoopbackName(config.url);
    if (other === undefined || !mayBeTheHostName(error)) throw error;
    listener.onLog('info', `refused by ${config.url}; trying ${other}`);
    try {
      return await connectHttp({ ...config, url: other }, options);
    } catch (second) {
      listener.onLog('debug', `${name} by its other name: ${(second as Error).message}`);
      throw error;
    }
  }
}

async function connectHttp(config: HttpServerConfig, options: OpenConnectionOptions): Promise<Connection> {
  if (config.oauth === undefined) return connectOver(createHttpTransport(config), options);
  const authorization = await openAuthorization(options.name, config, config.oauth, options.onAuthorize);
  const attempt = async (): Promise<Connection> => {
    const transport = createHttpTransport(config, authorization.provider);
    try {
      const connection = await connectOver(transport, options);
      return withAuthorization(connection, authorization, transport);
    } catch (error) {
      if (!authorization.asking) throw error;
      await authorization.finish(transport, options.signal);
      return attempt();
    }
  };
  try {
    return await attempt();
  } catch (error) {
    authorization.close();
    throw error;
  }
}

/** A server may want more of a person later: another scope, or tokens anew. */
function withAuthorization(
  connection: Connection,
  authorization: Authorization,
  transport: HttpClientTransport,
): Connection {
  return {
    ...connection,
    async authorizeAgain(signal) {
      if (!authorization.asking) return false;
      await authorization.finish(transport, signal);
      return true;
    },
    async close() {
      authorization.close();
      await connection.close();
    },
  };
}

async function connectOver(
  transport: Transport,
  { name, config, listener, signal }: OpenConnectionOptions,
): Promise<Connection> {
  const client = new Client({ name: 'codeseam', version }, { capabilities: { roots: {} } });
  client.setRequestHandler('roots/list', () => ({ roots: config.roots.map((root) => ({ uri: rootUri(root) })) }));
  for (const kind of LIST_KINDS) {
    client.setNotificationHandler(`notifications/${kind}/list_changed`, () => listener.onListChanged(kind));
  }
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    listener.onLog('debug', `[${params.level}] ${text?.slice(0, 2_000)}`);
  });
  let markLost!: (reason: string) => void;
  const lost = new Promise<string>((resolve) => {
    markLost = resolve;
  });
  client.onclose = () => markLost(endText(transport));
  client.onerror = (error) => {
    listener.onLog('debug', error.message.slice(0, 2_000));
    if (transport.hasPerRequestStream === true && STREAM_ERRORS.test(error.message)) listener.onStreamError();
  };
  const close = async () => {
    markLost('closed');
    await endTransport(transport);
    await client.close().catch(() => {});
  };
  try {
    await client.connect(transport, { timeout: config.connectMs, signal });
    refuseOwnFront(client, name);
  } catch (error) {
    const hasEnded = transport instanceof StdioTransport && endedWhileConnecting(error);
    if (hasEnded) await transport.lastWords(LAST_WORDS_MS);
    await close();
    if (hasEnded && !signal.aborted) throw startFailure(name, transport, error);
    throw connectError(error, name, config, transport, signal);
  }
  return { client, transport, lost, markLost, close };
}

/** How long a process that ends while it is being connected may take to say why. */
const LAST_WORDS_MS = 500;

/** The process may be noticed to be gone by its closed pipes, or by a write into one. */
function endedWhileConnecting(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED';
}

function startFailure(server: string, transport: StdioTransport, cause: unknown): McpClientError {
  const said = crashCause(transport.lastLines);
  return new McpClientError('START_FAILED', `"${server}" did not start: ${exitText(transport)}`, {
    server,
    cause,
    ...(said === undefined ? {} : { said }),
  });
}

/** How the HTTP transport says that a stream broke; whether the server is gone only asking it can tell. */
const STREAM_ERRORS =
  /^(SSE stream disconnected|Failed to (re)?connect|Maximum reconnection|Failed to open SSE|fetch failed)/;

function mayBeTheHostName(error: unknown): boolean {
  const { cause } = error as { cause?: { data?: { status?: unknown }; message?: string; cause?: { code?: unknown } } };
  const status = cause?.data?.status;
  if (status === 403 || status === 421) return true;
  return (status === 400 && /host/i.test(cause?.message ?? '')) || cause?.cause?.code === 'ECONNREFUSED';
}

function rootUri(root: string): string {
  return root.startsWith('file:') ? root : pathToFileURL(root).href;
}

/** An HTTP session is ended at the server too, if it answers at once. */
async function endTransport(transport: Transport): Promise<void> {
  if ('terminateSession' in transport && transport.sessionId !== undefined) {
    const terminated = (transport as { terminateSession(): Promise<void> }).terminateSession().catch(() => {});
    await Promise.race([terminated, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
  }
  await transport.close().catch(() => {});
}

function endText(transport: Transport): string {
  if (!(transport instanceof StdioTransport)) return 'the connection was closed';
  const cause = crashCause(transport.lastLines);
  return `${exitText(transport)}${cause === undefined ? '' : `: ${cause}`}`;
}

function exitText({ exitText: exit }: StdioTransport): string {
  return exit === undefined ? 'its process ended' : `its process ended with ${exit}`;
}

function connectError(
  error: unknown,
  server: string,
  config: ServerConfig,
  transport: Transport,
  signal: AbortSignal,
): McpClientError {
  if (error instanceof McpClientError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const code = (error as { code?: unknown }).code;
  if (signal.aborted)
    return new McpClientError('ABORTED', `connecting to "${server}" was given up`, { server, cause: error });
  if (code === 'REQUEST_TIMEOUT') {
    const said = transport instanceof StdioTransport ? crashCause(transport.lastLines) : undefined;
    return new McpClientError(
      'CONNECT_TIMEOUT',
      `"${server}" did not answer the handshake within ${config.connectMs} ms`,
      {
        server,
        cause: error,
        ...(said === undefined ? {} : { said: `its last words: ${said}` }),
        hint: 'raise connectMs if the server needs longer to start',
      },
    );
  }
  const status = (error as { data?: { status?: unknown } }).data?.status;
  if (status === 401 || status === 403 || (error as Error).name === 'UnauthorizedError') {
    return new McpClientError('UNAUTHORIZED', `"${server}" refused the credentials`, {
      server,
      cause: error,
      said: oneLine(detail),
      hint: 'set headers.Authorization, or oauth: true for a server that speaks OAuth',
    });
  }
  const { why, hint, said } = unreachable(error, config) ?? { said: oneLine(causeText(error, detail)) };
  const message = `connecting to "${server}" failed${why === undefined ? '' : `: ${why}`}`;
  return new McpClientError('CONNECT_FAILED', message, {
    server,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
    ...(said === undefined ? {} : { said }),
  });
}

/** `fetch failed` says little; its cause (`connect ECONNREFUSED 127.0.0.1:3000`) says it. */
function causeText(error: unknown, detail: string): string {
  const cause = (error as { cause?: unknown }).cause;
  return cause instanceof Error && cause.message !== '' ? `${detail} (${cause.message})` : detail;
}
