// Finds the calls that a wrong name may have meant, wherever they are: `tools.get_sum` may mean `MCP.everything.getSum`.
import { nearestNames } from '@codeseam/nearest-names';
import type { Catalog } from './catalog.ts';

const MOST = 3;
/** A variable of a program is no tool only because a tool's name holds its own. */
const LEAST_VARIABLE = 4;
const MOST_VARIABLE_DIFFERENCE = 2;

/** Where a name was looked for. */
export type MissedPlace = 'tools' | 'MCP' | 'variable';

/** Paths such as `MCP.everything.getSum`, best first; empty if none is near. */
export function nearCalls(name: string, place: MissedPlace, catalog: Catalog): string[] {
  if (place === 'variable' && name.length < LEAST_VARIABLE) return [];
  const paths = new Map<string, string[]>();
  const know = (known: string, path: string) => paths.set(known, [...(paths.get(known) ?? []), path]);
  // A runtime names the members of the object itself.
  if (place !== 'tools') for (const member of catalog.names.keys()) know(member, `tools.${member}`);
  for (const { identifier } of catalog.mcp.servers) if (place !== 'MCP') know(identifier, `MCP.${identifier}`);
  for (const tool of catalog.mcpTools) {
    const path = catalog.callPath(tool);
    if (path === undefined) continue;
    const spellings = [tool.wireName, tool.id, path, `${tool.owner}.${tool.name}`];
    if (spellings.some((spelling) => folded(spelling) === folded(name))) return [path];
    know(path.slice(path.lastIndexOf('.') + 1), path);
  }
  const near = nearestNames(name, paths.keys(), MOST).filter(
    (known) => place !== 'variable' || Math.abs(folded(known).length - folded(name).length) <= MOST_VARIABLE_DIFFERENCE,
  );
  return near.flatMap((known) => paths.get(known)!).slice(0, MOST);
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
