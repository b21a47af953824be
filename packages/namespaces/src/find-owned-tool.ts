// Finds a required tool of a namespace in a view: visible, callable from programs, and owned by the plugin.
import { type Tool, type ToolView, toolId } from '@codeseam/tools';

type OwnerSource = 'host' | 'plugin';

/** Whose tool it has to be. A client or a server could take a plugin's name as its own, so theirs never are. */
export interface Owner {
  owner: string;
  source?: OwnerSource;
}

export type OwnedTool = { tool: Tool } | { reason: string };

/** Takes an id, a wire name or a plain name. Costs the same whatever the size of the view. */
export function findOwnedTool(view: ToolView, { owner, source }: Owner, ref: string): OwnedTool {
  const sources: readonly OwnerSource[] = source === undefined ? ['plugin', 'host'] : [source];
  const candidates = [view.find(ref), ...sources.map((it) => view.find(toolId(it, owner, ref)))].filter(
    (tool) => tool !== undefined,
  );
  const isOwned = (tool: Tool) => tool.owner === owner && (sources as readonly string[]).includes(tool.source);
  const owned = candidates.find(isOwned);
  if (owned) return owned.directOnly ? { reason: 'it is direct-only: programs cannot call it' } : { tool: owned };
  const [other] = candidates;
  if (other) return { reason: `it belongs to ${other.source} ${JSON.stringify(other.owner)}, not to this plugin` };
  return { reason: 'it is not visible here: not registered, or restricted away' };
}
