// The size of a value's JSON text in UTF-8 bytes, without building the text.
import { charCodeAt, exec, isArray, objectKeys } from './intrinsics.ts';
import type { JsonValue } from './json-value.ts';

const NOT_PLAIN = /[^ !#-[\]-~]/;
const SHORT = 24;

/**
 * The UTF-8 bytes of a value's JSON text, as `stringifyJson` writes it. With a `limit` the count stops soon after it is
 * passed and gives a number above it.
 */
export function jsonBytes(value: JsonValue, limit = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  let frame: CountFrame | null = null;
  let current: JsonValue = value;
  for (;;) {
    if (typeof current === 'object' && current !== null) {
      const keys: string[] | null = isArray(current) ? null : objectKeys(current);
      const length: number = keys === null ? (current as JsonValue[]).length : keys.length;
      bytes += length === 0 ? 2 : 1 + length;
      if (length > 0) frame = { outer: frame, source: current as never, keys, length, next: 0 };
    } else {
      bytes += scalarBytes(current, limit - bytes);
    }
    if (bytes > limit) return bytes;
    while (frame !== null && frame.next === frame.length) frame = frame.outer;
    if (frame === null) return bytes;
    const index: number = frame.next++;
    if (frame.keys === null) {
      current = frame.source[index]!;
    } else {
      const key: string = frame.keys[index]!;
      bytes += stringBytes(key, limit - bytes) + 1;
      current = frame.source[key]!;
    }
  }
}

interface CountFrame {
  readonly outer: CountFrame | null;
  readonly source: { readonly [key: string | number]: JsonValue };
  readonly keys: string[] | null;
  readonly length: number;
  next: number;
}

function scalarBytes(value: JsonValue, limit: number): number {
  if (typeof value === 'string') return stringBytes(value, limit);
  if (value === null || value === true) return 4;
  if (value === false) return 5;
  return `${value}`.length;
}

/** The UTF-8 bytes of a string's JSON text with its quotes; stops soon after `limit`. */
export function stringBytes(text: string, limit = Number.POSITIVE_INFINITY): number {
  if (text.length + 2 > limit) return text.length + 2;
  if (text.length > SHORT && exec(NOT_PLAIN, text) === null) return text.length + 2;
  let bytes = 2;
  for (let i = 0; i < text.length && bytes <= limit; i++) {
    const unit = charCodeAt(text, i);
    bytes += unitBytes(text, i, unit);
    if (isPair(text, i, unit)) i++;
  }
  return bytes;
}

/** Whether the unit at `i` is the first of a surrogate pair. */
export function isPair(text: string, i: number, unit: number): boolean {
  if (unit < 0xd800 || unit > 0xdbff || i + 1 >= text.length) return false;
  const next = charCodeAt(text, i + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/** The bytes that the code point at `i` takes inside a JSON string. */
export function unitBytes(text: string, i: number, unit: number): number {
  if (unit < 0x80) {
    if (unit >= 0x20) return unit === 0x22 || unit === 0x5c ? 2 : 1;
    return unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 2 : 6;
  }
  if (unit < 0x800) return 2;
  if (unit >= 0xd800 && unit <= 0xdfff) return isPair(text, i, unit) ? 4 : 6;
  return 3;
}
