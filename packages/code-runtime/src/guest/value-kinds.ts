// Tells built-in objects apart by what only they can do, and reads what is inside them.
import { getPrototypeOf, getterOf, isNotNumber, symbolToString, toText, uncurry } from './intrinsics.ts';

/** A built-in object and how its content shows: in a few words, or as entries. */
export type ValueKind =
  | { kind: 'text'; text: string }
  | { kind: 'error' }
  | { kind: 'map'; size: number; each: (visit: (value: unknown, key: unknown) => void) => void }
  | { kind: 'set'; size: number; each: (visit: (value: unknown) => void) => void }
  | { kind: 'bytes'; name: string; length: number };

const mapSize = getterOf(Map.prototype, 'size');
const setSize = getterOf(Set.prototype, 'size');
const mapForEach = uncurry(Map.prototype.forEach) as (
  map: object,
  visit: (value: unknown, key: unknown) => void,
) => void;
const setForEach = uncurry(Set.prototype.forEach) as (set: object, visit: (value: unknown) => void) => void;
const dateTime = uncurry(Date.prototype.getTime) as (date: object) => number;
const dateText = uncurry(Date.prototype.toISOString) as (date: object) => string;
const patternSource = getterOf(RegExp.prototype, 'source');
const byteLength = getterOf(ArrayBuffer.prototype, 'byteLength');
const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype)!;
const typedArrayName = getterOf(TypedArrayPrototype, Symbol.toStringTag);
const typedArrayLength = getterOf(TypedArrayPrototype, 'length');

const PATTERN_FLAGS: readonly (readonly [letter: string, getter: (pattern: object) => unknown])[] = [
  ['d', getterOf(RegExp.prototype, 'hasIndices')],
  ['g', getterOf(RegExp.prototype, 'global')],
  ['i', getterOf(RegExp.prototype, 'ignoreCase')],
  ['m', getterOf(RegExp.prototype, 'multiline')],
  ['s', getterOf(RegExp.prototype, 'dotAll')],
  ['u', getterOf(RegExp.prototype, 'unicode')],
  ['v', getterOf(RegExp.prototype, 'unicodeSets')],
  ['y', getterOf(RegExp.prototype, 'sticky')],
];

/** What an object is if its chain of prototypes holds this one; `read` throws where it only looks like it. */
const READERS: readonly (readonly [prototype: object, read: (value: object) => ValueKind])[] = [
  [Error.prototype, () => ({ kind: 'error' })],
  [
    Map.prototype,
    (value) => ({ kind: 'map', size: mapSize(value) as number, each: (visit) => mapForEach(value, visit) }),
  ],
  [
    Set.prototype,
    (value) => ({ kind: 'set', size: setSize(value) as number, each: (visit) => setForEach(value, visit) }),
  ],
  [Date.prototype, (value) => text(isNotNumber(dateTime(value)) ? 'Invalid Date' : dateText(value))],
  [RegExp.prototype, (value) => text(`/${toText(patternSource(value))}/${flagsOf(value)}`)],
  [TypedArrayPrototype, readTypedArray],
  [ArrayBuffer.prototype, (value) => text(`ArrayBuffer { byteLength: ${toText(byteLength(value))} }`)],
  [Promise.prototype, () => text('Promise {}')],
  [WeakMap.prototype, () => text('WeakMap {}')],
  [WeakSet.prototype, () => text('WeakSet {}')],
  [Number.prototype, boxed('Number', uncurry(Number.prototype.valueOf))],
  [String.prototype, boxed('String', uncurry(String.prototype.valueOf))],
  [Boolean.prototype, boxed('Boolean', uncurry(Boolean.prototype.valueOf))],
  [Symbol.prototype, (value) => text(`[Symbol: ${symbolToString(value as unknown as symbol)}]`)],
];

const MOST_PROTOTYPES = 20;

/** What kind of built-in an object is, or undefined. The object itself must not be a proxy. */
export function kindOf(value: object, isOpaque: (value: object) => boolean): ValueKind | undefined {
  let at = getPrototypeOf(value);
  for (let depth = 0; at !== null && depth < MOST_PROTOTYPES && !isOpaque(at); depth++) {
    for (let index = 0; index < READERS.length; index++) {
      const reader = READERS[index]!;
      if (reader[0] !== at) continue;
      try {
        return reader[1](value);
      } catch {
        return undefined;
      }
    }
    at = getPrototypeOf(at);
  }
  return undefined;
}

function text(shown: string): ValueKind {
  return { kind: 'text', text: shown };
}

function boxed(name: string, read: (value: never) => unknown): (value: object) => ValueKind {
  return (value) => text(`[${name}: ${toText(read(value as never))}]`);
}

function readTypedArray(value: object): ValueKind {
  const name = typedArrayName(value);
  if (typeof name !== 'string') throw new Error('not a typed array');
  return { kind: 'bytes', name, length: typedArrayLength(value) as number };
}

function flagsOf(pattern: object): string {
  let flags = '';
  for (let index = 0; index < PATTERN_FLAGS.length; index++) {
    const flag = PATTERN_FLAGS[index]!;
    if (flag[1](pattern)) flags += flag[0];
  }
  return flags;
}
