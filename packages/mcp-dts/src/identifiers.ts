// Raw names of servers and tools -> identifiers that a program can write.

import { finish, identifierWords, type Steps, startsLikeIdentifier } from '@codeseam/schema-types';
import { nameHash } from './name-hash.ts';

const MAX_BASE_CHARS = 60;
const HASH_CHARS = 6;

/**
 * An identifier for each raw name, valid, unreserved and unique. What a name gets depends on the name alone, unless another name has the
 * same camelCase form; then all of them get a suffix made of their own text, so that an identifier never comes to mean
 * another tool when one appears. A plain identifier holds no `_`, and every altered one does, so the two never meet.
 *
 * @example identifiersOf(['get-sum', 'delete'], RESERVED_TOOL_NAMES)  // Map { 'get-sum' => 'getSum', 'delete' => 'delete_' }
 */
export function identifiersOf(
  names: Iterable<string>,
  reserved: ReadonlySet<string>,
  options: { foldCase?: boolean } = {},
): Map<string, string> {
  return finish(identifiersInSteps(names, reserved, options));
}

/** The same, name by name. */
export function* identifiersInSteps(
  names: Iterable<string>,
  reserved: ReadonlySet<string>,
  options: { foldCase?: boolean } = {},
): Steps<Map<string, string>> {
  const groups = new Map<string, Named[]>();
  for (const name of [...new Set(names)].sort()) {
    yield;
    const named = { name, ...toCamelIdentifier(name) };
    const key = options.foldCase ? named.base.toLowerCase() : named.base;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [named]);
    else group.push(named);
  }
  const identifiers = new Map<string, string>();
  for (const group of groups.values()) {
    for (const named of group) {
      const stands = group.length === 1 && named.isWhole;
      const isReserved = reserved.has(options.foldCase ? named.base.toLowerCase() : named.base);
      identifiers.set(named.name, stands ? `${named.base}${isReserved ? '_' : ''}` : suffixed(named, group));
    }
  }
  return identifiers;
}

interface Named {
  name: string;
  base: string;
  isWhole: boolean;
}

function suffixed({ name, base }: Named, group: readonly Named[]): string {
  for (let length = HASH_CHARS; length <= 22; length += 4) {
    const suffix = longHash(name).slice(0, length);
    if (group.every((other) => other.name === name || longHash(other.name).slice(0, length) !== suffix))
      return `${base}_${suffix}`;
  }
  // Two hashes that agree in all their digits are made, not met: spell the name out.
  return `${base}_${[...name].map((char) => char.codePointAt(0)!.toString(36)).join('_')}`;
}

function longHash(name: string): string {
  return nameHash(name, 0) + nameHash(name, 1);
}

/**
 * `create_issue`, `create-issue` and `CreateIssue` -> `createIssue`; `3d-render` -> `_3dRender`. `isWhole` is false where the form is cut or empty
 * and cannot stand alone. Letters of the common scripts are kept.
 */
export function toCamelIdentifier(name: string): { base: string; isWhole: boolean } {
  const words = identifierWords(name);
  const isShouted = !/\p{Ll}/u.test(name);
  const joined = words
    .map((word, index) => (index === 0 ? lowerStart(word) : upperStart(isShouted ? word.toLowerCase() : word)))
    .join('');
  const chars = [...joined];
  const base = chars.slice(0, MAX_BASE_CHARS).join('');
  const isWhole = base !== '' && chars.length <= MAX_BASE_CHARS;
  return { base: startsLikeIdentifier(base) ? base : `_${base}`, isWhole };
}

/** `HTTPServer` -> `httpServer`, `API` -> `api`. */
function lowerStart(word: string): string {
  return word.replace(/^\p{Lu}+(?!\p{Ll})|^\p{Lu}/u, (capitals) => keepLength(capitals, capitals.toLowerCase()));
}

function upperStart(word: string): string {
  return word.replace(/^\p{Ll}/u, (letter) => keepLength(letter, letter.toUpperCase()));
}

/** Case mappings that change the number of letters (`ß`, `İ`) are left out. */
function keepLength(before: string, after: string): string {
  return [...before].length === [...after].length ? after : before;
}
