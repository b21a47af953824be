import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutJsonText,
  cutText,
  freezeJson,
  type JsonValue,
  jsonBytes,
  LosslessJsonError,
  parseJson,
  parseWrittenJson,
  stringifyJson,
  toLosslessJson,
} from './index.ts';
import { readIteratively } from './read-iteratively.ts';

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', '"', '\\', '\n', '\0', 'é', '€', '😀', '\ud800', '\udc00', '\u2028'),
    fc.string({ minLength: 1, maxLength: 2 }),
  ),
});
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, 1, -1.5, 1e21, 5e-324),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    anyText,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor', 'toJSON', '1')), tie('value'), {
      maxKeys: 5,
    }),
  ),
})).value;

function nested(levels: number): string {
  return `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
}

function problemOf(run: () => unknown): LosslessJsonError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(LosslessJsonError);
    return error as LosslessJsonError;
  }
  throw new Error('nothing was thrown');
}

describe('stringifyJson and parseJson', () => {
  test('write and read what JSON.stringify and JSON.parse do', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2, 10, 12), (value, indent) => {
        const text = stringifyJson(value, { indent });
        expect(text).toBe(JSON.stringify(value, null, indent));
        expect(parseJson(text)).toEqual(value);
        expect(readIteratively(text, 'value')).toEqual(value);
        expect(parseWrittenJson(text)).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  test('work to 10,000 levels, forth and back', () => {
    const text = nested(10_000);
    const value = parseJson(text);
    expect(stringifyJson(value)).toBe(text);
    expect(stringifyJson(toLosslessJson(value))).toBe(text);
    expect(parseWrittenJson(text)).toBeDefined();
    expect(jsonBytes(value)).toBe(text.length);
    expect(Object.isFrozen(freezeJson(value))).toBe(true);
    expect(stringifyJson(value, { indent: 1 }).split('\n').length).toBe(20_001);
  });

  test('refuse more levels, with the first ten keys of the path', () => {
    const error = problemOf(() => parseJson(nested(10_002), { name: 'result' }));
    expect([error.code, error.message]).toEqual([
      'too_deep',
      'result[0].a[0].a[0].a[0].a[0].a…: nested deeper than 10000 levels',
    ]);
    const value = parseJson(nested(10_000));
    const written = problemOf(() => stringifyJson([[value]]));
    expect(written.message).toBe('value[0][0][0].a[0].a[0].a[0].a…: nested deeper than 10000 levels');
  });

  test('take a large and shallow text with many brackets in strings', () => {
    const rows = Array.from({ length: 12_000 }, (_, index) => ({ text: '[{"\\', index }));
    expect(parseJson(JSON.stringify(rows))).toEqual(rows);
  });

  test('keep a key named __proto__ as own data', () => {
    for (const read of [parseJson, parseWrittenJson, (text: string) => readIteratively(text, 'value')]) {
      const value = read('{"__proto__":{"polluted":1},"a":2}') as Record<string, unknown>;
      expect(Object.keys(value)).toEqual(['__proto__', 'a']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(stringifyJson(value as JsonValue)).toBe('{"__proto__":{"polluted":1},"a":2}');
    }
  });

  test.each(['-0', '[-0]', '{"a":-0.0}', '-0e5', '[1, -0]', '-1e-400', '[-0.0e-3,-0.5]', '-5e-325'])(
    'read no -0 from %s',
    (text) => {
      const numbers = [parseJson(text)]
        .flat(2)
        .flatMap((value) => (typeof value === 'object' ? Object.values(value!) : [value]));
      for (const number of numbers) expect(Object.is(number, -0)).toBe(false);
    },
  );

  test.each(['1e999', '[-1e309]', '{"a":[1E+400]}', '1'.repeat(400)])(
    'refuse a number too large for a double: %s',
    (text) => {
      const error = problemOf(() => parseJson(text));
      expect(error.code).toBe('not_json');
      expect(error.message).toMatch(/the number .+ is too large$/);
    },
  );

  test('take numbers that only look odd', () => {
    const text = '{"date":"2024-01-05","sha":"3e482","n":-0.5,"big":1e308,"text":"x-0,1e999,y","list":[-0.25]}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test.each([
    ['', 'value: the text ends too early, expected a value'],
    ['[1,', 'value[1]: the text ends too early, expected a value'],
    ['{"a":1,}', 'value.a: unexpected } at line 1 column 8, expected a key in double quotes'],
    ['{"a" 1}', "value.a: unexpected 1 at line 1 column 6, expected ':'"],
    ['[1\n 2]', "value[0]: unexpected 2 at line 2 column 2, expected ',' or ']'"],
    ['{"a":[tru]}', 'value.a[0]: unexpected t at line 1 column 7, expected a value'],
    ['01', 'value: unexpected 1 at line 1 column 2, expected the end of the text'],
    ['"a\nb"', 'value: a string with a bad escape or a raw control character at line 1 column 1'],
    ['["\\x"]', 'value[0]: a string with a bad escape or a raw control character at line 1 column 2'],
    ['"abc', 'value: the text ends too early, expected the end of a string'],
    ['😀', 'value: unexpected 😀 at line 1 column 1, expected a value'],
  ])('say where %j is no JSON', (text, message) => {
    const error = problemOf(() => parseJson(text));
    expect([error.code, error.message]).toEqual(['invalid_text', message]);
  });

  test('take and refuse the same texts as JSON.parse', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u0041"',
      '"\\"',
      '1',
      '-',
      '.',
      'e5',
      'true',
      'null',
      ' ',
      '\n',
      '"',
      '0',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (list) => {
        const text = list.join('');
        let wanted: unknown;
        try {
          wanted = { value: JSON.parse(text) };
        } catch {
          wanted = 'refused';
        }
        let given: unknown;
        try {
          given = { value: readIteratively(text, 'value') };
        } catch {
          given = 'refused';
        }
        expect(given).toEqual(JSON.parse(JSON.stringify(wanted)));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('jsonBytes', () => {
  test('is the UTF-8 size of the text', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(jsonBytes(value)).toBe(Buffer.byteLength(stringifyJson(value)));
      }),
      { numRuns: 300 },
    );
  });

  test('stops at its limit and is above it exactly if the text is', () => {
    fc.assert(
      fc.property(json, fc.nat(60), (value, limit) => {
        expect(jsonBytes(value, limit) > limit).toBe(Buffer.byteLength(stringifyJson(value)) > limit);
      }),
      { numRuns: 300 },
    );
    let diamond: JsonValue = [1];
    for (let index = 0; index < 60; index++) diamond = [diamond, diamond];
    expect(jsonBytes(diamond, 10_000)).toBeGreaterThan(10_000);
  });
});

describe('cutText and cutJsonText', () => {
  const points = (text: string) => [...text];

  test('keep the longest prefix of whole code points that fits', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, limit) => {
        const raw = (part: string) => Buffer.byteLength(part);
        const asJson = (part: string) => Buffer.byteLength(JSON.stringify(part));
        for (const [cut, size] of [
          [cutText, raw],
          [cutJsonText, asJson],
        ] as const) {
          const kept = cut(text, limit);
          expect(text.startsWith(kept)).toBe(true);
          if (kept !== '') expect(size(kept)).toBeLessThanOrEqual(limit);
          const count = points(kept).length;
          expect(points(text).slice(0, count).join('')).toBe(kept);
          if (kept !== text)
            expect(
              size(
                points(text)
                  .slice(0, count + 1)
                  .join(''),
              ),
            ).toBeGreaterThan(limit);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('freezeJson', () => {
  test('freezes everything in a value, once', () => {
    const shared = { n: [1] };
    const value = freezeJson({ a: shared, b: [shared, { c: Object.freeze({ d: [2] }) }] });
    const check = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      expect(Object.isFrozen(part)).toBe(true);
      Object.values(part).forEach(check);
    };
    check(value);
  });
});
