// A request's plain data globals as JSON text, made once for data that cannot change.
import { createHash } from 'node:crypto';
import { stringifyJson, toLosslessJson } from '@codeseam/lossless-json';
import { CodeRuntimeError } from './errors.ts';

/** One global's value. */
export interface GlobalText {
  /** Equal hashes mean equal data. */
  readonly hash: string;
  /** The value as JSON text. */
  readonly text: string;
}

/** More plain data than this belongs behind a function. */
const MAX_BYTES = 64 * 1024 * 1024;

const known = new WeakMap<object, GlobalText>();

/**
 * Gives a global's value as JSON text. Data that is frozen all through is read once and then known by identity, and so are
 * the items of a frozen list: a long list whose items were given before, one by one, is only joined.
 *
 * @throws CodeRuntimeError `invalid-request`, with the path of what is not lossless JSON.
 */
export function globalText(name: string, value: unknown): GlobalText {
  const isObject = typeof value === 'object' && value !== null;
  const cached = isObject ? known.get(value) : undefined;
  if (cached) return cached;
  const joined = isObject ? joinKnown(value) : undefined;
  if (joined !== undefined) {
    known.set(value as object, joined);
    return joined;
  }
  let text: string;
  try {
    text = stringifyJson(toLosslessJson(value, { name: `globals.${name}`, maxBytes: MAX_BYTES }));
  } catch (error) {
    throw new CodeRuntimeError('invalid-request', (error as Error).message);
  }
  const made = { text, hash: createHash('sha256').update(text).digest('base64url') };
  if (isObject && isDeepFrozen(value)) known.set(value, made);
  return made;
}

/** A frozen list of nothing but known items; its hash is made of theirs, since its text may be megabytes. */
function joinKnown(value: object): GlobalText | undefined {
  if (!Array.isArray(value) || value.length === 0 || !Object.isFrozen(value)) return undefined;
  if (Object.getPrototypeOf(value) !== Array.prototype || Object.keys(value).length !== value.length) return undefined;
  const texts: string[] = [];
  let hashes = 'list';
  let bytes = 0;
  for (const item of value as unknown[]) {
    const found = typeof item === 'object' && item !== null ? known.get(item) : undefined;
    if (!found) return undefined;
    // A character may take three bytes, and what is near the bound is measured.
    bytes += found.text.length * 3;
    if (bytes > MAX_BYTES) return undefined;
    texts.push(found.text);
    hashes += ` ${found.hash}`;
  }
  return { text: `[${texts.join(',')}]`, hash: createHash('sha256').update(hashes).digest('base64url') };
}

/** Only of values that are lossless JSON, so trees of plain records and arrays. */
function isDeepFrozen(root: object): boolean {
  const open: object[] = [root];
  for (let value = open.pop(); value; value = open.pop()) {
    if (!Object.isFrozen(value)) return false;
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return true;
}
