// Matching of foreign regular expressions in linear time, on the host's own thread.
import { createRequire } from 'node:module';

type Re2 = typeof import('re2js');

let re2: Re2 | undefined;

/** Loaded at the first pattern that needs it: most runs never do. */
function loadRe2(): Re2 {
  re2 ??= createRequire(import.meta.url)('re2js') as Re2;
  return re2;
}

const ATOM = String.raw`(?:\\[dDwWsS.\-_/+*?^$()[\]{}|]|\[\^?(?:\\[dDwWsS.\-_/]|[^\\[\]])+\]|[^\\^$.*+?()[\]{}|]|\.)`;
const SMALL_REPEAT = String.raw`(?:\?|\{\d{1,2}\}|\{\d{1,2},\d{1,2}\})`;
const ANY_REPEAT = String.raw`(?:[*+]|\{\d+,?\d*\})`;
const PLAIN = new RegExp(`^\\^(?:${ATOM}${SMALL_REPEAT}?){0,200}(?:${ATOM}${ANY_REPEAT})?\\$?$`);

/**
 * Whether a backtracking engine needs only linear time: anchored at the start, without groups, alternatives, look-around and
 * back references, with one quantifier without a small bound at most, at its end, and one small one before it.
 */
export function isPlainlyLinear(source: string): boolean {
  return PLAIN.test(source) && (source.match(/\?|,/g)?.length ?? 0) <= 1;
}

/**
 * Compiles a pattern to a test that is linear in the text. A pattern that no linear matcher understands (look-around, back
 * references) gives `undefined`: it is not checked.
 */
export function linearMatcher(source: string): ((text: string) => boolean) | undefined {
  if (isPlainlyLinear(source)) {
    const native = nativePattern(source);
    if (native) return (text) => native.test(text);
  }
  try {
    const { RE2JS } = loadRe2();
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return (text) => compiled.matcher(text).find();
  } catch {
    return undefined;
  }
}

function nativePattern(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // The other reading, or the linear matcher.
    }
  }
  return undefined;
}
