import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { structuredClone as guestClone } from './structured-clone.ts';

describe('structuredClone', () => {
  test('copies as Node does', () => {
    const value = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withSparseArray: true,
      withBoxedValues: true,
    });
    fc.assert(
      fc.property(value, (input) => {
        deepStrictEqual(guestClone(input), structuredClone(input));
      }),
      { numRuns: 500 },
    );
  });

  test('keeps cycles and shared references', () => {
    const shared = { n: 1 };
    const input: Record<string, unknown> = { a: shared, b: shared, map: new Map([[shared, shared]]) };
    input['self'] = input;
    const copy = guestClone(input) as typeof input;
    expect(copy).not.toBe(input);
    expect(copy['self']).toBe(copy);
    expect(copy['a']).toBe(copy['b']);
    expect(copy['a']).not.toBe(shared);
    expect((copy['map'] as Map<unknown, unknown>).get(copy['a'])).toBe(copy['a']);
  });

  test('copies errors, patterns, buffers and their views', () => {
    const error = new RangeError('far', { cause: { code: 1 } });
    const copy = guestClone(error) as RangeError;
    expect(copy).toBeInstanceOf(RangeError);
    expect([copy.name, copy.message, copy.stack, copy.cause]).toEqual(['RangeError', 'far', error.stack, { code: 1 }]);
    expect(guestClone(/a/gi)).toEqual(/a/gi);
    const buffer = new Uint8Array([1, 2, 3, 4]).buffer;
    const views = guestClone([new Uint8Array(buffer, 1, 2), new DataView(buffer, 2)]) as [Uint8Array, DataView];
    expect([...views[0]]).toEqual([2, 3]);
    expect(views[0].buffer).toBe(views[1].buffer);
    expect(views[0].buffer).not.toBe(buffer);
  });

  test('turns instances of classes into plain objects', () => {
    class Point {
      x = 1;
      get y() {
        return 2;
      }
    }
    const copy = guestClone(new Point());
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(copy).toEqual({ x: 1 });
  });

  test('keeps a key named __proto__ as data', () => {
    const copy = guestClone(JSON.parse('{"__proto__":{"a":1}}')) as object;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  test.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a function inside', { a: [() => 1] }],
    ['a promise', Promise.resolve()],
    ['a weak map', new WeakMap()],
    ['a weak reference', new WeakRef({})],
  ])('refuses %s', (_, input) => {
    expect(() => guestClone(input)).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
    expect(() => structuredClone(input)).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
  });

  test('copies very deep values', () => {
    let deep: unknown[] = [];
    for (let index = 0; index < 100_000; index++) deep = [deep];
    let copy = guestClone(deep) as unknown[];
    let depth = 0;
    for (; copy.length > 0; copy = copy[0] as unknown[]) depth++;
    expect(depth).toBe(100_000);
  });
});
