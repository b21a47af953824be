import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeWtf8, encodeWtf8 } from './wtf8.ts';

test('every string comes back, lone surrogates and all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 })), (text, units) => {
      const odd = text + String.fromCharCode(...units) + text;
      const bytes = Buffer.from(encodeWtf8(odd));
      expect(decodeWtf8(bytes, 0, bytes.length)).toBe(odd);
    }),
  );
  const replaced = Buffer.from(encodeWtf8('a\uFFFDb\uD800'));
  expect(decodeWtf8(replaced, 0, replaced.length)).toBe('a\uFFFDb\uD800');
});
