import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as guest from './text-encoding.ts';

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 24 }),
  // Parts of characters, whole ones, and what must not be there.
  fc
    .array(
      fc.constantFrom(
        0x41,
        0x80,
        0xbf,
        0xc0,
        0xc2,
        0xe0,
        0xa0,
        0xed,
        0xe2,
        0x82,
        0xac,
        0xf0,
        0x9f,
        0x90,
        0xf4,
        0x8f,
        0xf5,
        0xff,
        0xef,
        0xbb,
      ),
      { maxLength: 16 },
    )
    .map((list) => Uint8Array.from(list)),
  fc.string({ unit: 'binary', maxLength: 16 }).map((text) => new TextEncoder().encode(text)),
);
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'é', '€', '😀', '\ud800', '\udc00', '\ufeff', '\0'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
});

describe('TextEncoder', () => {
  test('encodes as Node does', () => {
    fc.assert(
      fc.property(text, (input) => {
        expect(new guest.TextEncoder().encode(input)).toEqual(new TextEncoder().encode(input));
      }),
    );
    expect(new guest.TextEncoder().encode()).toEqual(new Uint8Array(0));
    expect(new guest.TextEncoder().encoding).toBe('utf-8');
  });

  test('encodes into a buffer as Node does', () => {
    fc.assert(
      fc.property(text, fc.nat(12), (input, size) => {
        const mine = new Uint8Array(size);
        const other = new Uint8Array(size);
        expect(new guest.TextEncoder().encodeInto(input, mine)).toEqual(new TextEncoder().encodeInto(input, other));
        expect(mine).toEqual(other);
      }),
    );
  });
});

describe('TextDecoder', () => {
  test.each(['utf-8', 'utf-16le'])('decodes %s as Node does', (label) => {
    fc.assert(
      fc.property(bytes, fc.boolean(), fc.boolean(), (input, fatal, ignoreBOM) => {
        const decode = (Decoder: typeof TextDecoder) => {
          try {
            return new Decoder(label, { fatal, ignoreBOM }).decode(input);
          } catch (error) {
            return (error as Error).name;
          }
        };
        expect(decode(guest.TextDecoder as unknown as typeof TextDecoder)).toBe(decode(TextDecoder));
      }),
      { numRuns: 400 },
    );
  });

  test.each(['utf-8', 'utf-16le'])('decodes %s in pieces as Node does', (label) => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 6 }), (pieces) => {
        const mine = new guest.TextDecoder(label);
        const other = new TextDecoder(label);
        for (const piece of pieces) {
          expect(mine.decode(piece, { stream: true })).toBe(other.decode(piece, { stream: true }));
        }
        expect(mine.decode()).toBe(other.decode());
      }),
      { numRuns: 400 },
    );
  });

  // Not compared with Node, which takes it for ISO-8859-1 in some versions.
  test('decodes latin1 as the standard says, as windows-1252', () => {
    const decoder = new guest.TextDecoder('latin1');
    expect(decoder.encoding).toBe('windows-1252');
    expect(decoder.decode(Uint8Array.from([0x41, 0x80, 0x81, 0x8e, 0x99, 0x9f, 0xe9]))).toBe('A€\x81Ž™Ÿé');
  });

  test('takes buffers and views, and refuses what is none', () => {
    const data = new TextEncoder().encode('xhéllox');
    const decoder = new guest.TextDecoder();
    expect(decoder.decode(data.buffer)).toBe('xhéllox');
    expect(decoder.decode(new DataView(data.buffer, 1, 6))).toBe('héllo');
    expect(decoder.decode(new Uint16Array([0x6161]))).toBe('aa');
    expect(() => decoder.decode('text' as never)).toThrow(TypeError);
    expect(() => new guest.TextDecoder('ebcdic')).toThrow(/"ebcdic" is not supported; utf-8/);
    expect(new guest.TextDecoder(' UTF8 ').encoding).toBe('utf-8');
  });
});
