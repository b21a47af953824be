// Which objects and arrays are plain data, whatever they pretend to be.
import {
  ArrayPrototype,
  brandChecks,
  functionToString,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  isView,
  ObjectPrototype,
  objectToString,
  ownKeys,
  slice,
} from './intrinsics.ts';

/** What keeps an array from being dense and plain, or null. */
export function arrayFault(source: unknown[], length: number): string | null {
  if (!isPlainArrayPrototype(getPrototypeOf(source))) return `${className(source, 'an array subclass')} is not JSON`;
  const all = ownKeys(source);
  // `length` is an array's first named key, so this says: every index is there, and nothing else.
  if (all.length === length + 1 && all[length] === 'length') return null;
  for (let i = 0; i < length; i++) if (!hasOwn(source, i)) return `a hole (index ${i}) is not JSON`;
  const extra = all[length + 1];
  if (typeof extra === 'symbol') return 'an array with a symbol key is not JSON';
  if (extra !== undefined) return `an array with a property ${quote(extra)} is not JSON`;
  return 'an irregular array is not JSON';
}

/** What keeps an object from being plain data, or null; `keys` are its own enumerable string keys. */
export function objectFault(source: object, keys: string[]): string | null {
  const prototype = getPrototypeOf(source);
  if (prototype !== null && prototype !== ObjectPrototype && !isForeignPrototype(prototype, 'Object')) {
    const name = className(source, 'an object with a prototype');
    return name === 'Promise' ? 'a Promise is not JSON; await it first' : `${name} is not JSON`;
  }
  const all = ownKeys(source);
  if (all.length !== keys.length) return hiddenKey(source, all);
  const tag = objectToString(source);
  if (tag !== '[object Object]') return `${slice(tag, 8, -1)} is not JSON`;
  if (isView(source)) return `${className(source, 'a typed array')} is not JSON`;
  if (keys.length === 0) {
    // An exotic object whose prototype was replaced has nothing else to show.
    const kind = exoticKind(source);
    if (kind !== null) return `${kind} is not JSON`;
  }
  return null;
}

function hiddenKey(source: object, all: (string | symbol)[]): string {
  for (let i = 0; i < all.length; i++) {
    const key = all[i]!;
    if (typeof key === 'symbol') return 'an object with a symbol key is not JSON';
    const descriptor = getOwnPropertyDescriptor(source, key);
    if (descriptor && !descriptor.enumerable) {
      const tag = objectToString(source);
      if (tag !== '[object Object]') return `${slice(tag, 8, -1)} is not JSON`;
      return `an object with a hidden key ${quote(key)} is not JSON`;
    }
  }
  return 'an object whose keys change while they are read is not JSON';
}

function quote(key: string): string {
  return `"${slice(key, 0, 80)}"`;
}

/** `Array.prototype`, of this realm or another one. */
function isPlainArrayPrototype(prototype: object | null): boolean {
  if (prototype === ArrayPrototype) return true;
  return prototype !== null && isArray(prototype) && isForeignPrototype(prototype, 'Array');
}

/** Whether an object is `Object.prototype` or `Array.prototype` of another realm: the one that its native constructor points at. */
function isForeignPrototype(prototype: object, constructorName: string): boolean {
  const maker = dataProperty(prototype, 'constructor');
  if (typeof maker !== 'function') return false;
  if (dataProperty(maker, 'prototype') !== prototype) return false;
  return isNativeText(functionToString(maker), constructorName);
}

function isNativeText(text: string, name: string): boolean {
  // Engines differ in the white space inside.
  let bare = '';
  for (let i = 0; i < text.length && i < 80; i++) {
    const char = text[i]!;
    if (char !== ' ' && char !== '\n') bare += char;
  }
  return bare === `function${name}(){[nativecode]}`;
}

function dataProperty(target: object, key: string): unknown {
  const descriptor = getOwnPropertyDescriptor(target, key);
  return descriptor && hasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

function exoticKind(source: object): string | null {
  for (let i = 0; i < brandChecks.length; i++) {
    const pair = brandChecks[i]!;
    try {
      pair[1](source);
      return pair[0];
    } catch {
      // Not of this kind.
    }
  }
  return null;
}

/** The name of an object's class as its prototype's constructor tells it, else `otherwise`. */
function className(source: object, otherwise: string): string {
  try {
    const tag = objectToString(source);
    if (tag === '[object Date]' || tag === '[object RegExp]') return slice(tag, 8, -1);
    const prototype = getPrototypeOf(source);
    const maker = prototype === null ? undefined : dataProperty(prototype, 'constructor');
    const name = typeof maker === 'function' ? dataProperty(maker, 'name') : undefined;
    if (typeof name === 'string' && name !== '' && name !== 'Object' && name !== 'Array') return slice(name, 0, 80);
  } catch {
    // A proxy that throws keeps its name to itself.
  }
  return otherwise;
}

/** What a primitive or function that JSON does not have is called in messages. */
export function notJsonName(value: unknown): string {
  if (typeof value === 'undefined') return 'undefined';
  if (typeof value === 'bigint') return 'a BigInt';
  if (typeof value === 'symbol') return 'a symbol';
  return 'a function';
}
