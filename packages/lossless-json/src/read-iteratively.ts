// The reader for what the native one cannot be trusted with: deep nesting, odd numbers, and texts that are not JSON.
import { type LosslessJsonCode, LosslessJsonError, type PlaceStep, placeText } from './errors.ts';
import {
  charCodeAt,
  exec,
  indexOf,
  isFiniteNumber,
  nativeParse,
  setItem,
  setKey,
  slice,
  toNumber,
} from './intrinsics.ts';
import { type JsonValue, MAX_JSON_DEPTH } from './json-value.ts';

interface ReadFrame {
  readonly outer: ReadFrame | null;
  /** Where this container stands in the outer one. */
  readonly at: string | number;
  readonly depth: number;
  readonly value: JsonValue[] | { [key: string]: JsonValue };
  readonly isArray: boolean;
  /** The key or index of the child that is being read. */
  key: string | number;
  count: number;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export function readIteratively(text: string, name: string): JsonValue {
  let at = 0;
  let frame: ReadFrame | null = null;

  const fail = (code: LosslessJsonCode, reason: string): never => {
    throw new LosslessJsonError(code, placeText(name, placeOf(frame), code === 'too_deep' ? 10 : undefined), reason);
  };
  const unexpected = (wanted: string): never => fail('invalid_text', `${found(text, at)}, expected ${wanted}`);
  const skipSpace = (): number => {
    for (;;) {
      const unit = at < text.length ? charCodeAt(text, at) : -1;
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return unit;
      at++;
    }
  };
  const readString = (): string => {
    const start = at;
    let end = indexOf(text, '"', at + 1);
    while (end !== -1 && isEscaped(text, end)) end = indexOf(text, '"', end + 1);
    if (end === -1) {
      at = text.length;
      unexpected('the end of a string');
    }
    at = end + 1;
    try {
      return nativeParse(slice(text, start, at)) as string;
    } catch {
      at = start;
      return fail('invalid_text', `a string with a bad escape or a raw control character at ${position(text, start)}`);
    }
  };
  const readNumber = (): number => {
    NUMBER.lastIndex = at;
    const match = exec(NUMBER, text);
    if (match === null) return unexpected('a value');
    const digits = match[0]!;
    const number = toNumber(digits);
    if (!isFiniteNumber(number)) {
      fail('not_json', `the number ${digits.length > 40 ? `${slice(digits, 0, 40)}…` : digits} is too large`);
    }
    at += digits.length;
    return number === 0 ? 0 : number;
  };
  const readWord = (word: string, value: null | boolean): null | boolean => {
    if (slice(text, at, at + word.length) !== word) unexpected('a value');
    at += word.length;
    return value;
  };
  /** Reads a key and its colon into the frame. */
  const readKey = (object: ReadFrame): void => {
    if (skipSpace() !== QUOTE) unexpected('a key in double quotes');
    object.key = readString();
    if (skipSpace() !== COLON) unexpected("':'");
    at++;
  };

  for (;;) {
    let value: JsonValue;
    const unit = skipSpace();
    if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) {
      const isArray = unit === OPEN_ARRAY;
      const depth: number = frame === null ? 1 : frame.depth + 1;
      if (depth > MAX_JSON_DEPTH) fail('too_deep', `nested deeper than ${MAX_JSON_DEPTH} levels`);
      const opened: ReadFrame = {
        outer: frame,
        at: frame === null ? '' : frame.key,
        depth,
        value: isArray ? [] : {},
        isArray,
        key: 0,
        count: 0,
      };
      at++;
      if (skipSpace() === (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) {
        at++;
        value = opened.value;
      } else {
        frame = opened;
        if (!isArray) readKey(frame);
        continue;
      }
    } else if (unit === QUOTE) value = readString();
    else if (unit === 0x74) value = readWord('true', true);
    else if (unit === 0x66) value = readWord('false', false);
    else if (unit === 0x6e) value = readWord('null', null);
    else value = readNumber();

    // Put the value into its container, and close every container that ends here.
    for (;;) {
      if (frame === null) {
        if (skipSpace() !== -1) unexpected('the end of the text');
        return value;
      }
      if (frame.isArray) setItem(frame.value as JsonValue[], frame.count, value);
      else setKey(frame.value, frame.key as string, value);
      frame.count++;
      const next = skipSpace();
      if (next === COMMA) {
        at++;
        if (frame.isArray) frame.key = frame.count;
        else readKey(frame);
        break;
      }
      if (next !== (frame.isArray ? CLOSE_ARRAY : CLOSE_OBJECT))
        unexpected(frame.isArray ? "',' or ']'" : "',' or '}'");
      at++;
      value = frame.value;
      frame = frame.outer;
    }
  }
}

function placeOf(frame: ReadFrame | null): PlaceStep | null {
  let first: PlaceStep | null = null;
  let last: { key: string | number; outer: PlaceStep | null } | null = null;
  for (let inner = frame; inner !== null; inner = inner.outer) {
    const step = { key: inner.key, outer: null };
    if (last === null) first = step;
    else last.outer = step;
    last = step;
  }
  return first;
}

function found(text: string, at: number): string {
  if (at >= text.length) return 'the text ends too early';
  const unit = charCodeAt(text, at);
  const pair = unit >= 0xd800 && unit < 0xdc00;
  return `unexpected ${slice(text, at, at + (pair ? 2 : 1))} at ${position(text, at)}`;
}

function position(text: string, at: number): string {
  let line = 1;
  let start = 0;
  for (let end = indexOf(text, '\n', 0); end !== -1 && end < at; end = indexOf(text, '\n', end + 1)) {
    line++;
    start = end + 1;
  }
  return `line ${line} column ${at - start + 1}`;
}

/** Whether the quote at this place is part of a string: an odd number of backslashes precedes it. */
export function isEscaped(text: string, quote: number): boolean {
  let back = quote;
  while (back > 0 && charCodeAt(text, back - 1) === 0x5c) back--;
  return (quote - back) % 2 === 1;
}
