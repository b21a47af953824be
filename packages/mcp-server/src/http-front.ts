// The front over streamable HTTP: guards, then the revision of the request decides who answers it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  readRequestBody,
} from '@modelcontextprotocol/server';
import { McpFrontError } from './errors.ts';
import type { FrontSession } from './front-session.ts';
import { jsonError } from './http-answers.ts';
import { corsHeaders, createHttpGuard, type HttpGuard, isLoopback, urlHost } from './http-guards.ts';
import { createHttpSessions, type HttpSessions } from './http-sessions.ts';
import { sendWebResponse, toWebRequest } from './node-http.ts';

export interface HttpFrontOptions {
  /** Default 127.0.0.1. Anything but loopback needs a token. */
  host?: string;
  /** 0 takes a free port. */
  port: number;
  /** Default `/mcp`. */
  path?: string;
  /** Clients must send it as a bearer token. */
  token?: string;
  /** Further values of the Host header that are served: behind a proxy, say. */
  allowedHosts?: readonly string[];
  /** Web pages that may call, by their origin; by default only pages of the server itself. */
  allowedOrigins?: readonly string[];
  /** A session without an open request or stream ends after this long. Default 30 minutes. */
  sessionIdleMs?: number;
  /** Sessions at once; more are refused. Default 256. */
  maxSessions?: number;
}

export interface HttpFront {
  readonly url: string;
  readonly port: number;
  /** Ends every session and stops listening. Idempotent. */
  close(): Promise<void>;
}

export interface HttpFrontDeps {
  createSession(sharedSessionId?: string): FrontSession;
  forget(session: FrontSession): Promise<void>;
  /** Told of each change of what is shown. Gives its undo. */
  onChange(listener: () => void): () => void;
  log(level: 'info' | 'warn', message: string): void;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Revision 2026-07-28 has no sessions: its requests share one scope, so that `wait` finds the runs of `exec`. */
const SESSIONLESS = 'mcp-http-sessionless';

/** Starts to listen. Rejects with `McpFrontError`: `UNSAFE_BIND`, `LISTEN_FAILED`. */
export async function serveHttp(options: HttpFrontOptions, deps: HttpFrontDeps): Promise<HttpFront> {
  const { host = '127.0.0.1', path = '/mcp', sessionIdleMs = 30 * 60_000, maxSessions = 256 } = options;
  if (!isLoopback(host) && options.token === undefined) {
    throw new McpFrontError('UNSAFE_BIND', `${host} can be reached from other machines, and no token is set`, {
      hint: 'set a bearer token, or listen on 127.0.0.1',
    });
  }
  const sessions = createHttpSessions({
    ...deps,
    createSession: () => deps.createSession(),
    idleMs: sessionIdleMs,
    maxSessions,
  });
  const modern = createModern(deps);
  const route = createRoute(path, sessions, modern.handler);
  const server = createServer();
  await listen(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  const origin = `http://${urlHost(host)}:${port}`;
  const guard = createHttpGuard({ ...options, host, port });
  server.on(
    'request',
    (incoming, outgoing) => void answer(incoming, outgoing, { guard, origin, route, log: deps.log }),
  );

  let closing: Promise<void> | undefined;
  return {
    url: `${origin}${path}`,
    port,
    close() {
      closing ??= (async () => {
        const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
        await sessions.close();
        await modern.close();
        server.closeAllConnections();
        await stopped;
      })();
      return closing;
    },
  };
}

/** Who answers requests of revision 2026-07-28: a server for each, on one shared scope. */
function createModern(deps: HttpFrontDeps): { handler: McpHttpHandler; close(): Promise<void> } {
  const sessions = new Set<FrontSession>();
  const handler = createMcpHandler(
    () => {
      const session = deps.createSession(SESSIONLESS);
      sessions.add(session);
      session.server.onclose = () => {
        sessions.delete(session);
        void deps.forget(session);
      };
      return session.server;
    },
    { legacy: 'reject', maxRequestBodySize: MAX_BODY_BYTES },
  );
  const offChange = deps.onChange(() => handler.notify.toolsChanged());
  return {
    handler,
    async close() {
      offChange();
      await handler.close();
      await Promise.all([...sessions].map((session) => deps.forget(session)));
    },
  };
}

function createRoute(
  path: string,
  sessions: HttpSessions,
  modern: McpHttpHandler,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (new URL(request.url).pathname !== path)
      return jsonError(404, -32_000, `nothing is served here; MCP is at ${path}`);
    if (request.method !== 'POST') return sessions.handle(request, undefined);
    if (!isJsonContentType(request.headers.get('content-type') ?? '')) {
      return jsonError(415, -32_000, 'the content type must be application/json');
    }
    const body = await readRequestBody(request, MAX_BODY_BYTES);
    if (body.tooLarge) return jsonError(413, -32_000, `a request may have ${MAX_BODY_BYTES} bytes`);
    let parsed: unknown;
    try {
      parsed = JSON.parse(body.text);
    } catch {
      return jsonError(400, -32_700, 'Parse error: the body is not JSON');
    }
    const { url, headers, signal } = request;
    const read = new Request(url, { method: 'POST', headers, signal });
    return (await isLegacyRequest(read, parsed))
      ? sessions.handle(read, parsed)
      : modern.fetch(read, { parsedBody: parsed });
  };
}

interface AnswerContext {
  guard: HttpGuard;
  origin: string;
  route(request: Request): Promise<Response>;
  log: HttpFrontDeps['log'];
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { guard, origin, route, log }: AnswerContext,
): Promise<void> {
  const { host, origin: page, authorization } = incoming.headers;
  const preflight = incoming.method === 'OPTIONS';
  const refusal = guard.checkNames(host, page) ?? (preflight ? undefined : guard.checkToken(authorization));
  if (refusal !== undefined) {
    await sendWebResponse(jsonError(refusal.status, -32_000, refusal.message, refusal.headers), outgoing);
    return;
  }
  const cors = page === undefined ? {} : corsHeaders(page);
  if (preflight) {
    outgoing.writeHead(204, cors).end();
    return;
  }
  let response: Response;
  try {
    response = await route(toWebRequest(incoming, outgoing, origin));
  } catch (error) {
    log('warn', `a request failed: ${(error as Error).message}`);
    response = jsonError(500, -32_603, 'Internal error');
  }
  await sendWebResponse(response, outgoing, cors);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): McpFrontError {
  const [message, hint] = describeListenError(error, host, port);
  return new McpFrontError('LISTEN_FAILED', message, { cause: error, ...(hint === undefined ? {} : { hint }) });
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): [string, string?] {
  switch (error.code) {
    case 'EADDRINUSE':
      return [`port ${port} of ${host} is in use`, 'choose another port, or 0 for a free one'];
    case 'EACCES':
      return [`this user may not listen on port ${port}`, 'choose a port from 1024 on'];
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [
        `${host} is no address of this machine`,
        '127.0.0.1 is reached from this machine alone, 0.0.0.0 from all',
      ];
    default:
      return [`cannot listen on ${host}:${port}: ${error.message}`];
  }
}
