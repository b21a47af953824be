// Characters that are letters or digits of identifiers to every compiler and engine a program may meet.

/**
 * Blocks whose letters have not changed since Unicode 12, which TypeScript's scanner knows. Node, TypeScript, QuickJS and Python each follow another version, and a
 * letter that only the newer ones know would be a syntax error in the others.
 */
const BLOCKS =
  '\\u00aa\\u00b5\\u00ba\\u00c0-\\u024f\\u0300-\\u036f\\u0370-\\u052f\\u0531-\\u0587\\u05d0-\\u05ea\\u0620-\\u06ff\\u0900-\\u09fe\\u0a00-\\u0a76\\u0a80-\\u0aff' +
  '\\u0b80-\\u0bff\\u0e01-\\u0e4e\\u10a0-\\u10ff\\u1100-\\u11ff\\u1e00-\\u1fff\\u3041-\\u30ff\\u3105-\\u312d\\u3400-\\u4db5\\u4e00-\\u9fcc\\uac00-\\ud7a3';

const START = `(?:[A-Za-z]|(?=[${BLOCKS}])\\p{XID_Start})`;
const CONTINUE = `(?:[A-Za-z0-9]|(?=[${BLOCKS}])\\p{XID_Continue})`;

const STARTS = new RegExp(`^${START}`, 'u');
const IDENTIFIER = new RegExp(`^(?:[$_]|${START})(?:[$_]|${CONTINUE})*$`, 'u');
const WORDS = new RegExp(`${CONTINUE}+`, 'gu');

/** True for text that can stand as an identifier everywhere (reserved words included). */
export function isIdentifierName(text: string): boolean {
  return IDENTIFIER.test(text);
}

export function startsLikeIdentifier(text: string): boolean {
  return STARTS.test(text);
}

/** The runs of letters and digits in a text; `_`, `$` and all else separate them. */
export function identifierWords(text: string): string[] {
  return text.match(WORDS) ?? [];
}
