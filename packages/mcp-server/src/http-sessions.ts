// The sessions of clients that shake hands: each has a scope of its own, and ends by its client, by silence, or with the front.
import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { createEventStore } from './event-store.ts';
import type { FrontSession } from './front-session.ts';
import { jsonError, whenBodyEnds } from './http-answers.ts';

export interface HttpSessionsOptions {
  createSession(): FrontSession;
  forget(session: FrontSession): Promise<void>;
  idleMs: number;
  maxSessions: number;
}

export interface HttpSessions {
  /** Answers a request of revision 2025-11-25 or older. `body` is the parsed body of a POST. */
  handle(request: Request, body: unknown): Promise<Response>;
  close(): Promise<void>;
}

interface HttpSession {
  readonly id: string;
  readonly session: FrontSession;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests and streams that are open. */
  open: number;
  idle?: NodeJS.Timeout;
}

export function createHttpSessions({ createSession, forget, idleMs, maxSessions }: HttpSessionsOptions): HttpSessions {
  const sessions = new Map<string, HttpSession>();

  const end = async (http: HttpSession) => {
    sessions.delete(http.id);
    clearTimeout(http.idle);
    await forget(http.session);
    await http.session.server.close().catch(() => {});
  };

  const open = async (): Promise<HttpSession> => {
    const id = randomUUID();
    const session = createSession();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: createEventStore(),
      onsessioninitialized: () => {
        sessions.set(id, http);
      },
      onsessionclosed: () => void end(http),
    });
    const http: HttpSession = { id, session, transport, open: 0 };
    await session.server.connect(transport);
    return http;
  };

  /** Hands a request to its session, which does not go idle while the answer is still being sent. */
  const answer = async (http: HttpSession, request: Request, body: unknown): Promise<Response> => {
    clearTimeout(http.idle);
    http.open += 1;
    const done = () => {
      http.open -= 1;
      if (http.open > 0 || sessions.get(http.id) !== http) return;
      http.idle = setTimeout(() => void end(http), idleMs);
      http.idle.unref();
    };
    try {
      return whenBodyEnds(
        await http.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body }),
        done,
      );
    } catch (error) {
      done();
      throw error;
    }
  };

  return {
    async handle(request, body) {
      const id = request.headers.get('mcp-session-id');
      if (id !== null) {
        const http = sessions.get(id);
        return http === undefined ? jsonError(404, -32_001, 'Session not found') : answer(http, request, body);
      }
      if (request.method !== 'POST') return jsonError(400, -32_000, 'an Mcp-Session-Id header is needed');
      if (sessions.size >= maxSessions) return jsonError(503, -32_000, `there are ${maxSessions} sessions already`);
      const http = await open();
      const response = await answer(http, request, body);
      // What was no good `initialize` began nothing.
      if (!sessions.has(http.id)) await end(http);
      return response;
    },
    async close() {
      await Promise.all([...sessions.values()].map(end));
    },
  };
}
