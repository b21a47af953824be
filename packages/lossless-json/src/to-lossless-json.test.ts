import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LosslessJsonError, toLosslessJson } from './index.ts';

const refused: { make: string; message: string | null }[] = JSON.parse(
  readFileSync(new URL('./fixtures/not-json-values.json', import.meta.url), 'utf8'),
);

function problemOf(value: unknown, options?: { name?: string; maxBytes?: number }): LosslessJsonError {
  try {
    toLosslessJson(value, options);
  } catch (error) {
    expect(error).toBeInstanceOf(LosslessJsonError);
    return error as LosslessJsonError;
  }
  throw new Error('the value was taken');
}

describe('toLosslessJson', () => {
  test.each(refused)('refuses $make', ({ make, message }) => {
    const error = problemOf(new Function(`return ${make}`)());
    if (message === null) expect(error.code).toBe('unreadable');
    else expect(error.message).toBe(message);
  });

  test.each(refused)('refuses $make as a part of a value, with its path', ({ make }) => {
    const value: unknown = new Function(`return ${make}`)();
    if (value === undefined) return;
    expect(problemOf({ list: [0, value] }, { name: 'result' }).path).toMatch(/^result\.list\[1\]/);
  });

  test('copies JSON as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const copy = toLosslessJson(value);
        expect(copy).toEqual(JSON.parse(JSON.stringify(value)));
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
      }),
    );
  });

  test('reads -0 as 0 and leaves out properties that are undefined', () => {
    const copy = toLosslessJson({ a: -0, b: undefined, c: [-0], d: { e: undefined } });
    expect(JSON.stringify(copy)).toBe('{"a":0,"c":[0],"d":{}}');
    expect(Object.is((copy as { a: number }).a, 0)).toBe(true);
    expect(Object.keys(copy as object)).toEqual(['a', 'c', 'd']);
  });

  test('takes null-prototype objects and gives plain ones', () => {
    const copy = toLosslessJson(Object.assign(Object.create(null), { a: [Object.create(null)] }));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy).toEqual({ a: [{}] });
  });

  test('keeps a key named __proto__, and other names of Object.prototype, as own data', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":2,"hasOwnProperty":3}');
    const copy = toLosslessJson(value) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy['polluted']).toBeUndefined();
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
  });

  test('takes plain objects and arrays of other realms', () => {
    expect(toLosslessJson(runInNewContext('({ a: [1, { b: null }], c: Object.create(null) })'))).toEqual({
      a: [1, { b: null }],
      c: {},
    });
    expect(problemOf(runInNewContext('[new Date(0)]')).message).toBe('value[0]: Date is not JSON');
    expect(problemOf(runInNewContext('new (class Rows extends Array {})()')).message).toBe('value: Rows is not JSON');
    expect(problemOf(runInNewContext('new Map()')).message).toBe('value: Map is not JSON');
  });

  test('never calls toJSON and reads a getter once', () => {
    let reads = 0;
    const copy = toLosslessJson({
      get a() {
        return ++reads;
      },
    });
    expect([copy, reads]).toEqual([{ a: 1 }, 1]);
    expect(problemOf({ toJSON: () => 'called' }).message).toBe('value.toJSON: a function is not JSON');
    expect(toLosslessJson({ toJSON: 'data' })).toEqual({ toJSON: 'data' });
  });

  test('gives what a lying proxy showed, checked', () => {
    let asked = 0;
    const flicker = new Proxy(
      { a: 1 },
      { get: (_, key) => (key === 'a' && asked++ === 0 ? { fine: true } : undefined) },
    );
    expect(toLosslessJson(flicker)).toEqual({ a: { fine: true } });
    const ghost = new Proxy(
      {},
      { ownKeys: () => ['x'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) },
    );
    expect(toLosslessJson(ghost)).toEqual({});
    const endless: unknown = new Proxy([], {
      get: (target, key) => (key === '0' ? endless : Reflect.get(target, key)),
      ownKeys: () => ['0', 'length'],
      getOwnPropertyDescriptor: (target, key) =>
        key === 'length'
          ? Reflect.getOwnPropertyDescriptor(target, key)
          : { value: 1, writable: true, enumerable: true, configurable: true },
    });
    expect(problemOf(endless).code).toMatch(/^(?:cycle|not_json)$/);
    const fresh = (): object => new Proxy({ a: 1 }, { get: () => fresh() });
    expect(problemOf(fresh()).code).toBe('too_deep');
  });

  test('copies what is shared once, and keeps it shared', () => {
    const shared = { n: 1 };
    const copy = toLosslessJson([shared, { shared }, shared]) as [object, { shared: object }, object];
    expect(copy).toEqual([{ n: 1 }, { shared: { n: 1 } }, { n: 1 }]);
    expect(copy[0]).toBe(copy[1].shared);
    expect(copy[0]).not.toBe(shared);
    let diamond: unknown = [1];
    for (let index = 0; index < 60; index++) diamond = [diamond, diamond];
    expect(toLosslessJson(diamond)).toHaveLength(2);
    expect(problemOf(diamond, { maxBytes: 1_000_000 }).code).toBe('too_large');
  });

  test('takes 10,000 levels and no more', () => {
    let deep: unknown = 'core';
    for (let index = 0; index < 10_000; index++) deep = index % 2 ? { key: deep } : [deep];
    let at: unknown = toLosslessJson(deep);
    let depth = 0;
    for (; typeof at === 'object'; at = Array.isArray(at) ? at[0] : (at as { key: unknown }).key) depth++;
    expect([depth, at]).toEqual([10_000, 'core']);
    expect(problemOf([deep]).message).toBe(
      'value[0].key[0].key[0].key[0].key[0].key…: nested deeper than 10000 levels',
    );
  });

  test('counts bytes as the text would have them, and stops at the limit', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const bytes = Buffer.byteLength(JSON.stringify(toLosslessJson(value)));
        expect(() => toLosslessJson(value, { maxBytes: bytes })).not.toThrow();
        expect(problemOf(value, { maxBytes: bytes - 1 }).code).toBe('too_large');
      }),
    );
    expect(problemOf({ a: ['é'.repeat(10)] }, { maxBytes: 12 }).message).toBe(
      'value.a[0]: the value is larger than 12 bytes as JSON',
    );
  });

  test('counts a shared part each time that it would be written', () => {
    const shared = ['x'.repeat(10)];
    const value = [shared, shared, shared];
    const bytes = JSON.stringify(value).length;
    expect(() => toLosslessJson(value, { maxBytes: bytes })).not.toThrow();
    expect(problemOf(value, { maxBytes: bytes - 1 }).code).toBe('too_large');
  });

  test('cuts long keys and long paths in messages', () => {
    const error = problemOf({ ['k'.repeat(5_000)]: { b: 1n } });
    expect(error.message.length).toBeLessThan(300);
    let deep: unknown = 1n;
    for (let index = 0; index < 200; index++) deep = [deep];
    expect(problemOf(deep).message.length).toBeLessThan(300);
  });
});
