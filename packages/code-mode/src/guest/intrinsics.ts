// What the prelude uses of the engine, taken before any program could change it.

const uncurry =
  <This, Args extends unknown[], Result>(fn: (this: This, ...args: Args) => Result) =>
  (self: This, ...args: Args): Result =>
    apply(fn, self, args) as Result;

export const { apply, getPrototypeOf, ownKeys, getOwnPropertyDescriptor } = Reflect;
export const { isArray } = Array;
export const { defineProperty, freeze, keys: objectKeys } = Object;
export const ObjectPrototype = Object.prototype;
export const { isFinite: isFiniteNumber, isNaN: isNotANumber } = Number;
export const StringOf = String;
export const RealMap = Map;
export const RealPromise = Promise;
export const nativeStringify = JSON.stringify;

export const objectToString = uncurry(Object.prototype.toString);
export const mapGet = uncurry(Map.prototype.get);
export const mapSet = uncurry(Map.prototype.set);
export const mapForEach = uncurry(Map.prototype.forEach);
export const setForEach = uncurry(Set.prototype.forEach);
export const dateTime = uncurry(Date.prototype.getTime);
export const dateToIso = uncurry(Date.prototype.toISOString);
export const regExpToString = uncurry(RegExp.prototype.toString);
export const symbolToString = uncurry(Symbol.prototype.toString);
export const slice = uncurry(String.prototype.slice);
export const promiseThen = uncurry(Promise.prototype.then);
export const exec = uncurry(RegExp.prototype.exec);
export const numberValue = uncurry(Number.prototype.valueOf);
export const stringValue = uncurry(String.prototype.valueOf);
export const booleanValue = uncurry(Boolean.prototype.valueOf);
export const isView = ArrayBuffer.isView;
