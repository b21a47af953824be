// The functions of `tools` that stand for one tool each: its name, or an identifier made of it, where that is unambiguous.
import { finish, isIdentifierName, type Steps } from '@codeseam/schema-types';
import { STEP, type Tool } from '@codeseam/tools';

/** Members of `tools` that no tool may cover. */
export const TOOLS_MEMBERS = ['call', 'callValue', 'describe', 'search'] as const;

/**
 * Tool id by member name. A name that is an identifier stands as it is; another one becomes camelCase. Where several
 * tools want one name, those that bear it unchanged come first; if that is not exactly one tool, nobody gets it. So no
 * name depends on the order of tools, and no name means two tools.
 */
export function convenienceNames(tools: readonly Pick<Tool, 'id' | 'name'>[]): Map<string, string> {
  return finish(convenienceNamesInSteps(tools));
}

export function* convenienceNamesInSteps(tools: readonly Pick<Tool, 'id' | 'name'>[]): Steps<Map<string, string>> {
  const exact = new Map<string, string[]>();
  const derived = new Map<string, string[]>();
  for (const [at, { id, name }] of tools.entries()) {
    if (at % STEP === 0) yield;
    if (isIdentifierName(name)) claim(exact, name, id);
    else {
      const made = toMemberName(name);
      if (made !== undefined) claim(derived, made, id);
    }
  }
  yield;
  const names = new Map<string, string>();
  for (const [name, ids] of derived) if (ids.length === 1 && !exact.has(name)) names.set(name, ids[0]!);
  for (const [name, ids] of exact) if (ids.length === 1) names.set(name, ids[0]!);
  for (const name of TOOLS_MEMBERS) names.delete(name);
  yield;
  return new Map([...names].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `read-file` becomes `readFile`, `3d render` becomes `_3dRender`; undefined where nothing is left. */
export function toMemberName(name: string): string | undefined {
  const words = name.split(/[^\p{ID_Continue}$]+/u).filter((word) => word !== '');
  if (words.length === 0) return undefined;
  const [first, ...rest] = words as [string, ...string[]];
  const joined = first + rest.map(upperFirst).join('');
  const member = isIdentifierName(joined) ? joined : `_${joined}`;
  return isIdentifierName(member) ? member : undefined;
}

function upperFirst(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length);
}

function claim(claims: Map<string, string[]>, name: string, id: string): void {
  const ids = claims.get(name);
  if (ids) ids.push(id);
  else claims.set(name, [id]);
}
