// Built-ins captured when the module is evaluated, so that later patches of prototypes cannot reach the package:
// in a guest it is evaluated before any program runs.

const bind = Function.prototype.bind;
const callFunction = Function.prototype.call;

/** Makes a method into a function that takes its receiver first. */
function uncurry<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
): (receiver: This, ...args: Args) => Result {
  return bind.call(callFunction, method) as (receiver: This, ...args: Args) => Result;
}

export const ArrayPrototype: object = Array.prototype;
export const ObjectPrototype: object = Object.prototype;

export const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
export const { freeze, keys: objectKeys } = Object;
export const { isArray } = Array;
export const { isView } = ArrayBuffer;
export const { parse: nativeParse, stringify: nativeStringify } = JSON;
export const { isFinite: isFiniteNumber } = Number;
export const { min } = Math;
export const toNumber = Number;
export const RealMap = Map;
export const RealSet = Set;

export const hasOwn = uncurry(Object.prototype.hasOwnProperty) as (value: object, key: PropertyKey) => boolean;
export const objectToString = uncurry(Object.prototype.toString) as (value: unknown) => string;
export const functionToString = uncurry(Function.prototype.toString) as (value: unknown) => string;
export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const indexOf = uncurry(String.prototype.indexOf);
export const slice = uncurry(String.prototype.slice) as (text: string, start: number, end?: number) => string;
export const exec = uncurry(RegExp.prototype.exec) as (pattern: RegExp, text: string) => RegExpExecArray | null;
export const mapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => Map<K, V>;
export const setHas = uncurry(Set.prototype.has) as <T>(set: Set<T>, value: T) => boolean;
export const setAdd = uncurry(Set.prototype.add) as <T>(set: Set<T>, value: T) => Set<T>;

/** Getters and methods that throw for every object that is not of their kind, whatever its prototype says. */
export const brandChecks: readonly (readonly [kind: string, check: (value: object) => unknown])[] = [
  ['Map', uncurry(getterOf(Map.prototype, 'size'))],
  ['Set', uncurry(getterOf(Set.prototype, 'size'))],
  ['WeakMap', (value) => weakMapHas(value as WeakMap<object, unknown>, value)],
  ['WeakSet', (value) => weakSetHas(value as WeakSet<object>, value)],
  ['ArrayBuffer', uncurry(getterOf(ArrayBuffer.prototype, 'byteLength'))],
  ['Promise', (value) => promiseThen(value as Promise<unknown>)],
];
const weakMapHas = uncurry(WeakMap.prototype.has);
const weakSetHas = uncurry(WeakSet.prototype.has);
const promiseThen = uncurry(Promise.prototype.then) as (promise: Promise<unknown>) => unknown;

function getterOf(prototype: object, key: string): (this: object) => unknown {
  return Object.getOwnPropertyDescriptor(prototype, key)!.get as (this: object) => unknown;
}

/** Defines an own data property as an assignment would, without asking the prototypes for a setter. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  defineProperty(target, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);
}

/** Sets an element of an array of our own; plain assignment where no prototype could see it. */
export function setItem(target: unknown[], index: number, value: unknown): void {
  if (getPrototypeOf(ArrayPrototype) === ObjectPrototype && !(index in ArrayPrototype)) target[index] = value;
  else setOwn(target, index, value);
}

/** Sets a property of a plain object of our own; plain assignment where no prototype could see it. */
export function setKey(target: object, key: string, value: unknown): void {
  if (key in ObjectPrototype) setOwn(target, key, value);
  else (target as Record<string, unknown>)[key] = value;
}
