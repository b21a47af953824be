// The cordis side: a plugin row is a set of MCP servers, kept connected as long as the row lives.
import type {} from '@codeseam/tools/cordis';
import type { Context } from 'cordis';
import { keepConnected, type McpServers } from './connect-servers.ts';
import { checkRow, type ServerConfig } from './server-config.ts';
import type { McpLogEntry } from './status.ts';

declare module 'cordis' {
  interface Events {
    /** Asks every row for its servers: each listener adds its own. */
    'mcp/servers'(add: (servers: McpServers) => void): void;
    'mcp/log'(entry: McpLogEntry): void;
  }
}

/** The servers of every mounted row, for `ready` and `status`. */
export function mcpServersOf(ctx: Context): McpServers[] {
  const found: McpServers[] = [];
  ctx.emit('mcp/servers', (servers) => found.push(servers));
  return found;
}

export default {
  name: 'mcp-client',
  Config: checkRow,
  /** Starts the servers when there is a registry. They outlive it: another one, after a change of its row, gets their tools. */
  apply(ctx: Context, config: Record<string, ServerConfig>) {
    let servers: McpServers | undefined;
    const start = (tools: Context['tools']) => {
      servers = keepConnected(config, { tools, log: (entry) => ctx.emit('mcp/log', entry) });
    };
    ctx.effect(() => {
      const off = ctx.on('mcp/servers', (add) => {
        // The effect below begins a moment after the registry is there.
        const tools = ctx.get('tools') as Context['tools'] | undefined;
        if (!servers && tools) start(tools);
        if (servers) add(servers);
      });
      return async () => {
        off();
        await servers?.close();
      };
    }, 'mcp servers');
    ctx.inject(['tools'], (inner) => {
      inner.effect(() => {
        if (servers) servers.attach(inner.tools);
        else start(inner.tools);
        return () => servers?.detach();
      }, 'mcp tools');
    });
  },
};
