// Writing JSON text, to 10,000 levels.
import { LosslessJsonError, type PlaceStep, placeText } from './errors.ts';
import {
  ArrayPrototype,
  getPrototypeOf,
  hasOwn,
  isArray,
  min,
  nativeStringify,
  ObjectPrototype,
  objectKeys,
  slice,
} from './intrinsics.ts';
import { type JsonValue, MAX_JSON_DEPTH } from './json-value.ts';

/**
 * Writes a JSON value as text, as `JSON.stringify` would, but to 10,000 levels and without ever calling a `toJSON` that
 * somebody put on a prototype. The value must be lossless JSON (what `toLosslessJson` or `parseJson` gave).
 *
 * @throws {LosslessJsonError} `too_deep` beyond 10,000 levels.
 */
export function stringifyJson(value: JsonValue, options?: { indent?: number }): string {
  const indent = options && hasOwn(options, 'indent') ? (options.indent ?? 0) : 0;
  if (typeof value !== 'object' || value === null || prototypesAreQuiet()) {
    try {
      return nativeStringify(value, undefined, indent);
    } catch {
      // Native writers recurse and give up at some thousand levels.
    }
  }
  return writeIteratively(value, indent);
}

/** Whether the native writer would find no `toJSON` on the prototypes of plain data. */
function prototypesAreQuiet(): boolean {
  return (
    !hasOwn(ObjectPrototype, 'toJSON') &&
    !hasOwn(ArrayPrototype, 'toJSON') &&
    getPrototypeOf(ArrayPrototype) === ObjectPrototype
  );
}

interface WriteFrame {
  readonly outer: WriteFrame | null;
  readonly source: { readonly [key: string | number]: JsonValue };
  readonly keys: string[] | null;
  readonly length: number;
  readonly depth: number;
  next: number;
}

function writeIteratively(value: JsonValue, indent: number): string {
  const width = min(indent, 10);
  let unit = '';
  for (let i = 0; i < width; i++) unit += ' ';
  const colon = unit === '' ? ':' : ': ';
  let text = '';
  let frame: WriteFrame | null = null;
  let margin = '';
  let current: JsonValue = value;
  for (;;) {
    if (typeof current === 'object' && current !== null) {
      const keys: string[] | null = isArray(current) ? null : objectKeys(current);
      const length: number = keys === null ? (current as JsonValue[]).length : keys.length;
      if (length === 0) {
        text += keys === null ? '[]' : '{}';
      } else {
        const depth: number = frame === null ? 1 : frame.depth + 1;
        if (depth > MAX_JSON_DEPTH) throw tooDeep(frame);
        text += keys === null ? '[' : '{';
        frame = { outer: frame, source: current as never, keys, length, depth, next: 0 };
        margin += unit;
      }
    } else {
      text += nativeStringify(current);
    }
    while (frame !== null && frame.next === frame.length) {
      margin = shorten(margin, width);
      if (width > 0) text += `\n${margin}`;
      text += frame.keys === null ? ']' : '}';
      frame = frame.outer;
    }
    if (frame === null) return text;
    if (frame.next > 0) text += ',';
    if (width > 0) text += `\n${margin}`;
    const index: number = frame.next++;
    if (frame.keys === null) {
      current = frame.source[index]!;
    } else {
      const key: string = frame.keys[index]!;
      text += nativeStringify(key) + colon;
      current = frame.source[key]!;
    }
  }
}

function shorten(margin: string, width: number): string {
  return width === 0 ? margin : slice(margin, width);
}

function tooDeep(frame: WriteFrame | null): LosslessJsonError {
  let place: PlaceStep | null = null;
  let last: { key: string | number; outer: PlaceStep | null } | null = null;
  for (let at = frame; at !== null; at = at.outer) {
    const step = { key: at.keys === null ? at.next - 1 : at.keys[at.next - 1]!, outer: null };
    if (last === null) place = step;
    else last.outer = step;
    last = step;
  }
  return new LosslessJsonError(
    'too_deep',
    placeText('value', place, 10),
    `nested deeper than ${MAX_JSON_DEPTH} levels`,
  );
}
