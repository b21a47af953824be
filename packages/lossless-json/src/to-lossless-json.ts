// The one pass that checks a value and copies it.
import { type LosslessJsonCode, LosslessJsonError, type PlaceStep, placeText } from './errors.ts';
import {
  getOwnPropertyDescriptor,
  hasOwn,
  isArray,
  isFiniteNumber,
  mapGet,
  mapSet,
  objectKeys,
  RealMap,
  setItem,
  setKey,
  slice,
} from './intrinsics.ts';
import { stringBytes } from './json-bytes.ts';
import { type JsonValue, MAX_JSON_DEPTH } from './json-value.ts';
import { arrayFault, notJsonName, objectFault } from './plain-data.ts';

export interface LosslessJsonOptions {
  /** The root of paths in messages. Default `value`. */
  name?: string;
  /** Refuse a value whose JSON text has more UTF-8 bytes; the pass stops there. */
  maxBytes?: number;
}

/** A container that is being copied, or was: shared references find their copy here. */
interface Frame {
  readonly outer: Frame | null;
  readonly key: string | number;
  readonly depth: number;
  readonly source: object;
  readonly copy: JsonValue[] | { [key: string]: JsonValue };
  /** The keys of an object, null for an array. */
  keys: string[] | null;
  readonly length: number;
  next: number;
  entries: number;
  done: boolean;
  /** Bytes counted before this container, then its own. */
  bytes: number;
}

/**
 * Checks that a value is lossless JSON and copies it in one iterative pass.
 *
 * `-0` becomes `0` and a property that is `undefined` is left out. The copy is made of plain objects and arrays;
 * an object that is met twice is copied once, so that references that were shared stay shared. `toJSON` is never called; a getter is
 * read at most once. A key named `__proto__` is ordinary data.
 *
 * @throws {LosslessJsonError} naming the path of what is not JSON, or of what broke `maxBytes`.
 */
export function toLosslessJson(value: unknown, options?: LosslessJsonOptions): JsonValue {
  return copyBelow(value, options, 0);
}

/** The same for a value that lies some levels below the root of what is being checked; they count towards the depth. */
export function copyBelow(value: unknown, options: LosslessJsonOptions | undefined, levels: number): JsonValue {
  const name = options && hasOwn(options, 'name') && options.name !== undefined ? options.name : 'value';
  const maxBytes = options && hasOwn(options, 'maxBytes') ? options.maxBytes : undefined;
  const counting = maxBytes !== undefined;
  const seen: Map<object, Frame> = new RealMap();
  let bytes = 0;
  let frame: Frame | null = null;
  let current: unknown = value;
  let key: string | number = '';

  const fail = (code: LosslessJsonCode, reason: string): never => {
    const place = frame === null ? null : { key, outer: placeOf(frame) };
    throw new LosslessJsonError(code, placeText(name, place, code === 'too_deep' ? 10 - levels : undefined), reason);
  };

  /** Counts bytes of the text; gives up once they are too many. */
  const count = (more: number): void => {
    bytes += more;
    if (maxBytes !== undefined && bytes > maxBytes) fail('too_large', tooLarge(maxBytes));
  };

  for (;;) {
    // Read `current`: a container is opened, everything else is a result.
    let result: JsonValue | undefined;
    if (current === null) {
      count(4);
      result = null;
    } else if (typeof current === 'string') {
      if (counting) count(stringBytes(current, maxBytes - bytes));
      result = current;
    } else if (typeof current === 'number') {
      if (!isFiniteNumber(current)) fail('not_json', `${current} is not JSON`);
      result = current === 0 ? 0 : current;
      if (counting) count(`${result}`.length);
    } else if (typeof current === 'boolean') {
      count(current ? 4 : 5);
      result = current;
    } else if (typeof current !== 'object') {
      return fail('not_json', `${notJsonName(current)} is not JSON`);
    } else {
      const known: Frame | undefined = mapGet(seen, current);
      if (known === undefined) {
        const opened = openFrame(current, frame, key, bytes, levels, fail);
        // The brackets, and at least a comma for every item but one.
        if (counting && bytes + opened.length + 1 > maxBytes) fail('too_large', tooLarge(maxBytes));
        mapSet(seen, current, opened);
        frame = opened;
        count(2);
      } else if (known.done) {
        count(known.bytes);
        result = known.copy;
      } else {
        return fail('cycle', 'the value contains itself');
      }
    }

    // Put the result in its place, close every container that is complete, and go on with the next child that is there.
    for (;;) {
      if (result !== undefined) {
        if (frame === null) return result;
        count(place(frame, key, result, counting));
      }
      // Every branch above that opens a container has set the frame.
      const open: Frame = frame!;
      if (open.next === open.length) {
        open.done = true;
        open.keys = null;
        open.bytes = bytes - open.bytes;
        result = open.copy;
        frame = open.outer;
        key = open.key;
        continue;
      }
      const index = open.next++;
      key = open.keys === null ? index : open.keys[index]!;
      current = read(open.source, key, fail);
      if (current !== undefined) break;
      if (open.keys === null) fail('not_json', 'undefined in an array is not JSON');
      result = undefined;
    }
  }
}

