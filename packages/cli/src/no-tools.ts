// What to do about a config without tools, told by each command that wants some.
import { CliError } from './errors.ts';
import type { Host } from './open-host.ts';

/** The config has no tools: where they would come from. */
export function noTools(host: Pick<Host, 'label' | 'isBuiltIn'>): CliError {
  return new CliError('CONFIG', `${host.label} has no tools`, noToolsHint(host));
}

/** How to come by tools. */
export function noToolsHint({ isBuiltIn }: Pick<Host, 'isBuiltIn'>): string {
  return isBuiltIn
    ? 'codeseam init writes a cordis.yml for your MCP servers; --config FILE takes one, or a JSON file with mcpServers'
    : 'codeseam inspect shows its rows and servers, and why one has failed';
}
