// The error of the package, and how it writes the place of a value.
import { charCodeAt, exec, nativeStringify } from './intrinsics.ts';

/** What can be wrong with a value or a text. */
export type LosslessJsonCode =
  /** A kind of value that JSON does not have. */
  | 'not_json'
  /** A value that contains itself. */
  | 'cycle'
  /** Nested deeper than 10,000 levels. */
  | 'too_deep'
  /** More bytes than the caller allows. */
  | 'too_large'
  /** A getter or a proxy threw while the value was read. */
  | 'unreadable'
  /** A text that is not JSON. */
  | 'invalid_text';

/** A value that is not lossless JSON, or a text that is not JSON; `path` says where, such as `value.rows[3].when`. */
export class LosslessJsonError extends Error {
  override readonly name = 'LosslessJsonError';
  constructor(
    readonly code: LosslessJsonCode,
    readonly path: string,
    reason: string,
  ) {
    super(`${path}: ${reason}`);
  }
}

/** A place below a root: a chain of keys from the innermost outwards. */
export interface PlaceStep {
  readonly key: string | number;
  readonly outer: PlaceStep | null;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const LONGEST_KEY = 80;

/** Writes one key as it would be read: `.name`, `[3]`, `["odd key"]`. */
export function keyText(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  let shown = '';
  for (let i = 0; i < key.length && i < LONGEST_KEY; i++) shown += key[i];
  if (key.length > LONGEST_KEY) {
    const last = charCodeAt(shown, LONGEST_KEY - 1);
    if (last >= 0xd800 && last < 0xdc00) shown += key[LONGEST_KEY];
    shown += '…';
  }
  return exec(IDENTIFIER, shown) ? `.${shown}` : `[${nativeStringify(shown)}]`;
}

/** Writes the path of a place; `most` keeps only its first keys. */
export function placeText(root: string, step: PlaceStep | null, most = MOST_KEYS): string {
  let depth = 0;
  for (let at = step; at; at = at.outer) depth++;
  let text = '';
  for (let at = step; at; at = at.outer) {
    if (depth <= most) text = keyText(at.key) + text;
    depth--;
  }
  let steps = 0;
  for (let at = step; at; at = at.outer) steps++;
  return steps > most ? `${root}${text}…` : root + text;
}

const MOST_KEYS = 50;
