import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LosslessJsonError, losslessJsonText, MAX_JSON_DEPTH, stringifyJson, toLosslessJson } from './index.ts';

const refused: { make: string }[] = JSON.parse(
  readFileSync(new URL('./fixtures/not-json-values.json', import.meta.url), 'utf8'),
);

function problemOf(work: () => unknown): LosslessJsonError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(LosslessJsonError);
    return error as LosslessJsonError;
  }
  throw new Error('the value was taken');
}

const nested = (levels: number, core: unknown): unknown => {
  let value = core;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { v: value };
  return value;
};

describe('losslessJsonText', () => {
  test('writes what checking, copying and writing would', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 12 }), fc.nat(14), (core, levels) => {
        const value = nested(levels, core);
        expect(losslessJsonText(value)).toBe(stringifyJson(toLosslessJson(value)));
      }),
    );
    expect(losslessJsonText({ a: -0, b: undefined, c: [-0, 1e21, 5e-324] })).toBe('{"a":0,"c":[0,1e+21,5e-324]}');
    expect(losslessJsonText(JSON.parse('{"__proto__":{"a":1},"":2}'))).toBe('{"__proto__":{"a":1},"":2}');
    const shared = { n: [1] };
    expect(losslessJsonText([shared, shared])).toBe('[{"n":[1]},{"n":[1]}]');
  });

  test.each(refused)('refuses $make as the copying pass does, at the top and in the depth', ({ make }) => {
    const fresh = (): unknown => new Function(`return ${make}`)();
    if (fresh() === undefined) return;
    for (const levels of [0, 1, 7, 8, 12]) {
      const wanted = problemOf(() => toLosslessJson(nested(levels, [fresh()]), { name: 'x' }));
      const problem = problemOf(() => losslessJsonText(nested(levels, [fresh()]), { name: 'x' }));
      // A cycle that leads back above the eighth level shows one round later.
      if (wanted.code === 'cycle') expect(problem.code).toBe('cycle');
      else expect([problem.code, problem.message]).toEqual([wanted.code, wanted.message]);
    }
  });

  test('finds cycles that lead to any level', () => {
    for (const depth of [1, 5, 8, 9, 20]) {
      const root: Record<string, unknown> = {};
      let at = root;
      for (let level = 1; level < depth; level++) {
        const next = {};
        at['v'] = next;
        at = next;
      }
      at['v'] = root;
      expect(problemOf(() => losslessJsonText(root)).code).toBe('cycle');
    }
  });

  test('reads a getter once', () => {
    let reads = 0;
    const value = { list: [{ get a() { return ++reads; } }] }; // biome-ignore format: short
    expect(losslessJsonText(value)).toBe('{"list":[{"a":1}]}');
    expect(reads).toBe(1);
  });

  test('counts bytes as the text has them', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat(60), (value, slack) => {
        const text = losslessJsonText(value);
        const bytes = Buffer.byteLength(text);
        expect(losslessJsonText(value, { maxBytes: bytes })).toBe(text);
        const fewer = bytes - 1 - slack;
        if (fewer >= 0) expect(problemOf(() => losslessJsonText(value, { maxBytes: fewer })).code).toBe('too_large');
      }),
    );
  });

  test('allows as many levels as the copying pass, and no more', () => {
    expect(losslessJsonText(nested(MAX_JSON_DEPTH, 1))).toBe(stringifyJson(toLosslessJson(nested(MAX_JSON_DEPTH, 1))));
    const tooDeep = nested(MAX_JSON_DEPTH + 1, 1);
    const problem = problemOf(() => losslessJsonText(tooDeep));
    expect([problem.code, problem.message]).toEqual(['too_deep', problemOf(() => toLosslessJson(tooDeep)).message]);
  });

  test('stops at shared references that would write too much', () => {
    let value: unknown = [1];
    for (let level = 0; level < 40; level++) value = [value, value];
    expect(problemOf(() => losslessJsonText(value, { maxBytes: 1000 })).code).toBe('too_large');
  });
});
