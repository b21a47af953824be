// Built-ins captured when the module is evaluated, before any program runs: nothing here is looked up on a patched prototype.

const bind = Function.prototype.bind;
const callFunction = Function.prototype.call;

/** Makes a method into a function that takes its receiver first, and looks nothing up when it is called. */
export function uncurry<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
): (receiver: This, ...args: Args) => Result {
  return bind.call(callFunction, method) as (receiver: This, ...args: Args) => Result;
}

/** The getter behind an accessor, as a function of its receiver. It throws for a receiver of another kind. */
export function getterOf(prototype: object, key: PropertyKey): (receiver: object) => unknown {
  const getter = Reflect.getOwnPropertyDescriptor(prototype, key)?.get;
  return getter === undefined ? () => undefined : (uncurry(getter) as (receiver: object) => unknown);
}

export const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
export const { freeze, create: createObject } = Object;
export const { isArray } = Array;
export const { isNaN: isNotNumber } = Number;
export const { min, trunc } = Math;
export const { now } = Date;
export const { stringify: nativeStringify, parse: nativeParse } = JSON;
export const toText = String;
export const toNumber = Number;
export const RealMap = Map;
export const RealPromise = Promise;
export const RealProxy = Proxy;
export const RealWeakMap = WeakMap;
export const RealError = Error;
export const RealTypeError = TypeError;
export const ObjectPrototype: object = Object.prototype;

export const hasOwn = uncurry(Object.prototype.hasOwnProperty) as (value: object, key: PropertyKey) => boolean;
export const isEnumerable = uncurry(Object.prototype.propertyIsEnumerable) as (
  value: object,
  key: PropertyKey,
) => boolean;
export const mapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => Map<K, V>;
export const mapDelete = uncurry(Map.prototype.delete) as <K>(map: Map<K, unknown>, key: K) => boolean;
export const weakGet = uncurry(WeakMap.prototype.get) as <V>(map: WeakMap<object, V>, key: object) => V | undefined;
export const weakSet = uncurry(WeakMap.prototype.set) as <V>(map: WeakMap<object, V>, key: object, value: V) => unknown;
export const slice = uncurry(String.prototype.slice) as (text: string, start: number, end?: number) => string;
export const indexOf = uncurry(String.prototype.indexOf) as (text: string, part: string, from?: number) => number;
export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const exec = uncurry(RegExp.prototype.exec) as (pattern: RegExp, text: string) => RegExpExecArray | null;
export const functionToString = uncurry(Function.prototype.toString) as (value: unknown) => string;
export const symbolToString = uncurry(Symbol.prototype.toString) as (value: symbol) => string;

/** Defines an own data property; never asks a prototype for a setter. */
export function define(target: object, key: PropertyKey, value: unknown, enumerable = true): void {
  defineProperty(target, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable,
    configurable: true,
  } as PropertyDescriptor);
}
