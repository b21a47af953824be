// Turns any value of a program into JSON, so that nothing becomes `{}` in silence; what was lost is noted.
import {
  booleanValue,
  dateTime,
  dateToIso,
  defineProperty,
  exec,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  isFiniteNumber,
  isNotANumber,
  isView,
  mapForEach,
  mapGet,
  mapSet,
  nativeStringify,
  numberValue,
  ObjectPrototype,
  objectKeys,
  objectToString,
  RealMap,
  regExpToString,
  StringOf,
  setForEach,
  slice,
  stringValue,
  symbolToString,
} from './intrinsics.ts';

/** A conversion worth telling: where, and what became of it. `lossy` ones are told even where conversion is expected. */
export interface Conversion {
  path: string;
  what: string;
  lossy: boolean;
}

export interface JsonWithNotes {
  /** Lossless JSON, or undefined where the value was. */
  value: unknown;
  conversions: Conversion[];
}

interface Frame {
  outer: Frame | null;
  /** In the outer container. */
  key: string | number;
  source: object;
  copy: unknown[] | Record<string, unknown>;
  /** The values still to be converted, by key. */
  keys: (string | number)[];
  read(key: string | number): unknown;
  next: number;
}

/** A million is more than a person will read, and what is not JSON is shown as a short mark. */
const MOST_CONVERSIONS = 50;
const MOST_LEVELS = 9_000;

/** @param name the root of the paths in conversions. */
export function toJson(value: unknown, name: string): JsonWithNotes {
  const conversions: Conversion[] = [];
  let frame: Frame | null = null;
  let key: string | number = '';
  let depth = 0;
  const finished = new RealMap<object, unknown>();
  const open = new RealMap<object, true>();

  const note = (what: string, lossy: boolean): void => {
    if (conversions.length < MOST_CONVERSIONS) append(conversions, { path: pathOf(name, frame, key), what, lossy });
  };
  const mark = (text: string, what: string): string => {
    note(what, true);
    return `[${text}]`;
  };

  const enter = (source: object, copy: Frame['copy'], keys: Frame['keys'], read: Frame['read']): undefined => {
    frame = { outer: frame, key, source, copy, keys, read, next: 0 };
    depth++;
    mapSet(open, source, true);
    return undefined;
  };

  /** Gives a finished value, or opens a frame and gives undefined. */
  const convert = (current: unknown): unknown => {
    switch (typeof current) {
      case 'string':
      case 'boolean':
        return current;
      case 'number':
        if (isFiniteNumber(current)) return current;
        return mark(isNotANumber(current) ? 'NaN' : `${current}`, `${current} is not JSON`);
      case 'bigint':
        return mark(`BigInt ${current}`, 'a BigInt is not JSON; convert it with Number(…) or String(…)');
      case 'symbol':
        return mark(symbolToString(current), 'a symbol is not JSON');
      case 'function':
        return mark(`Function ${functionName(current)}`, 'a function is not JSON; call it, or leave it out');
      case 'undefined':
        return undefined;
    }
    if (current === null) return null;
    const source = current as object;
    if (mapGet(open, source)) return mark('Circular', 'the value contains itself here');
    const known = mapGet(finished, source);
    if (known !== undefined) return known;
    if (depth >= MOST_LEVELS) return mark('too deep', `nested deeper than ${MOST_LEVELS} levels`);
    return convertObject(source);
  };

  const convertObject = (source: object): unknown => {
    if (isArray(source)) {
      const keys: number[] = [];
      for (let index = 0; index < source.length; index++) append(keys, index);
      return enter(source, [], keys, (index) => (source as unknown[])[index as number]);
    }
    const tag = tagOf(source);
    if (tag === 'Object' && isPlain(source)) return enterRecord(source);
    try {
      return convertBuiltIn(source, tag);
    } catch {
      // It only says that it is one.
      return convertInstance(source, 'Object');
    }
  };

  const convertBuiltIn = (source: object, tag: string): unknown => {
    switch (tag) {
      case 'Date': {
        const iso = isNotANumber(dateTime(source as Date)) ? 'Invalid Date' : dateToIso(source as Date);
        note('a Date became its ISO text', false);
        return iso;
      }
      case 'Map': {
        const entries: unknown[] = [];
        mapForEach(source as Map<unknown, unknown>, (item: unknown, itemKey: unknown) =>
          append(entries, [itemKey, item]),
        );
        note('a Map became an array of [key, value]', false);
        return enterList(source, entries);
      }
      case 'Set': {
        const items: unknown[] = [];
        setForEach(source as Set<unknown>, (item: unknown) => append(items, item));
        note('a Set became an array', false);
        return enterList(source, items);
      }
      case 'Error':
        note('an Error became its name and message', false);
        return errorRecord(source);
      case 'RegExp': {
        const text = regExpToString(source as RegExp);
        note('a RegExp became its text', false);
        return text;
      }
      case 'Promise':
        return mark('Promise, not awaited', 'a promise was not awaited; put await before the call');
      case 'Number':
        return convert(numberValue(source as never));
      case 'String':
        return stringValue(source as never);
      case 'Boolean':
        return booleanValue(source as never);
    }
    if (isView(source) || tag === 'ArrayBuffer') {
      const bytes = safeRead(source, 'byteLength');
      return mark(`${tag}, ${StringOf(bytes)} bytes`, 'binary data is not JSON; encode it as text, with btoa for one');
    }
    if (
      tag === 'Generator' ||
      tag === 'WeakMap' ||
      tag === 'WeakSet' ||
      tag === 'WeakRef' ||
      tag === 'Symbol' ||
      tag === 'BigInt'
    ) {
      return mark(tag, `a ${tag} is not JSON`);
    }
    return convertInstance(source, tag);
  };

  /** A class instance: what its toJSON gives, else its own fields. */
  const convertInstance = (source: object, tag: string): unknown => {
    const toJSON = safeRead(source, 'toJSON');
    if (typeof toJSON === 'function') {
      try {
        const given: unknown = (source as { toJSON(): unknown }).toJSON();
        if (given !== source) {
          if (typeof given !== 'object' || given === null) return convert(given);
          if (isPlain(given) || isArray(given)) return convert(given);
        }
      } catch {
        // Its fields are still there.
      }
    }
    const className = classNameOf(source) || tag;
    if (objectKeys(source).length === 0 && className !== 'Object')
      return mark(className, `an instance of ${className} has no fields to show`);
    if (className !== 'Object') note(`an instance of ${className} became its own fields`, false);
    return enterRecord(source);
  };

  const enterRecord = (source: object): undefined =>
    enter(source, {}, objectKeys(source), (name) => safeRead(source, name as string));

  const enterList = (source: object, items: unknown[]): undefined => {
    const keys: number[] = [];
    for (let index = 0; index < items.length; index++) append(keys, index);
    return enter(source, [], keys, (index) => items[index as number]);
  };

  let result: unknown;
  const root = convert(value);
  if (frame === null) return { value: root, conversions };
  for (;;) {
    const at = frame as Frame;
    if (at.next < at.keys.length) {
      key = at.keys[at.next++]!;
      const before: Frame | null = frame;
      const item = at.read(key);
      const converted = convert(item);
      if (frame === before) put(at, key, converted);
      continue;
    }
    mapSet(finished, at.source, at.copy);
    mapSet(open, at.source, undefined as never);
    frame = at.outer;
    key = at.key;
    depth--;
    if (frame === null) {
      result = at.copy;
      break;
    }
    put(frame as Frame, key, at.copy);
  }
  return { value: result, conversions };
}

