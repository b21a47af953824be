// Between Node's HTTP server and the web-standard requests and responses that the SDK's transports work with.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** The request; its signal aborts when the client goes away before it was answered. */
export function toWebRequest(incoming: IncomingMessage, outgoing: ServerResponse, origin: string): Request {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new Error('the client disconnected'));
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  const { method = 'GET' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(incoming.url ?? '/', origin), {
    method,
    headers,
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
  } as RequestInit);
}

/** Sends a response as it comes; ends its body where the client goes away. Never rejects. */
export async function sendWebResponse(
  response: Response,
  outgoing: ServerResponse,
  moreHeaders: Readonly<Record<string, string>> = {},
): Promise<void> {
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...moreHeaders });
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const reader = response.body.getReader();
  outgoing.once('close', () => void reader.cancel().catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!outgoing.write(value)) await new Promise<void>((resolve) => onceEither(outgoing, resolve));
      if (outgoing.destroyed) break;
    }
  } catch {
    // The stream broke on its own side; what was sent is sent.
  }
  outgoing.end();
}

function onceEither(outgoing: ServerResponse, resolve: () => void): void {
  const done = () => {
    outgoing.off('drain', done);
    outgoing.off('close', done);
    resolve();
  };
  outgoing.on('drain', done);
  outgoing.on('close', done);
}
