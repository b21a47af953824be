// What a thrown value shows of itself to the host: strings it holds as data, cut to a bound. No guest code runs.
import { type FormatOptions, formatValue } from './format-value.ts';
import { slice } from './intrinsics.ts';
import { inheritedText } from './own-data.ts';
import { programFrames } from './program-frames.ts';

const LONGEST_NAME = 200;
const LONGEST_MESSAGE = 64_000;
const LONGEST_STACK = 16_000;

export interface ThrownValue {
  readonly name?: string;
  readonly message: string;
  /** The frames of the program, one a line. */
  readonly stack?: string;
}

/** Describes any value that guest code threw. */
export function describeThrown(thrown: unknown, options: FormatOptions): ThrownValue {
  if (typeof thrown === 'string') return { message: cut(thrown, LONGEST_MESSAGE) };
  const isObject = (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function';
  if (!isObject || options.labelOf(thrown) !== undefined) {
    return { message: cut(formatValue(thrown, options), LONGEST_MESSAGE) };
  }
  const name = inheritedText(thrown, 'name', options.labelOf);
  const message = inheritedText(thrown, 'message', options.labelOf) ?? formatValue(thrown, options);
  const held = inheritedText(thrown, 'stack', options.labelOf);
  const stack = held === undefined ? options.framesOf?.(thrown) : programFrames(held);
  return {
    ...(name ? { name: cut(name, LONGEST_NAME) } : {}),
    message: cut(message, LONGEST_MESSAGE),
    ...(stack ? { stack: cut(stack, LONGEST_STACK) } : {}),
  };
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${slice(text, 0, longest)}… (cut)`;
}