type Fail = (code: LosslessJsonCode, reason: string) => never;

function tooLarge(maxBytes: number): string {
  return `the value is larger than ${maxBytes} bytes as JSON`;
}

function placeOf(frame: Frame): PlaceStep | null {
  // The root frame has no key of its own.
  let first: { key: string | number; outer: PlaceStep | null } | null = null;
  let last: { key: string | number; outer: PlaceStep | null } | null = null;
  for (let at: Frame = frame; at.outer !== null; at = at.outer) {
    const step = { key: at.key, outer: null };
    if (last === null) first = step;
    else last.outer = step;
    last = step;
  }
  return first;
}

/** Puts a finished child into its container; gives the bytes of its key and punctuation. */
function place(frame: Frame, key: string | number, child: JsonValue, counting: boolean): number {
  const comma = frame.entries++ === 0 ? 0 : 1;
  if (typeof key === 'number') {
    setItem(frame.copy as JsonValue[], key, child);
    return comma;
  }
  setKey(frame.copy, key, child);
  return counting ? comma + 1 + stringBytes(key) : 0;
}

function read(source: object, key: string | number, fail: Fail): unknown {
  try {
    return (source as Record<string | number, unknown>)[key];
  } catch (error) {
    return fail('unreadable', `reading it threw${reasonOf(error)}`);
  }
}

/** The message of what a getter or trap threw, if it can be had without running more of its code. */
export function reasonOf(error: unknown): string {
  if (typeof error === 'string') return ` (${slice(error, 0, 200)})`;
  if (typeof error !== 'object' || error === null) return '';
  try {
    const message = getOwnPropertyDescriptor(error, 'message');
    if (message && hasOwn(message, 'value') && typeof message.value === 'string') {
      return ` (${slice(message.value, 0, 200)})`;
    }
  } catch {
    // A proxy that throws here too has nothing to say.
  }
  return '';
}

function openFrame(
  source: object,
  outer: Frame | null,
  key: string | number,
  bytes: number,
  levels: number,
  fail: Fail,
): Frame {
  const depth: number = outer === null ? levels + 1 : outer.depth + 1;
  if (depth > MAX_JSON_DEPTH) fail('too_deep', `nested deeper than ${MAX_JSON_DEPTH} levels`);
  let array = false;
  let keys: string[] | null = null;
  let length = 0;
  let wrong: string | null = null;
  try {
    array = isArray(source);
    if (array) {
      length = (source as unknown[]).length;
      wrong = arrayFault(source as unknown[], length);
    } else {
      keys = objectKeys(source);
      length = keys.length;
      wrong = objectFault(source, keys);
    }
  } catch (error) {
    fail('unreadable', `reading it threw${reasonOf(error)}`);
  }
  if (wrong !== null) fail('not_json', wrong);
  return { outer, key, depth, source, copy: array ? [] : {}, keys, length, next: 0, entries: 0, done: false, bytes };
}
