// The package inside a guest whose program patches every built-in that it can after the package was loaded.
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import bundle from './index.ts?bundle=guest';

const PATCHES = `
  let calls = '';
  const { defineProperty, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const set = (holder, key, property) => {
    property.__proto__ = null;
    defineProperty(holder, key, property);
  };
  const spy = (name, fn) => function (...args) { calls += name + ' '; return fn.apply(this, args) };
  const spared = [Function.prototype.call, Function.prototype.apply];
  const holders = [JSON, Reflect, Math];
  for (const Class of [Array, Object, String, RegExp, Map, Set, Function, Number, Symbol, Promise, WeakMap, WeakSet, ArrayBuffer, Error]) {
    holders.push(Class, Class.prototype);
  }
  for (const holder of holders) {
    for (const key of ownKeys(holder)) {
      const property = getOwnPropertyDescriptor(holder, key);
      if (!property.configurable || key === 'constructor' || spared.includes(property.value)) continue;
      if (typeof property.value === 'function') property.value = spy(String(key), property.value);
      if (property.get) property.get = spy(String(key), property.get);
      set(holder, key, property);
    }
  }
  for (const holder of [Object.prototype, Array.prototype, String.prototype]) {
    for (const key of ['toJSON', '0', '1', '2', 'a', 'b', 'name', 'maxBytes', 'indent', 'outer', 'value', 'get', 'set']) {
      const stolen = spy(key, () => 'stolen');
      set(holder, key, key === 'toJSON' ? { value: stolen } : { configurable: true, get: stolen, set: spy('set ' + key, () => {}) });
    }
  }
  calls = '';
`;

const WORK = `
  const value = lib.toLosslessJson(input);
  const text = lib.stringifyJson(value);
  const again = lib.stringifyJson(lib.parseJson(text));
  const deep = lib.stringifyJson(lib.parseJson(deepText));
  const bytes = lib.jsonBytes(value, 1e9);
  const cut = lib.cutText('aé€😀', 5) + lib.cutJsonText('a"é', 4);
  lib.freezeJson(value);
  let message;
  try { lib.toLosslessJson({ list: [0, bad] }, { __proto__: null, name: 'args' }) } catch (error) { message = error.message }
  return { text, again, deep, bytes, cut, message, calls };
`;

const PROXY_BEHIND = `
  Object.setPrototypeOf(Array.prototype, new Proxy({}, {
    __proto__: null,
    has() { calls += 'has '; return false },
    get() { calls += 'get '; },
    set() { calls += 'set '; return true },
  }));
  calls = '';
`;

test.each(['', PROXY_BEHIND])('no patch of a built-in is called or changes anything', (more) => {
  const input = '{"a":[1,"x",{"b":null}],"b":{"a":-0.5},"name":"é","2024-01-05":[[],{}]}';
  const deepText = '['.repeat(9000) + ']'.repeat(9000);
  const run = runInNewContext(`(inputText, deepText) => {
    const lib = ${bundle};
    const input = JSON.parse(inputText);
    const bad = new Date(0);
    ${PATCHES}
    ${more}
    ${WORK}
  }`);
  const { calls, ...given } = run(input, deepText);
  expect(given).toEqual({
    text: input,
    again: input,
    deep: deepText,
    bytes: Buffer.byteLength(input),
    cut: 'aéa',
    message: 'args.list[1]: Date is not JSON',
  });
  expect(calls).toBe('');
});
