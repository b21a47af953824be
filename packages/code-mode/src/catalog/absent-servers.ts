// MCP servers that a program does not have: still starting, failed, without tools, or up only since it began. Whoever
// misses one is told why.
import type { OwnerAbsence, ToolRegistry, ToolView } from '@codeseam/tools';
import { foldName } from './known-calls.ts';

const MOST_NAMED = 5;

/** Why something is not there, and what to do. */
export interface AbsenceNote {
  said: string;
  hint: string;
}

/** A server that a program does not have, and how it is with it now. */
export interface AbsentServer {
  owner: string;
  /** `arrived`: it has tools now, which the program began without. */
  state: OwnerAbsence['state'] | 'arrived';
  reason?: string;
}

/** The MCP servers that have no tools now, as far as the scope of a view may know. */
export function absentServers(tools: ToolRegistry, { scope }: Pick<ToolView, 'scope'>): AbsentServer[] {
  return tools
    .absentOwners(scope)
    .filter(({ source }) => source === 'mcp')
    .map(({ owner, info: { absence } }) => ({ owner, state: 'starting', ...absence }));
}

/**
 * Those that were absent when a program began, as they are now: one may have come up since, which the program's catalog
 * does not show. One that nobody knows any more is left out.
 */
export function stillMissed(tools: ToolRegistry, view: ToolView, atStart: readonly AbsentServer[]): AbsentServer[] {
  if (atStart.length === 0) return [];
  const absentNow = new Map(absentServers(tools, view).map((server) => [server.owner, server]));
  const arrived = new Set<string>();
  if (atStart.some(({ owner }) => !absentNow.has(owner))) {
    const { scope, clientTools } = view;
    const now = tools.view(scope, clientTools ? { clientTools } : {});
    for (const { source, owner } of now.tools) if (source === 'mcp') arrived.add(owner);
  }
  return atStart.flatMap(({ owner }): AbsentServer[] => {
    const absent = absentNow.get(owner);
    if (absent) return [absent];
    return arrived.has(owner) ? [{ owner, state: 'arrived' }] : [];
  });
}

/**
 * What to say of the absent server that a name means, if it means one.
 *
 * @param name a server, a path of its file, or the id, wire name or call of a tool of it.
 */
export function explainAbsence(name: string, absent: readonly AbsentServer[]): AbsenceNote | undefined {
  if (absent.length === 0) return undefined;
  const wanted = new Set(serversIn(name).map(foldName));
  const found = absent.find(({ owner }) => wanted.has(foldName(owner)));
  return found && sayWhy(found);
}

/** One line about all of them, for a search that cannot find their tools; undefined where there is none to tell of. */
export function listAbsent(absent: readonly AbsentServer[]): string | undefined {
  const telling = absent.filter(({ state }) => state !== 'empty');
  if (telling.length === 0) return undefined;
  const lines = telling.slice(0, MOST_NAMED).map((server) => sayWhy(server).said);
  const more = telling.length - lines.length;
  return `${lines.join('; ')}${more > 0 ? `; and ${more} more` : ''}: this program cannot find their tools`;
}

const KEEPS = 'a program keeps the servers that it began with';

function sayWhy({ owner, state, reason }: AbsentServer): AbsenceNote {
  const why = reason?.replace(/[.\s]+$/, '');
  const because = why ? ` (${why})` : '';
  switch (state) {
    case 'arrived':
      return {
        said: `the MCP server ${owner} has come up since this program began`,
        hint: `run the program again, with a new exec: ${KEEPS}`,
      };
    case 'failed':
      return {
        said: `the MCP server ${owner} has failed${because}`,
        hint: 'its tools are not there: go on without them, or say that the server has to be mended',
      };
    case 'empty':
      return { said: `the MCP server ${owner} offers no tools${because}`, hint: 'go on without it' };
    default:
      return {
        said: `the MCP server ${owner} is still starting${because}`,
        hint: `try again in a moment, with a new exec: ${KEEPS}`,
      };
  }
}

/** The servers that a name may be of. */
function serversIn(name: string): string[] {
  const path = /^(?:MCP\.|mcp\/)?(.+?)(?:\.d\.ts)?$/s.exec(name.slice(0, 300))?.[1] ?? '';
  const parts = [/^mcp:([^:]+):/.exec(name)?.[1], /^mcp__(.+?)__/.exec(name)?.[1], /^([^.]+)\./.exec(path)?.[1]];
  return [path, ...parts].filter((part) => part !== undefined && part !== '') as string[];
}
