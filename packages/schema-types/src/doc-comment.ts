// Doc comments around untrusted text.

/** Longest text of one description, in UTF-16 units; longer ones are cut at a code point and end in `…`. */
export const MAX_DOC_CHARS = 20_000;

/** Control characters but tab and line feed. */
const CONTROL = /(?![\t\n])\p{Cc}/gu;
/** Whether there is anything to replace at all. */
const UNSAFE = /[\u2028\u2029]|\*\/|(?![\t\n])\p{Cc}|\p{Surrogate}/u;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * One comment out of the given texts, each starting on its own line; empty if there is no text. Nothing in them can end the comment:
 * `*\/` is broken up, line breaks are normalised, other control characters become spaces, lone surrogates U+FFFD.
 * Apart from that the text is unchanged.
 *
 * @example docComment('Page size.', '@default 10')   // "/** Page size.\n * @default 10 *\/"
 */
export function docComment(...texts: readonly (string | undefined)[]): string {
  const parts = texts
    .flatMap((text) => (text === undefined ? [] : [docText(text)]))
    .filter((text) => text.trim() !== '');
  return parts.length === 0 ? '' : `/** ${parts.join('\n * ')} */`;
}

/** The text of a doc comment, safe between `/**` and the closing mark. */
export function docText(text: string): string {
  const cut = cutText(text, MAX_DOC_CHARS);
  if (!UNSAFE.test(cut)) return cut;
  return cut
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(CONTROL, ' ')
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(/\*(?=\/)/g, '*\\');
}

/** `text`, or its first `limit` units less what would split a code point, ending in `…`. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = isHighSurrogate(text.charCodeAt(limit - 2)) ? limit - 2 : limit - 1;
  return `${text.slice(0, Math.max(0, end))}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