/** `undefined` is away in an object, and null in an array, where it holds a place. */
function put(frame: Frame, key: string | number, value: unknown): void {
  if (isArray(frame.copy)) define(frame.copy, key, value === undefined ? null : value);
  else if (value !== undefined) define(frame.copy, key, value);
}

function define(target: object, key: string | number, value: unknown): void {
  defineProperty(target, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);
}

function append(list: unknown[], item: unknown): void {
  define(list, list.length, item);
}

function isPlain(value: object): boolean {
  const prototype = getPrototypeOf(value);
  return prototype === null || prototype === ObjectPrototype;
}

function tagOf(value: object): string {
  try {
    return slice(objectToString(value), 8, -1);
  } catch {
    return 'Object';
  }
}

function safeRead(source: object, key: string): unknown {
  try {
    return (source as Record<string, unknown>)[key];
  } catch {
    return '[a getter that throws]';
  }
}

function errorRecord(source: object): Record<string, string> {
  const copy: Record<string, string> = {};
  const name = safeRead(source, 'name');
  const message = safeRead(source, 'message');
  define(copy, 'name', typeof name === 'string' ? name : 'Error');
  define(copy, 'message', typeof message === 'string' ? message : '');
  return copy;
}

function functionName(value: object): string {
  const name = getOwnPropertyDescriptor(value, 'name');
  return name && typeof name.value === 'string' ? name.value : '';
}

function classNameOf(value: object): string {
  const made = safeRead(value, 'constructor');
  return typeof made === 'function' ? functionName(made) : '';
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

function pathOf(name: string, frame: Frame | null, key: string | number): string {
  if (frame === null) return name;
  let text = keyText(key);
  let steps = 0;
  for (let at: Frame | null = frame; at?.outer && steps < 20; at = at.outer, steps++) text = keyText(at.key) + text;
  return steps === 20 ? `${name}…${text}` : name + text;
}

function keyText(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  const shown = key.length > 60 ? `${slice(key, 0, 60)}…` : key;
  return exec(IDENTIFIER, shown) ? `.${shown}` : `[${nativeStringify(shown)}]`;
}
