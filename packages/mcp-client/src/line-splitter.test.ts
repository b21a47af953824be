import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

function split(chunks: Iterable<Buffer>, maxLineBytes = 1_000_000): { lines: string[]; tooLong: number[] } {
  const lines: string[] = [];
  const tooLong: number[] = [];
  const splitter = new LineSplitter({
    maxLineBytes,
    onLine: (line) => lines.push(line),
    onTooLong: (bytes) => tooLong.push(bytes),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { lines, tooLong };
}

test('lines are the same however the bytes are cut, multi-byte characters too', () => {
  const text = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/g, '')));
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lines, sizes) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const chunks: Buffer[] = [];
      for (let at = 0, i = 0; at < bytes.length; i += 1) {
        const size = sizes[i % sizes.length]!;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(split(chunks).lines).toEqual(lines);
    }),
  );
});

test('a carriage return before the newline is no part of the line, and a last line needs no newline', () => {
  expect(split([Buffer.from('one\r\ntwo')]).lines).toEqual(['one', 'two']);
});

test('a line over the limit is dropped whole, and the next one is read', () => {
  const { lines, tooLong } = split([Buffer.from('ab'), Buffer.from('cdef'), Buffer.from('gh\nok\n')], 4);
  expect(lines).toEqual(['ok']);
  expect(tooLong).toEqual([6]);
});
