// Checks a value and writes its JSON text in one go: for values that only cross a boundary, and whose copy nobody wants.
import { LosslessJsonError, type PlaceStep, placeText } from './errors.ts';
import { charCodeAt, hasOwn, isArray, isFiniteNumber, nativeStringify, objectKeys } from './intrinsics.ts';
import { arrayFault, notJsonName, objectFault } from './plain-data.ts';
import { stringifyJson } from './stringify-json.ts';
import { copyBelow, type LosslessJsonOptions, reasonOf } from './to-lossless-json.ts';

/** Containers below this depth are left to the pass that needs no stack. */
const DEEPEST = 8;

/** A container that is being written. */
interface OpenContainer {
  readonly source: object;
  readonly outer: OpenContainer | null;
  readonly depth: number;
  /** The key that is being read. */
  key: string | number;
}

/**
 * The JSON text of a value, checked: the same as `stringifyJson(toLosslessJson(value, options))`, and for the small and shallow
 * values that calls are made of several times as fast where code is interpreted.
 *
 * @throws {LosslessJsonError} as `toLosslessJson` does.
 */
export function losslessJsonText(value: unknown, options?: LosslessJsonOptions): string {
  const name = options && hasOwn(options, 'name') && options.name !== undefined ? options.name : 'value';
  const maxBytes = options && hasOwn(options, 'maxBytes') ? options.maxBytes : undefined;
  const text = write(value, null, name, maxBytes ?? Number.POSITIVE_INFINITY);
  if (maxBytes !== undefined && text.length * 3 > maxBytes && utf8Bytes(text) > maxBytes)
    throw tooLarge(null, name, maxBytes);
  return text;
}

/**
 * The JSON text of the first `count` items of a list which the caller itself has made, so that only the items are checked.
 * Otherwise as {@link losslessJsonText}.
 *
 * @throws {LosslessJsonError} as `toLosslessJson` does.
 */
export function losslessItemsText(items: unknown[], count: number, name: string, maxBytes: number): string {
  const text = writeItems(items, count, { source: items, outer: null, depth: 1, key: 0 }, name, maxBytes);
  if (text.length * 3 > maxBytes && utf8Bytes(text) > maxBytes) throw tooLarge(null, name, maxBytes);
  return text;
}

function write(value: unknown, outer: OpenContainer | null, name: string, maxBytes: number): string {
  switch (typeof value) {
    case 'string':
      if (value.length > maxBytes) throw tooLarge(outer, name, maxBytes);
      return nativeStringify(value);
    case 'number':
      if (!isFiniteNumber(value)) throw notJson(outer, name, `${value} is not JSON`);
      return `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : writeContainer(value, outer, name, maxBytes);
    default:
      throw notJson(outer, name, `${notJsonName(value)} is not JSON`);
  }
}

function writeContainer(source: object, outer: OpenContainer | null, name: string, maxBytes: number): string {
  for (let at = outer; at !== null; at = at.outer) {
    if (at.source === source) throw new LosslessJsonError('cycle', placeOf(outer, name), 'the value contains itself');
  }
  const depth = outer === null ? 1 : outer.depth + 1;
  if (depth > DEEPEST) return writeDeep(source, outer, name, maxBytes);
  const open: OpenContainer = { source, outer, depth, key: '' };
  let keys: string[] | null = null;
  let length = 0;
  let fault: string | null;
  try {
    if (isArray(source)) {
      length = source.length;
      fault = arrayFault(source, length);
    } else {
      keys = objectKeys(source);
      length = keys.length;
      fault = objectFault(source, keys);
    }
  } catch (error) {
    throw unreadable(outer, name, error);
  }
  if (fault !== null) throw notJson(outer, name, fault);
  return keys === null
    ? writeItems(source as unknown[], length, open, name, maxBytes)
    : writeMembers(source as Record<string, unknown>, keys, open, name, maxBytes);
}

function writeItems(source: unknown[], length: number, open: OpenContainer, name: string, maxBytes: number): string {
  let text = '[';
  for (let index = 0; index < length; index++) {
    open.key = index;
    const child = read(source as unknown as Record<string, unknown>, index, open, name);
    if (child === undefined) throw notJson(open, name, 'undefined in an array is not JSON');
    if (index > 0) text += ',';
    text += write(child, open, name, maxBytes);
    if (text.length > maxBytes) throw tooLarge(open, name, maxBytes);
  }
  return `${text}]`;
}

function writeMembers(
  source: Record<string, unknown>,
  keys: string[],
  open: OpenContainer,
  name: string,
  maxBytes: number,
): string {
  let text = '{';
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    open.key = key;
    const child = read(source, key, open, name);
    if (child === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${nativeStringify(key)}:${write(child, open, name, maxBytes)}`;
    if (text.length > maxBytes) throw tooLarge(open, name, maxBytes);
  }
  return `${text}}`;
}

function read(source: Record<string, unknown>, key: string | number, open: OpenContainer, name: string): unknown {
  try {
    return source[key];
  } catch (error) {
    throw unreadable(open, name, error);
  }
}

/** Hands what lies deep to the pass that needs no stack; a cycle that leads back above it shows there one round later. */
function writeDeep(source: object, outer: OpenContainer | null, name: string, maxBytes: number): string {
  const place = placeOf(outer, name);
  const options = maxBytes === Number.POSITIVE_INFINITY ? { name: place } : { name: place, maxBytes };
  return stringifyJson(copyBelow(source, options, DEEPEST));
}

function placeOf(outer: OpenContainer | null, name: string): string {
  let first: { key: string | number; outer: PlaceStep | null } | null = null;
  let last: { key: string | number; outer: PlaceStep | null } | null = null;
  for (let at = outer; at !== null; at = at.outer) {
    const step = { key: at.key, outer: null };
    if (last === null) first = step;
    else last.outer = step;
    last = step;
  }
  return placeText(name, first);
}

function notJson(outer: OpenContainer | null, name: string, reason: string): LosslessJsonError {
  return new LosslessJsonError('not_json', placeOf(outer, name), reason);
}

function unreadable(outer: OpenContainer | null, name: string, error: unknown): LosslessJsonError {
  return new LosslessJsonError('unreadable', placeOf(outer, name), `reading it threw${reasonOf(error)}`);
}

function tooLarge(outer: OpenContainer | null, name: string, maxBytes: number): LosslessJsonError {
  return new LosslessJsonError('too_large', placeOf(outer, name), `the value is larger than ${maxBytes} bytes as JSON`);
}

/** UTF-8 bytes of JSON text, in which no surrogate stands alone. */
function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = charCodeAt(text, index);
    if (unit >= 0x80) bytes += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
