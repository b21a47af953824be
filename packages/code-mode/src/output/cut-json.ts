// Cuts a JSON value to a byte budget so that it stays valid JSON and says how much is missing.
import { cutJsonText, type JsonValue, jsonBytes } from '@codeseam/lossless-json';
import { shareBytes } from './share-bytes.ts';

/** Below this many members, each gets a share; above, the first ones are kept whole. */
const SHARED_MEMBERS = 32;
/** A part with less room than this is left out. */
const LEAST_BYTES = 48;
const MAX_DEPTH = 100;

/**
 * A part of `value` whose JSON text has at most `maxBytes` UTF-8 bytes. What was left out is counted in a string at its
 * place (an array's last item, an object's member `…`, a text's end).
 *
 * @returns the value itself where it fits; `undefined` where not even a marker does.
 */
export function cutJson(value: JsonValue, maxBytes: number): JsonValue | undefined {
  return cut(value, maxBytes, 0);
}

function cut(value: JsonValue, maxBytes: number, depth: number): JsonValue | undefined {
  if (jsonBytes(value, maxBytes) <= maxBytes) return value;
  if (typeof value === 'string') return cutString(value, maxBytes);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return fitting(summary(value), maxBytes);
  return (
    (Array.isArray(value) ? cutArray(value, maxBytes, depth) : cutObject(value, maxBytes, depth)) ??
    fitting(summary(value), maxBytes)
  );
}

function cutString(text: string, maxBytes: number): string | undefined {
  // The count is known only after the cut; its longest form is reserved.
  const room = maxBytes - jsonBytes(moreText(text.length)) + 2;
  if (room < 2) return undefined;
  const kept = cutJsonText(text, room);
  return kept + moreText(text.length - kept.length);
}

function moreText(count: number): string {
  return `… [${count} more characters]`;
}

function cutArray(items: readonly JsonValue[], maxBytes: number, depth: number): JsonValue[] | undefined {
  const kept: JsonValue[] = [];
  let left = maxBytes - 2 - jsonBytes(moreItems(items.length)) - 1;
  if (left < 0) return undefined;
  if (items.length <= SHARED_MEMBERS) {
    const shares = shareBytes(
      items.map((item) => jsonBytes(item, left) + 1),
      left,
    );
    for (const [index, item] of items.entries()) {
      const part = fits(item, shares[index]! - 1, depth);
      if (part === undefined) break;
      kept.push(part);
    }
  } else {
    for (const item of items) {
      const bytes = jsonBytes(item, left) + 1;
      const part = bytes <= left ? item : fits(item, left - 1, depth);
      if (part === undefined) break;
      kept.push(part);
      left -= bytes;
      if (left <= 0) break;
    }
  }
  return kept.length === items.length ? kept : [...kept, moreItems(items.length - kept.length)];
}

function moreItems(count: number): string {
  return `… ${count} more items`;
}

function cutObject(value: { [key: string]: JsonValue }, maxBytes: number, depth: number): JsonValue | undefined {
  const keys = Object.keys(value);
  let left = maxBytes - 2 - jsonBytes(moreMembers(keys.length)) - jsonBytes('… cut') - 2;
  if (left < 0) return undefined;
  const kept: [string, JsonValue][] = [];
  const sizeOf = (key: string) => jsonBytes(key, left) + 2;
  if (keys.length <= SHARED_MEMBERS) {
    const shares = shareBytes(
      keys.map((key) => sizeOf(key) + jsonBytes(value[key]!, left)),
      left,
    );
    for (const [index, key] of keys.entries()) {
      const part = fits(value[key]!, shares[index]! - sizeOf(key), depth);
      if (part !== undefined) kept.push([key, part]);
    }
  } else {
    for (const key of keys) {
      const room = left - sizeOf(key);
      const part = room > 0 ? fits(value[key]!, room, depth) : undefined;
      if (part === undefined) continue;
      kept.push([key, part]);
      left = room - jsonBytes(part);
      if (left < 8) break;
    }
  }
  if (kept.length === 0) return undefined;
  if (kept.length < keys.length)
    kept.push([Object.hasOwn(value, '…') ? '… cut' : '…', moreMembers(keys.length - kept.length)]);
  return Object.fromEntries(kept);
}

function moreMembers(count: number): string {
  return `${count} more members`;
}

/** The whole of a part where it fits, a cut of it where that is worth showing. */
function fits(value: JsonValue, bytes: number, depth: number): JsonValue | undefined {
  if (bytes < LEAST_BYTES) return bytes > 0 && jsonBytes(value, bytes) <= bytes ? value : undefined;
  return cut(value, bytes, depth + 1);
}

function summary(value: object): string {
  return Array.isArray(value) ? `… array of ${value.length} items` : `… object of ${Object.keys(value).length} members`;
}

function fitting(text: string, maxBytes: number): string | undefined {
  return jsonBytes(text) <= maxBytes ? text : undefined;
}
