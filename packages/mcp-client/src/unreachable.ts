// Why a remote server could not be reached, in words: what `fetch` knows is a code in the cause of its error.
import type { ServerConfig } from './server-config.ts';

export interface Unreachable {
  why?: string;
  hint?: string;
  said?: string;
}

/** Undefined where the address is not what was wrong. The address is told without path and query, which may hold secrets. */
export function unreachable(error: unknown, config: ServerConfig): Unreachable | undefined {
  if (config.transport === 'stdio') return undefined;
  const { host, hostname } = new URL(config.url);
  const { data, cause } = error as { data?: { status?: unknown }; cause?: { code?: unknown; message?: unknown } };
  switch (cause?.code) {
    case 'ECONNREFUSED':
      return { why: `nothing listens at ${host}`, hint: 'start the server, or correct its url' };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { why: `the host ${hostname} cannot be found`, hint: 'correct its url, or look at the network' };
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return { why: `${host} does not answer`, hint: 'is it reachable from here?' };
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return {
        why: `${host} closed the connection`,
        hint: 'is its url http where it should be https, or the other way round?',
      };
  }
  if (cause?.message === 'bad port') return { why: `fetch refuses the port of ${host}`, hint: 'correct its url' };
  const status = data?.status;
  if (status === 404 || status === 405) {
    const hint = 'many servers are at /mcp; a server of the older kind wants type: sse';
    return { why: `${host} has no MCP server at that path (HTTP ${status})`, hint };
  }
  return undefined;
}
