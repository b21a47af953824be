// Names for declared types: PascalCase identifiers, unique within a file.

import { identifierWords, startsLikeIdentifier } from './identifier-chars.ts';

const MAX_NAME_CHARS = 64;

/** Names that the language or its standard library already gives a meaning to, in TypeScript or in Python. */
const RESERVED = new Set(
  (
    'Any Array ArrayBuffer Awaitable Awaited BigInt Boolean Capitalize Dict Error Exclude Extract False Function Infinity InstanceType Int8Array Iterator JSON List ' +
    'Literal Map Math McpToolResult NaN Never NonNullable None NotImplemented NotRequired Number Object Omit Open Optional Parameters Partial Pick Promise Protocol Proxy ' +
    'Readonly ReadonlyArray Record Reflect RegExp Required ReturnType Set String Symbol ToolCallError True Tuple Type TypeAlias TypedDict Uncapitalize Union Uppercase Lowercase WeakMap WeakSet Date DataView'
  ).split(' '),
);

/**
 * A type name for any text: `get_weather` -> `GetWeather`, `3d` -> `T3d`, nothing usable -> `T`. If it is in `taken`, a number is appended.
 * The result is added to `taken`.
 */
export function toTypeName(name: string, taken: Set<string>): string {
  const base = pascalCase(name);
  let candidate = base;
  for (let count = 2; taken.has(candidate) || RESERVED.has(candidate); count++) candidate = `${base}${count}`;
  taken.add(candidate);
  return candidate;
}

/** The words of a text joined in PascalCase, a valid identifier of at most 64 characters. */
export function pascalCase(text: string): string {
  const joined = identifierWords(text)
    .map((word) => word.replace(/^./u, (first) => upperFirst(first)))
    .join('');
  const cut = [...joined].slice(0, MAX_NAME_CHARS).join('');
  return startsLikeIdentifier(cut) ? cut : `T${cut}`;
}

/** Upper case where that is one letter too (`ß` and ligatures are not). */
function upperFirst(letter: string): string {
  const upper = letter.toUpperCase();
  return [...upper].length === 1 ? upper : letter;
}
