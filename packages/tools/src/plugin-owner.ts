// Who a plugin is, as the owner of what it registers: its row in the config, else its name.
import type { ToolSource } from './types.ts';

/** What is read of a cordis context. */
export interface OwnedContext {
  readonly fiber: { readonly name: string; readonly runtime: unknown };
}

/** Under this key a loader puts the id of the row that mounted the plugin; contexts derived from it inherit it. */
const OWNER = Symbol.for('codeseam.owner');

export interface PluginIdentity {
  source: Extract<ToolSource, 'host' | 'plugin'>;
  owner: string;
}

/** The host itself (the root context) is `host`, `core`; everybody else is a plugin. */
export function identityOf(ctx: OwnedContext): PluginIdentity {
  const row = (ctx as { [OWNER]?: unknown })[OWNER];
  if (typeof row === 'string' && row !== '') return { source: 'plugin', owner: row };
  if (isHost(ctx)) return { source: 'host', owner: 'core' };
  const { name } = ctx.fiber;
  return { source: 'plugin', owner: name === '' || name === 'root' ? 'anonymous' : name };
}

/** Whether this is the root context: the host that composes everything. */
export function isHost(ctx: OwnedContext): boolean {
  return ctx.fiber.runtime === null;
}
