// Finds the names that somebody may have meant. Also runs inside guests: it uses built-ins captured at load only.
import { editDistance } from './edit-distance.ts';

function uncurry<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
): (receiver: This, ...args: Args) => Result {
  return Function.prototype.call.bind(method) as (receiver: This, ...args: Args) => Result;
}

const { isArray } = Array;
const toLowerCase = uncurry(String.prototype.toLowerCase);
const indexOf = uncurry(String.prototype.indexOf) as (text: string, part: string) => number;
const slice = uncurry(String.prototype.slice) as (text: string, start: number, end: number) => string;
const charCodeAt = uncurry(String.prototype.charCodeAt);
const { floor } = Math;

/** Longer names are compared by their first characters. */
const LONGEST = 96;
/** A name is near if at most this share of its characters differ. */
const SHARE = 0.4;
/** An abbreviation is nearer than a name with one wrong character: `cmd` means `command` rather than `cwd`. */
const ABBREVIATION = 0.9;

interface Candidate {
  readonly name: string;
  /** Smaller is nearer. */
  readonly rank: number;
  readonly next: Candidate | null;
}

/**
 * The known names nearest to a wanted one, best first, at most `limit`; empty if none is near.
 *
 * Case and separators do not count (`get_sum` is `getSum`), neighbours that changed places are one error, and a name that begins with
 * or holds the wanted one counts as near, as does one that the other abbreviates (`cmd`). Among equally near names the earlier known one wins. Work is bounded: names longer
 * than 96 characters are compared by their beginnings.
 *
 * @example nearestNames('get_summ', ['getSum', 'echo']) // ['getSum']
 */
export function nearestNames(wanted: string, known: Iterable<string>, limit = 3): string[] {
  const folded = foldName(wanted);
  let best: Candidate | null = null;
  let count = 0;
  let worst = Number.POSITIVE_INFINITY;
  const consider = (name: string): void => {
    const rank = rankOf(folded, name, worst);
    if (rank >= worst) return;
    best = insert(best, name, rank);
    if (count < limit) count++;
    else best = dropLast(best);
    if (count >= limit) worst = lastRank(best);
  };
  if (limit >= 1) {
    if (isArray(known)) for (let i = 0; i < known.length; i++) consider(known[i]);
    else for (const name of known) consider(name);
  }
  const names: string[] = [];
  let index = 0;
  for (let at: Candidate | null = best as Candidate | null; at !== null; at = at.next) names[index++] = at.name;
  return names;
}

/** How far a name is from the wanted one; anything from `worst` up means "not among the best". */
function rankOf(wanted: string, name: string, worst: number): number {
  const folded = foldName(name);
  if (folded === wanted) return 0;
  const shorter = wanted.length < folded.length ? wanted : folded;
  const longer = wanted.length < folded.length ? folded : wanted;
  let rank = Number.POSITIVE_INFINITY;
  if (shorter.length >= 2) {
    // A part of the name: better the more of the name it is, and best at its beginning.
    const at = indexOf(longer, shorter);
    const missing = (longer.length - shorter.length) / longer.length;
    if (at === 0) rank = 1 + missing;
    else if (at > 0 && shorter.length >= 3) rank = 1.5 + missing;
    if (isAbbreviation(shorter, longer)) rank = ABBREVIATION + missing / 20;
  }
  let most = floor(longer.length * SHARE);
  if (most >= worst) most = floor(worst);
  if (most >= 1) {
    const distance = editDistance(wanted, folded, most);
    if (distance <= most && distance < rank) rank = distance;
  }
  return rank;
}

/** Whether a name is made of another's first letter and some of its later consonants, in their order. */
function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 3 || short.length === long.length || short[0] !== long[0]) return false;
  let at = 1;
  for (let i = 1; i < short.length; i++) {
    const unit = charCodeAt(short, i);
    if (isVowel(unit)) return false;
    while (at < long.length && charCodeAt(long, at) !== unit) at++;
    if (at++ >= long.length) return false;
  }
  return true;
}

function isVowel(unit: number): boolean {
  // a, e, i, o, u.
  return unit === 0x61 || unit === 0x65 || unit === 0x69 || unit === 0x6f || unit === 0x75;
}

/** A name without case and separators, cut to the length that is compared. */
function foldName(name: string): string {
  const text = toLowerCase(slice(name, 0, LONGEST));
  let folded = '';
  for (let i = 0; i < text.length; i++) if (!isSeparator(charCodeAt(text, i))) folded += text[i];
  return folded === '' ? text : folded;
}

function isSeparator(unit: number): boolean {
  // Space, '-', '.', '/', ':' and '_'.
  return unit === 0x20 || (unit >= 0x2d && unit <= 0x2f) || unit === 0x3a || unit === 0x5f;
}

function insert(list: Candidate | null, name: string, rank: number): Candidate {
  if (list === null || rank < list.rank) return { name, rank, next: list };
  return { name: list.name, rank: list.rank, next: insert(list.next, name, rank) };
}

function dropLast(list: Candidate | null): Candidate | null {
  if (list === null || list.next === null) return null;
  return { name: list.name, rank: list.rank, next: dropLast(list.next) };
}

function lastRank(list: Candidate | null): number {
  let rank = Number.POSITIVE_INFINITY;
  for (let at = list; at !== null; at = at.next) rank = at.rank;
  return rank;
}
