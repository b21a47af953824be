// Built-ins captured while the base image is built, before any program runs: no guest patch reaches the bridge.

const callFunction = Function.prototype.call;
const bind = Function.prototype.bind;

/** Makes a method into a function that takes its receiver first, and looks nothing up when it is called. */
function uncurry<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
): (receiver: This, ...args: Args) => Result {
  return bind.call(callFunction, method) as (receiver: This, ...args: Args) => Result;
}

export const RealPromise = Promise;
export const RealError = Error;
export const RealTypeError = TypeError;
export const RealMap = Map;
export const RealProxy = Proxy;
export const RealWeakMap = WeakMap;

export const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, apply, construct } = Reflect;
export const { freeze, create: createObject, keys: objectKeys } = Object;
export const { isArray } = Array;
export const { stringify: nativeStringify, parse: nativeParse } = JSON;
export const stringOf = String;

export const mapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => Map<K, V>;
export const mapDelete = uncurry(Map.prototype.delete) as <K>(map: Map<K, unknown>, key: K) => boolean;
export const weakGet = uncurry(WeakMap.prototype.get) as <K extends WeakKey, V>(
  map: WeakMap<K, V>,
  key: K,
) => V | undefined;
export const weakSet = uncurry(WeakMap.prototype.set) as <K extends WeakKey, V>(
  map: WeakMap<K, V>,
  key: K,
  value: V,
) => unknown;
export const slice = uncurry(String.prototype.slice) as (text: string, start: number, end?: number) => string;
export const indexOf = uncurry(String.prototype.indexOf) as (text: string, part: string, from: number) => number;
export const functionToString = uncurry(Function.prototype.toString) as (value: unknown) => string;

/** Defines an own data property; never asks a prototype for a setter. */
export function define(target: object, key: PropertyKey, value: unknown, changeable = true): void {
  defineProperty(target, key, {
    __proto__: null,
    value,
    writable: changeable,
    enumerable: changeable,
    configurable: changeable,
  } as PropertyDescriptor);
}
