import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCommentedJson } from './index.ts';

test('what JSON takes is taken, with the same value', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      expect(parseCommentedJson(text)).toEqual(JSON.parse(json));
    }),
  );
});

test('comments, trailing commas and a byte order mark are taken, but not in strings', () => {
  const text = '\uFEFF{ // one, "two"\n "a": [1, 2, /* , */ ], "b": "/* no */ \\" // ,}", }';
  expect(parseCommentedJson(text)).toEqual({ a: [1, 2], b: '/* no */ " // ,}' });
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'unexpected "\\"b\\": 2"'],
  ['{\n  "a": tru\n}', 2, 11, 'unexpected end of the line'],
  ["{ 'a': 1 }", 1, 3, 'unexpected "\'a\': 1 }"'],
  ['{ "a": 1', 1, 8, 'it ends too early'],
  ['{ "a": "x', 1, 9, 'it ends too early'],
  ['[1]\n]', 2, 1, 'unexpected "]"'],
  ['// nothing\n', 1, 1, 'it is empty'],
  ['/* one\n two */ { a: 1 }', 2, 11, 'unexpected "a: 1 }"'],
])('%j is refused with its place', (text, line, column, message) => {
  expect(() => parseCommentedJson(text)).toThrow(expect.objectContaining({ line, column, message }));
});
