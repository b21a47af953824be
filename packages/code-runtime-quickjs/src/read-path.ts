// The member names of a call's path, read once for each path that comes again and again.
import { RecentMap } from './recent-map.ts';

const KEPT_PATHS = 1_000;
const LONGEST_KEPT = 1_000;
const paths = new RecentMap<string, readonly string[]>(KEPT_PATHS);

/** Reads JSON text of a list of names; `undefined` where it is none. */
export function readPath(text: string): readonly string[] | undefined {
  const known = paths.get(text);
  if (known) return known;
  let path: unknown;
  try {
    path = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(path) || path.length === 0 || !path.every((it) => typeof it === 'string')) return undefined;
  if (text.length <= LONGEST_KEPT) paths.set(text, path as string[]);
  return path as string[];
}
