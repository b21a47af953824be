// Keeps the catalogs of the views in use, so that a run costs the same whatever the number of tools.
import type { Tool, ToolOwner, ToolView } from '@codeseam/tools';
import { Catalog } from './catalog.ts';

const MOST_KEPT = 32;

/** Catalogs by what is visible; the ones used longest ago go first. */
export class CatalogCache {
  readonly #kept = new Map<string, Catalog>();
  readonly #ownerKeys = new WeakMap<readonly ToolOwner[], string>();

  for(view: ToolView): Catalog {
    const key = `${view.fingerprint}${this.#ownerKey(view.owners)}`;
    const found = this.#kept.get(key);
    if (found) this.#kept.delete(key);
    const catalog = found ?? new Catalog(key, view);
    this.#kept.set(key, catalog);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return catalog;
  }

  /** How a program calls an MCP tool, in the catalog used last that has it. */
  callPath(tool: Tool): string | undefined {
    for (const catalog of [...this.#kept.values()].reverse()) {
      const path = catalog.callPath(tool);
      if (path !== undefined) return path;
    }
    return undefined;
  }

  clear(): void {
    this.#kept.clear();
  }

  /** A server's title and instructions are in its declarations, and no part of the tools. */
  #ownerKey(owners: readonly ToolOwner[]): string {
    let key = this.#ownerKeys.get(owners);
    if (key === undefined) {
      const told = owners
        .filter((it) => it.source === 'mcp')
        .map(({ owner, info }) => [owner, info.title, info.version, info.instructions]);
      key = told.length === 0 ? '' : ` ${JSON.stringify(told)}`;
      this.#ownerKeys.set(owners, key);
    }
    return key;
  }
}
