// What a thrown value shows of itself to the host: texts that it holds as data, and the frames of the program.
import { types } from 'node:util';
import type { SeenFailure } from '@codeseam/code-runtime';
import {
  exec,
  formatValue,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  indexOf,
  slice,
} from '@codeseam/code-runtime/guest';

/** The file name that a program's frames have. */
export const PROGRAM_FILE = 'program.js';

const FRAME = /^ {4}at .*\bprogram\.js:(\d+):(\d+)\)?$/;
const LONGEST_NAME = 200;
const LONGEST_MESSAGE = 64_000;
const MOST_FRAMES = 30;
const MOST_PROTOTYPES = 20;

const { isNativeError, isProxy } = types;

/** Says what to show for a proxy, whose traps must not run. */
export function labelOf(value: object): string | undefined {
  return isProxy(value) ? '[Proxy]' : undefined;
}

/** Describes any value as an exception. */
export function describeFailure(thrown: unknown): SeenFailure {
  const isObject = (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function';
  if (!isObject || isProxy(thrown)) return { kind: 'exception', message: cut(textOf(thrown), LONGEST_MESSAGE) };
  const name = cut(textAt(thrown, 'name') ?? '', LONGEST_NAME);
  const message = cut(textAt(thrown, 'message') ?? textOf(thrown), LONGEST_MESSAGE);
  const { frames, line, column } = programFrames(stackOf(thrown));
  return {
    kind: 'exception',
    message,
    ...(name === '' ? {} : { name }),
    ...(frames === '' ? {} : { stack: `${name === '' ? '' : `${name}: `}${message}${frames}` }),
    ...(line === undefined ? {} : { line, column: column! }),
  };
}

function textOf(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : formatValue(thrown, { labelOf });
}

/** What the engine makes an error's stack of: its head, and the frames of the program alone. */
export function programStack(error: unknown, frames: readonly NodeJS.CallSite[]): string {
  let stack = '';
  try {
    const name = textAt(error as object, 'name') ?? 'Error';
    const message = textAt(error as object, 'message') ?? '';
    stack = name === '' || message === '' ? name + message : `${name}: ${message}`;
    for (let index = 0; index < frames.length; index++) {
      const frame = frames[index]!;
      if (frame.getFileName() === PROGRAM_FILE) stack += `\n    at ${frame}`;
    }
  } catch {
    // Whatever can be said of an error that resists is said by its head.
  }
  return stack;
}

/** The string that an object or one of its prototypes holds as data. */
function textAt(target: object, key: string): string | undefined {
  let at: object | null = target;
  for (let depth = 0; at !== null && depth < MOST_PROTOTYPES && !isProxy(at); depth++) {
    const property: PropertyDescriptor | undefined = getOwnPropertyDescriptor(at, key);
    if (property) return typeof property.value === 'string' ? property.value : undefined;
    at = getPrototypeOf(at);
  }
  return undefined;
}

/** Engines keep the frames of a real error as data, or behind an accessor of their own. */
function stackOf(error: object): string {
  const held = textAt(error, 'stack');
  if (held !== undefined || !isNativeError(error)) return held ?? '';
  try {
    const stack: unknown = error.stack;
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}

function programFrames(stack: string): { frames: string; line?: number; column?: number } {
  let frames = '';
  let count = 0;
  let place: { line: number; column: number } | undefined;
  for (let start = 0; start !== -1 && count < MOST_FRAMES; ) {
    const end = indexOf(stack, '\n', start);
    const text = end === -1 ? slice(stack, start) : slice(stack, start, end);
    const frame = exec(FRAME, text);
    if (frame) {
      place ??= { line: +frame[1]!, column: +frame[2]! };
      frames += `\n${text}`;
      count++;
    }
    start = end === -1 ? -1 : end + 1;
  }
  return { frames, ...place };
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${slice(text, 0, longest)}… (cut)`;
}
