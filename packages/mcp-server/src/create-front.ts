// The way in: a registry and code mode in, MCP servers for any client out.
import { randomUUID } from 'node:crypto';
import type { CodeMode } from '@codeseam/code-mode';
import type { ToolRegistry, ToolScope } from '@codeseam/tools';
import { FrontApprovals } from './approvals.ts';
import { McpFrontError } from './errors.ts';
import { createFrontSession, type FrontSession } from './front-session.ts';
import { type HttpFront, type HttpFrontOptions, serveHttp } from './http-front.ts';
import { announceFront } from './self-upstream.ts';
import { type StdioFront, type StdioFrontOptions, serveStdio } from './stdio-front.ts';

/** What a front asks of a registry. */
export type FrontTools = Pick<ToolRegistry, 'presentationOf' | 'prepareView' | 'present' | 'execute' | 'on'>;

export interface McpFrontOptions {
  tools: FrontTools;
  /** Where runs live, so that they end with their session. Asked when a session ends. */
  codeMode?: CodeMode | (() => CodeMode | undefined);
  /** The server's name at the handshake. Default `codeseam`. */
  name?: string;
  /** Told to models after our own instructions. */
  instructions?: string;
  /** Host data of every scope; `sessionId` is set by the front. */
  scope?: ToolScope;
  /** When upstream servers have had their time to connect: asked when there is nothing to show. Default: at once. */
  ready?: Promise<unknown> | (() => Promise<unknown>);
  /** How long `tools/list` and `tools/call` wait for `ready` while there is nothing to show. Default 5,000. */
  listWaitMs?: number;
  /**
   * What becomes of a program's call that asks for an approval where the client cannot be asked (it lacks elicitation):
   * it waits for `approvals.decide(…)`, or is denied with the reason. Default `wait`.
   */
  unaskable?: 'wait' | 'deny';
  log?: (entry: { level: 'info' | 'warn'; message: string }) => void;
}

export interface McpFront {
  /**
   * Questions go to the client of the session as elicitation. Give it to the registry as its approval service.
   * What a client cannot be asked waits in `approvals.pending()` for `approvals.decide(…)`, unless `unaskable` is `deny`.
   */
  readonly approvals: FrontApprovals;
  serveStdio(options?: StdioFrontOptions): StdioFront;
  /** Rejects with `McpFrontError`: `UNSAFE_BIND`, `LISTEN_FAILED`. */
  serveHttp(options: HttpFrontOptions): Promise<HttpFront>;
  /** Ends all sessions and listeners. Idempotent. */
  close(): Promise<void>;
}

/** Changes come in bursts when servers connect: one look for all of them. */
const CHANGE_QUIET_MS = 50;

/**
 * Creates a front. It presents whatever the registry presents for a session: `exec`, `wait` and direct-only tools in mode
 * `code`, every schema in mode `native`.
 *
 * @example
 * const front = createMcpFront({ tools, codeMode });
 * const { url } = await front.serveHttp({ port: 0 });
 */
export function createMcpFront(options: McpFrontOptions): McpFront {
  const { tools, codeMode, ready, listWaitMs = 5_000, unaskable = 'wait' } = options;
  const frontId = randomUUID();
  const approvals = new FrontApprovals(unaskable);
  const sessions = new Set<FrontSession>();
  const listeners = new Set<() => void>();
  const opened = new Set<{ close(): Promise<void> }>();
  const unannounce = announceFront(frontId);
  const log = (level: 'info' | 'warn', message: string) => options.log?.({ level, message });
  let timer: NodeJS.Timeout | undefined;
  const offChange = tools.on('tools/change', () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const session of sessions) void session.refresh();
      for (const listener of listeners) listener();
    }, CHANGE_QUIET_MS);
  });
  const deps = {
    createSession(sharedSessionId?: string): FrontSession {
      const session = createFrontSession(
        {
          tools,
          codeMode: typeof codeMode === 'function' ? codeMode : () => codeMode,
          approvals,
          frontId,
          name: options.name ?? 'codeseam',
          scope: options.scope ?? {},
          ready: async () => (typeof ready === 'function' ? ready() : ready),
          listWaitMs,
          log,
          ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
        },
        sharedSessionId,
      );
      sessions.add(session);
      return session;
    },
    async forget(session: FrontSession): Promise<void> {
      sessions.delete(session);
      await session.end().catch((error: Error) => log('warn', `a session did not end well: ${error.message}`));
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    log,
  };
  let closing: Promise<void> | undefined;
  const alive = () => {
    if (closing !== undefined) throw new McpFrontError('CLOSED', 'this front has been closed');
  };
  return {
    approvals,
    serveStdio(stdio = {}) {
      alive();
      const front = serveStdio(stdio, deps);
      opened.add(front);
      void front.closed.then(() => opened.delete(front));
      return front;
    },
    async serveHttp(http) {
      alive();
      const front = await serveHttp(http, deps);
      opened.add(front);
      return front;
    },
    close() {
      closing ??= (async () => {
        offChange();
        clearTimeout(timer);
        unannounce();
        await Promise.all([...opened].map((front) => front.close()));
        await Promise.all([...sessions].map((session) => deps.forget(session)));
      })();
      return closing;
    },
  };
}
