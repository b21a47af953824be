// The way in: a map of servers in, their tools registered, one handle to see and end them.
import type { ToolRegistry } from '@codeseam/tools';
import { BlobStore } from './blob-store.ts';
import { ManagedServer } from './managed-server.ts';
import type { AskToAuthorize } from './oauth/authorize.ts';
import { type McpClientRow, readServers, type ServerConfig } from './server-config.ts';
import type { McpLogEntry, McpServerStatus } from './status.ts';

export interface McpServersDeps {
  /** Where the tools go: each server gets its own registrar, `source: 'mcp'`, `owner` its name. */
  tools: Pick<ToolRegistry, 'registrar'>;
  /** Server logs and what happens to connections. Default: nowhere. */
  log?: (entry: McpLogEntry) => void;
  /** Sends a person to a browser, for servers with `oauth`. Without it such a server fails as `UNAUTHORIZED`. */
  onAuthorize?: AskToAuthorize;
}

/** Servers that are being kept connected. */
export interface McpServers {
  /** Resolves when each server is connected, has failed, or is past its `startupMs`. Never rejects. */
  readonly ready: Promise<void>;
  status(): McpServerStatus[];
  /** Tries a server again at once instead of at its next attempt. False for an unknown name. */
  reconnect(name: string): boolean;
  /** Registers the tools with a registry, in place of the one they were with. Connections and processes stay. */
  attach(tools: Pick<ToolRegistry, 'registrar'>): void;
  /** Takes the tools out of their registry, which may be about to end; `attach` gives them another. */
  detach(): void;
  /** Removes all tools and ends all connections and processes. Idempotent. */
  close(): Promise<void>;
}

/**
 * Connects the servers and registers their tools as they come. Returns at once; throws `McpClientError`
 * (`INVALID_CONFIG`) for a config that cannot be right. One server's failure never touches another.
 *
 * @param config `servers` by name, in the shape of `mcpServers` in other clients' files
 *
 * @example
 * const servers = connectMcpServers({ servers: { files: { command: 'npx', args: ['-y', 'some-server'] } } }, { tools });
 * await servers.ready;
 */
export function connectMcpServers(config: McpClientRow, deps: McpServersDeps): McpServers {
  return keepConnected(readServers(config), deps);
}

/** The same for servers that have been checked already. */
export function keepConnected(configs: Readonly<Record<string, ServerConfig>>, deps: McpServersDeps): McpServers {
  const blobs = new BlobStore();
  const log = (entry: McpLogEntry) => {
    try {
      deps.log?.(entry);
    } catch {
      // A logger that fails is its owner's affair.
    }
  };
  const servers = Object.entries(configs).map(([name, server]) => {
    const { onAuthorize } = deps;
    return new ManagedServer(name, server, {
      blobs,
      log,
      ...(onAuthorize === undefined ? {} : { onAuthorize }),
    });
  });
  const attach = (tools: McpServersDeps['tools']) => {
    for (const server of servers) server.attach(tools.registrar({ source: 'mcp', owner: server.name, info: {} }));
  };
  const detach = () => {
    for (const server of servers) server.detach();
  };
  attach(deps.tools);
  for (const server of servers) server.start();
  let closing: Promise<void> | undefined;
  return {
    ready: Promise.all(servers.map((server) => server.ready)).then(() => {}),
    status: () => servers.map((server) => server.status()),
    reconnect(name) {
      const server = servers.find((one) => one.name === name);
      server?.reconnectNow();
      return server !== undefined;
    },
    attach(tools) {
      detach();
      attach(tools);
    },
    detach,
    close() {
      closing ??= Promise.all(servers.map((server) => server.close())).then(() => blobs.clear());
      return closing;
    },
  };
}
