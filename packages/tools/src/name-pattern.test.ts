import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern } from './name-pattern.ts';

const matches = (pattern: string, text: string) => compilePattern(pattern)(text);

test.each([
  ['*', 'anything:at.all', true],
  ['a.*', 'a.b', true],
  ['a.*', 'a.b.c', true],
  ['a.*', 'ab', false],
  ['a.*', 'a.', false],
  ['a.*.x', 'a.b.x', true],
  ['a.*.x', 'a.b.c.x', false],
  ['a.*.x', 'a.x', false],
  ['*.delete', 'files.delete', true],
  ['*.delete', 'files.old.delete', false],
  ['mcp:github:*', 'mcp:github:create_issue', true],
  ['mcp:github:*', 'mcp:gitlab:create_issue', false],
  ['mcp:*:delete_*', 'mcp:files:delete_all', true],
  ['mcp:*:delete_*', 'mcp:a:b:delete_all', false],
  ['read_*', 'read_file', true],
  ['read', 'read', true],
  ['read', 'reader', false],
  ['a+b', 'a+b', true],
  ['a+b', 'aab', false],
])('%s over %s: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test('a pattern means what the plain regular expression would', () => {
  const char = fc.constantFrom('a', 'b', '.', ':');
  const text = fc.array(char, { maxLength: 10 }).map((chars) => chars.join(''));
  const pattern = fc
    .array(fc.oneof(char, fc.constant('*')), { minLength: 1, maxLength: 8 })
    .map((chars) => chars.join(''));
  fc.assert(
    fc.property(pattern, text, (glob, candidate) => {
      const body = glob
        .replace(/[.:]/g, '\\$&')
        .replace(/\*(?=.)/g, '[^.:]*')
        .replace(/\*$/, '.+');
      expect(matches(glob, candidate)).toBe(glob === '*' || new RegExp(`^${body}$`).test(candidate));
    }),
    { numRuns: 2_000 },
  );
});

test('matching is linear in the text', () => {
  expect(matches(`${'a*'.repeat(20)}b`, 'a'.repeat(20_000))).toBe(false);
});
