// String literals, docstrings and names as Python source, around untrusted text.

import { cutText, MAX_DOC_CHARS } from './doc-comment.ts';

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** True for text that can be an attribute name in Python. Letters are kept to ASCII: Python normalises others. */
export function isPythonName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name);
}

/** A double-quoted Python string literal. */
export function pythonString(text: string): string {
  return `"${escapeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}

/** A docstring; nothing in the text can end it. Line breaks and tabs are kept; lone surrogates, which Python refuses there, become U+FFFD. */
export function pythonDocstring(text: string): string {
  const plain = cutText(text, MAX_DOC_CHARS)
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/\p{Surrogate}/gu, '\ufffd');
  return `"""${escapeText(plain)}"""`;
}

function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu, (char) => {
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
}
