// How a plugin's registrations learn which row they belong to.

/**
 * The symbol-keyed property under which a context carries the id of the row that mounted its plugin.
 * It is inherited by every context derived from the plugin's own, and is looked up by `Symbol.for`,
 * so that registries need not import this package.
 */
export const OWNER: unique symbol = Symbol.for('codeseam.owner') as never;

/** The id of the row that a context belongs to; undefined outside of any row. */
export function ownerOf(ctx: object): string | undefined {
  const owner = (ctx as { [OWNER]?: unknown })[OWNER];
  return typeof owner === 'string' ? owner : undefined;
}
