// Matching of foreign regular expressions in linear time, on the host's own thread.
import { createRequire } from 'node:module';

type Re2 = typeof import('re2js');

let re2: Re2 | undefined;

/** Loaded at the first pattern that needs it: most runs never do. */
function loadRe2(): Re2 {
  re2 ??= createRequire(import.meta.url)('re2js') as Re2;
  return re2;
}

const ATOM = String.raw`(?:\\[dDwWsS.\-_/+*?^$()[\]{}|]|\\[pP]\{[\w=]+\}|\[\^?(?:\\[dDwWsS.\-_/]|[^\\[\]])+\]|[^\\^$.*+?()[\]{}|]|\.)`;
const SMALL_REPEAT = String.raw`(?:\?|\{\d{1,2}\}|\{\d{1,2},\d{1,2}\})`;
const OPEN_REPEAT = String.raw`(?:[*+]|\{\d{1,2},\}|\{\d{1,2},\d+\})`;
const BOUNDED = `(?:${ATOM}${SMALL_REPEAT}?){0,200}`;
/** From the start to wherever it ends; or found anywhere, and then either of bounded length or free to end anywhere. */
const PLAIN = [
  `^\\^${BOUNDED}(?:${ATOM}${OPEN_REPEAT})?\\$?$`,
  `^${BOUNDED}\\$?$`,
  `^${BOUNDED}${ATOM}${OPEN_REPEAT}$`,
].map((source) => new RegExp(source));

/**
 * Whether a backtracking engine needs only linear time: no groups, alternatives, look-around and back references, one open quantifier
 * at most, at the end, one small one before it, and no search for a start from which an end is reached.
 */
export function isPlainlyLinear(source: string): boolean {
  return PLAIN.some((plain) => plain.test(source)) && (source.match(/\?|,/g)?.length ?? 0) <= 1;
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
