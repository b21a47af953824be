// Reading JSON text, to 10,000 levels.
import { charCodeAt, exec, hasOwn, indexOf, nativeParse } from './intrinsics.ts';
import { type JsonValue, MAX_JSON_DEPTH } from './json-value.ts';
import { isEscaped, readIteratively } from './read-iteratively.ts';

/**
 * Signs of a number that the native reader would give as `-0` or infinite: a written `-0`, an exponent of three digits, a
 * very long mantissa. A string that looks like one only costs the slower reader.
 */
const ODD_NUMBER = /(?:^|[[,:\s])-0(?!\.[0-9]*[1-9])|[0-9][eE][-+]?[0-9]{3,}(?:[,\]}\s]|$)|[0-9]{200}/;

/**
 * Reads JSON text as `JSON.parse` would, but to 10,000 levels, with `-0` read as `0`. A key named `__proto__` is ordinary data.
 *
 * @throws {LosslessJsonError} `invalid_text` with line and column for what is not JSON, `not_json` for a number too
 * large for a double, `too_deep` beyond 10,000 levels.
 */
export function parseJson(text: string, options?: { name?: string }): JsonValue {
  const name = options && hasOwn(options, 'name') && options.name !== undefined ? options.name : 'value';
  if (exec(ODD_NUMBER, text) !== null || isTooDeep(text)) return readIteratively(text, name);
  try {
    return nativeParse(text) as JsonValue;
  } catch {
    // Either it is not JSON, and our reader says where; or the native reader ran out of stack.
    return readIteratively(text, name);
  }
}

/** Reads text that `stringifyJson` wrote: nothing in it needs checking, so it is as fast as the native reader. */
export function parseWrittenJson(text: string): JsonValue {
  try {
    return nativeParse(text) as JsonValue;
  } catch {
    return readIteratively(text, 'value');
  }
}

/** Whether containers nest deeper than the package allows (of text that is not JSON it may say anything). */
function isTooDeep(text: string): boolean {
  // Most texts are done here: too deep needs more openers than levels, and a closer for each.
  if (text.length <= 2 * MAX_JSON_DEPTH || countOpeners(text) <= MAX_JSON_DEPTH) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    if (unit === 0x22) {
      i = indexOf(text, '"', i + 1);
      while (i !== -1 && isEscaped(text, i)) i = indexOf(text, '"', i + 1);
      if (i === -1) return false;
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return false;
}

function countOpeners(text: string): number {
  let count = 0;
  for (let at = indexOf(text, '['); at !== -1; at = indexOf(text, '[', at + 1))
    if (++count > MAX_JSON_DEPTH) return count;
  for (let at = indexOf(text, '{'); at !== -1; at = indexOf(text, '{', at + 1))
    if (++count > MAX_JSON_DEPTH) return count;
  return count;
}
