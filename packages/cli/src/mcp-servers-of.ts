// The MCP servers of a composition, asked for by event: no client is loaded where no row mounts one.
import type { McpServers } from '@codeseam/mcp-client';
import type {} from '@codeseam/mcp-client/cordis';
import type { Context } from 'cordis';

/** The servers of every mounted row, for `ready` and `status`. */
export function mcpServersOf(ctx: Context): McpServers[] {
  const found: McpServers[] = [];
  ctx.emit('mcp/servers', (servers) => found.push(servers));
  return found;
}
