// Keeps this process from being its own upstream: what fronts above and beside it have left for us to see.
import type { Client } from '@modelcontextprotocol/client';
import { McpClientError } from './errors.ts';
import { isRecord } from './mcp-request.ts';

/** Names the configs that processes above serve; a front below refuses to serve one of them again. */
const CHAIN = 'CODESEAM_SERVING';
/** The ids of the fronts of this process, shared by every copy of the packages in it. */
const FRONTS = Symbol.for('codeseam.mcpFronts');

/** What a child's environment needs, so that it knows what is being served above it. */
export function servingChain(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const chain = env[CHAIN];
  return chain === undefined ? {} : { [CHAIN]: chain };
}

/** Throws `SELF_UPSTREAM` where the server at the other end is a front of this very process. */
export function refuseOwnFront(client: Client, server: string): void {
  const said = client.getServerCapabilities()?.experimental?.['codeseam'];
  const id = isRecord(said) ? said['front'] : undefined;
  const own = (globalThis as { [FRONTS]?: ReadonlySet<unknown> })[FRONTS];
  if (typeof id !== 'string' || own?.has(id) !== true) return;
  throw new McpClientError('SELF_UPSTREAM', `"${server}" is this very process, which cannot be its own upstream`, {
    server,
    hint: 'remove it from the MCP servers of the config that is served',
  });
}
