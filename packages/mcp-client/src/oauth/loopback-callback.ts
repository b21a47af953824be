// The page that a browser comes back to after a person has authorized: a listener on loopback that takes one answer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackCallback {
  /** The query of the first request that carries the expected state. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

/**
 * Listens on 127.0.0.1. Requests without the right `state` are answered 400 and change nothing.
 * Rejects where the port is taken.
 */
export async function listenForCallback(port: number, state: string): Promise<LoopbackCallback> {
  let take!: (query: URLSearchParams) => void;
  const answer = new Promise<URLSearchParams>((resolve) => {
    take = resolve;
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const right = request.method === 'GET' && url.pathname === '/callback' && url.searchParams.get('state') === state;
    const text = right ? 'Done. You can close this page and go back.' : 'This is not the answer that was waited for.';
    const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
    response.writeHead(right ? 200 : 400, headers).end(text);
    if (right) take(url.searchParams);
  });
  await listen(server, port);
  return {
    answer,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A port of loopback that is free now: the wanted one if it is. */
export async function freeLoopbackPort(wanted: number): Promise<number> {
  const server = createServer();
  await listen(server, wanted).catch(() => listen(server, 0));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
