// The front over stdin and stdout: one client, one session, over when its input ends.
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serveSdkStdio } from '@modelcontextprotocol/server/stdio';
import type { FrontSession } from './front-session.ts';

export interface StdioFrontOptions {
  /** Default: the streams of this process. */
  stdin?: Readable;
  stdout?: Writable;
}

export interface StdioFront {
  /** Resolves when the client has gone or the front was closed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface StdioFrontDeps {
  createSession(): FrontSession;
  forget(session: FrontSession): Promise<void>;
  log(level: 'info' | 'warn', message: string): void;
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Serves one client. What is written to stdout must come from here alone: log to stderr. */
export function serveStdio(
  { stdin = process.stdin, stdout = process.stdout }: StdioFrontOptions,
  deps: StdioFrontDeps,
): StdioFront {
  const sessions = new Set<FrontSession>();
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  let ended!: () => void;
  const over = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const handle = serveSdkStdio(
    () => {
      const session = deps.createSession();
      sessions.add(session);
      session.server.onclose = () => {
        sessions.delete(session);
        void deps.forget(session);
      };
      return session.server;
    },
    { transport, onerror: (error) => deps.log('warn', error.message) },
  );
  stdin.once('end', () => ended());
  stdin.once('close', () => ended());
  const closed = over.then(async () => {
    await handle.close();
    await Promise.all([...sessions].map((session) => deps.forget(session)));
  });
  return {
    closed,
    close() {
      ended();
      return closed;
    },
  };
}
