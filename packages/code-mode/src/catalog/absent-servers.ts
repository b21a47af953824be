// MCP servers that are known and not there: still starting, failed, or without tools. Whoever misses one is told why.
import type { ToolOwner, ToolRegistry, ToolScope } from '@codeseam/tools';
import { foldName } from './known-calls.ts';

const MOST_NAMED = 5;

/** Why something is not there, and what to do. */
export interface AbsenceNote {
  said: string;
  hint: string;
}

/** The MCP servers that have no tools now, as far as a scope may know. */
export function absentServers(tools: ToolRegistry, scope: ToolScope): ToolOwner[] {
  return tools.absentOwners(scope).filter(({ source }) => source === 'mcp');
}

/**
 * What to say of the absent server that a name means, if it means one.
 *
 * @param name a server, a path of its file, or the id, wire name or call of a tool of it.
 */
export function explainAbsence(name: string, absent: readonly ToolOwner[]): AbsenceNote | undefined {
  if (absent.length === 0) return undefined;
  const wanted = new Set(serversIn(name).map(foldName));
  const found = absent.find(({ owner }) => wanted.has(foldName(owner)));
  return found && sayWhy(found);
}

/** One line about all of them, for a search that cannot find their tools; undefined where there is none to tell of. */
export function listAbsent(absent: readonly ToolOwner[]): string | undefined {
  const telling = absent.filter(({ info }) => info.absence?.state !== 'empty');
  if (telling.length === 0) return undefined;
  const lines = telling.slice(0, MOST_NAMED).map((owner) => sayWhy(owner).said);
  const more = telling.length - lines.length;
  return `${lines.join('; ')}${more > 0 ? `; and ${more} more` : ''}: their tools cannot be found now`;
}

function sayWhy({ owner, info }: ToolOwner): AbsenceNote {
  const reason = info.absence?.reason?.replace(/[.\s]+$/, '');
  const because = reason ? ` (${reason})` : '';
  switch (info.absence?.state) {
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
        hint: 'try again in a moment, with a new exec: a program keeps the servers that it began with',
      };
  }
}

/** The servers that a name may be of. */
function serversIn(name: string): string[] {
  const path = /^(?:MCP\.|mcp\/)?(.+?)(?:\.d\.ts)?$/s.exec(name.slice(0, 300))?.[1] ?? '';
  const parts = [/^mcp:([^:]+):/.exec(name)?.[1], /^mcp__(.+?)__/.exec(name)?.[1], /^([^.]+)\./.exec(path)?.[1]];
  return [path, ...parts].filter((part) => part !== undefined && part !== '') as string[];
}
