// Text in and out of the engine's memory. The engine's UTF-8 keeps lone surrogates as three bytes (WTF-8), so both ways do.

const encoder = new TextEncoder();
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** The bytes of a string; a lone surrogate takes three. */
export function encodeWtf8(text: string): Uint8Array {
  if (!LONE_SURROGATE.test(text)) return encoder.encode(text);
  const parts: Uint8Array[] = [];
  let plainFrom = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0xd800 || code > 0xdfff) continue;
    const next = text.charCodeAt(at + 1);
    if (code < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      at++;
      continue;
    }
    parts.push(encoder.encode(text.slice(plainFrom, at)));
    parts.push(Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)));
    plainFrom = at + 1;
  }
  parts.push(encoder.encode(text.slice(plainFrom)));
  return Buffer.concat(parts);
}

/** The string of some bytes of a memory; the inverse of {@link encodeWtf8}. */
export function decodeWtf8(memory: Buffer, start: number, length: number): string {
  const text = memory.toString('utf8', start, start + length);
  // Only a damaged or surrogate sequence decodes to U+FFFD; look again then, since a real one is rare.
  return text.includes('\uFFFD') ? decodeSlowly(memory, start, length) : text;
}

function decodeSlowly(memory: Buffer, start: number, length: number): string {
  let text = '';
  let plainFrom = start;
  const end = start + length;
  for (let at = start; at + 2 < end; at++) {
    if (memory[at] !== 0xed || memory[at + 1]! < 0xa0) continue;
    text += memory.toString('utf8', plainFrom, at);
    text += String.fromCharCode(0xd000 | ((memory[at + 1]! & 0x3f) << 6) | (memory[at + 2]! & 0x3f));
    at += 2;
    plainFrom = at + 1;
  }
  return text + memory.toString('utf8', plainFrom, end);
}
