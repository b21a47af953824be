// What to do about a config without tools, told by each command that wants some.
import { CliError } from './errors.ts';
import { mcpServersOf } from './mcp-servers-of.ts';
import type { Host } from './open-host.ts';

type Emptiness = Pick<Host, 'label' | 'isBuiltIn' | 'loader' | 'ctx'>;

/** The config has no tools: where they would come from. */
export function noTools(host: Emptiness): CliError {
  return new CliError('CONFIG', `${host.label} has no tools`, noToolsHint(host));
}

/** How to come by tools. */
export function noToolsHint({ label, isBuiltIn, loader, ctx }: Emptiness): string {
  if (isBuiltIn) {
    return 'codeseam init writes a cordis.yml for your MCP servers; --config FILE takes one, or a JSON file with mcpServers';
  }
  const hasServers = mcpServersOf(ctx).some((servers) => servers.status().length > 0);
  if (hasServers || loader.rows().some(({ error }) => error)) {
    return 'codeseam inspect shows its rows and servers, and why one has failed';
  }
  return `add a row of @codeseam/mcp-client to ${label}; codeseam init --from FILE --force writes one for each server of another client's file`;
}
