// Built-ins captured when the thread starts, before any program runs: no patch of the program reaches the bridge.

const bind = Function.prototype.bind;
const callFunction = Function.prototype.call;

/** Makes a method into a function that takes its receiver first, and looks nothing up when it is called. */
export function uncurry<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
): (receiver: This, ...args: Args) => Result {
  return bind.call(callFunction, method) as (receiver: This, ...args: Args) => Result;
}

export const RealError = Error;
export const RealMap = Map;
export const RealPromise = Promise;
export const RealTypeError = TypeError;
export const RealWeakMap = WeakMap;
export const RealScript = (globalThis.process.getBuiltinModule('node:vm') as typeof import('node:vm')).Script;

export const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
export const { freeze } = Object;
export const { parse: nativeParse, stringify: nativeStringify } = JSON;
export const { wait: blockOn } = Atomics;
export const later = globalThis.setImmediate;

export const mapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => Map<K, V>;
export const mapDelete = uncurry(Map.prototype.delete) as <K>(map: Map<K, unknown>, key: K) => boolean;
export const weakGet = uncurry(WeakMap.prototype.get) as <V>(map: WeakMap<object, V>, key: object) => V | undefined;
export const weakSet = uncurry(WeakMap.prototype.set) as <V>(map: WeakMap<object, V>, key: object, value: V) => unknown;
export const thenDo = uncurry(Promise.prototype.then) as (
  promise: Promise<unknown>,
  onValue: (value: unknown) => void,
  onError: (error: unknown) => void,
) => unknown;
export const exec = uncurry(RegExp.prototype.exec) as (pattern: RegExp, text: string) => RegExpExecArray | null;
export const slice = uncurry(String.prototype.slice) as (text: string, start: number, end?: number) => string;
export const indexOf = uncurry(String.prototype.indexOf) as (text: string, part: string, from?: number) => number;

/** Defines an own data property; never asks a prototype for a setter. */
export function define(target: object, key: PropertyKey, value: unknown, enumerable: boolean): void {
  defineProperty(target, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable,
    configurable: true,
  } as PropertyDescriptor);
}
