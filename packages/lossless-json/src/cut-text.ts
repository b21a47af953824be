// Cutting a string to a byte budget, never inside a code point.
import { charCodeAt, slice } from './intrinsics.ts';
import { isPair, unitBytes } from './json-bytes.ts';

/**
 * The longest prefix of `text` whose UTF-8 form has at most `maxBytes` bytes (raw text, nothing escaped; a lone
 * surrogate counts as three). Never splits a surrogate pair.
 */
export function cutText(text: string, maxBytes: number): string {
  // No code unit takes more than three bytes.
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    const pair = isPair(text, i, unit);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes > maxBytes) return slice(text, 0, i);
    if (pair) i++;
  }
  return text;
}

/**
 * The longest prefix of `text` whose JSON form, quotes and escapes included, has at most `maxBytes` UTF-8 bytes; the
 * measure is that of `jsonBytes`. Never splits a surrogate pair. Below two bytes nothing fits and it is empty.
 */
export function cutJsonText(text: string, maxBytes: number): string {
  if (text.length * 6 + 2 <= maxBytes) return text;
  let bytes = 2;
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    bytes += unitBytes(text, i, unit);
    if (bytes > maxBytes) return slice(text, 0, i);
    if (isPair(text, i, unit)) i++;
  }
  return text;
}
