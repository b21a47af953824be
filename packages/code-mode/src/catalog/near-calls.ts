// Finds the calls that a wrong name may have meant, wherever they are: `tools.get_sum` may mean `MCP.everything.getSum`.
import type { Steps } from '@codeseam/schema-types';
import type { Tool } from '@codeseam/tools';
import type { Catalog } from './catalog.ts';
import { foldName, nearestInSteps } from './known-calls.ts';

const MOST = 3;
/** A variable of a program is no tool only because a tool's name holds its own. */
const LEAST_VARIABLE = 4;
const MOST_VARIABLE_DIFFERENCE = 2;

/** Where a name was looked for. */
export type MissedPlace = 'tools' | 'MCP' | 'variable';

/** Paths such as `MCP.everything.getSum`, best first; empty if none is near. */
export function* nearCalls(name: string, place: MissedPlace, catalog: Catalog): Steps<string[]> {
  if (place === 'variable' && name.length < LEAST_VARIABLE) return [];
  yield* catalog.prepareCalls();
  const { calls, names, mcp } = catalog;
  const spelled = calls.spelled(name);
  if (spelled !== undefined) return [spelled];
  // A runtime names the members of the object itself.
  const members = place === 'tools' ? [] : [...names.keys()];
  const servers = place === 'MCP' ? [] : mcp.servers.map(({ identifier }) => identifier);
  const known = new Set([...members, ...servers, ...calls.members()]);
  const near = (yield* nearestInSteps(name, [...known], MOST)).filter(
    (it) => place !== 'variable' || Math.abs(foldName(it).length - foldName(name).length) <= MOST_VARIABLE_DIFFERENCE,
  );
  const paths = near.flatMap((it) => [
    ...(members.includes(it) ? [`tools.${it}`] : []),
    ...(servers.includes(it) ? [`MCP.${it}`] : []),
    ...calls.pathsOf(it),
  ]);
  return paths.slice(0, MOST);
}

/** Tools that a wrong reference may have meant, those of exactly this name first. */
export function* nearTools(ref: string, { own, mcpTools }: Catalog): Steps<Tool[]> {
  const tools = [...own, ...mcpTools];
  const known = tools.flatMap(({ id, wireName, name }) => [id, wireName, name]);
  const near = new Set(tools.filter(({ name }) => name === ref));
  for (const found of yield* nearestInSteps(ref, known, 3 * MOST)) {
    near.add(tools.find(({ id, wireName, name }) => id === found || wireName === found || name === found)!);
  }
  return [...near].slice(0, MOST);
}
