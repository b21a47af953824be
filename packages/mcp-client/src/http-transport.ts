// The transports to remote servers, with what the SDK's leave open: a stream that ends without its answer, OAuth by config.
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { HttpServerConfig } from './server-config.ts';

/** The code of our own error for that; between the codes that JSON-RPC keeps for servers. */
export const STREAM_ENDED = -32_099;

export type AuthProviders = StreamableHTTPClientTransportOptions['authProvider'];

export type HttpClientTransport = StreamableHTTPClientTransport | SSEClientTransport;

/** A transport for a server at a URL. `url` stands in for the configured one where another name of the host is tried. */
export function createHttpTransport(
  config: HttpServerConfig,
  authProvider?: AuthProviders,
  url: string = config.url,
): HttpClientTransport {
  const options = {
    requestInit: { headers: { ...config.headers } },
    ...(authProvider === undefined ? {} : { authProvider }),
  };
  return config.transport === 'sse'
    ? new SSEClientTransport(new URL(url), options)
    : new HttpTransport(new URL(url), options);
}

/**
 * Streamable HTTP where a request whose response stream ends without an answer fails at once: the SDK's transport only
 * tells whoever passes `onRequestStreamEnd`, and its client passes none, so such a call would wait for its time limit.
 */
class HttpTransport extends StreamableHTTPClientTransport {
  readonly #open = new Set<string | number>();

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#open.delete(message.id!);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) return super.send(message, options);
    const { id } = message;
    this.#open.add(id);
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      if (!this.#open.delete(id)) return;
      this.onmessage?.({
        jsonrpc: '2.0',
        id,
        error: { code: STREAM_ENDED, message: "the server's response stream ended without an answer" },
      });
    };
    try {
      await super.send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }
}

/**
 * The same URL by the host's other loopback name. Some servers check the Host header against `localhost` alone (or the
 * other way round); undefined where there is no other name to try.
 */
export function otherLoopbackName(url: string): string | undefined {
  const parsed = new URL(url);
  if (parsed.hostname === '127.0.0.1' || parsed.hostname === '[::1]') parsed.hostname = 'localhost';
  else if (parsed.hostname === 'localhost') parsed.hostname = '127.0.0.1';
  else return undefined;
  return parsed.href;
}
