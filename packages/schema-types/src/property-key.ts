// String literals and property keys as TypeScript source.

import { isIdentifierName } from './identifier-chars.ts';

/** Control, direction and separator characters and lone surrogates: never printed raw. */
const UNPRINTABLE = /[\p{Cc}\u00ad\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

const ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A single-quoted TypeScript string literal; control, direction and lone surrogate characters are escaped. */
export function stringLiteral(text: string): string {
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(UNPRINTABLE, (char) => ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `'${escaped}'`;
}

/** A property key for an object type: bare where TypeScript allows it, else quoted. */
export function propertyKey(name: string): string {
  return isIdentifierName(name) ? name : stringLiteral(name);
}
