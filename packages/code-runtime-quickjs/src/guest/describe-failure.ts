// What a thrown value shows of itself to the host: strings it holds as data, cut to a bound. No guest code runs.

import { getOwnPropertyDescriptor, getPrototypeOf, slice } from '@codeseam/code-runtime/guest';
import type { GuestFailure } from './host-functions.ts';
import { engineStack } from './program-frames.ts';

const LONGEST_NAME = 200;
const LONGEST_MESSAGE = 64_000;
const LONGEST_STACK = 16_000;
const MOST_PROTOTYPES = 20;

/** How values are looked at. */
export interface FailureReader {
  /** Whether looking into an object would run guest code. */
  readonly isOpaque: (value: object) => boolean;
  readonly show: (value: unknown) => string;
}

/** Describes any value that guest code threw. */
export function describeFailure(thrown: unknown, reader: FailureReader): GuestFailure {
  if (typeof thrown === 'string') return { message: cut(thrown, LONGEST_MESSAGE) };
  if ((typeof thrown !== 'object' && typeof thrown !== 'function') || thrown === null || reader.isOpaque(thrown)) {
    return { message: cut(reader.show(thrown), LONGEST_MESSAGE) };
  }
  const message = stringAt(thrown, 'message', reader);
  const name = stringAt(thrown, 'name', reader);
  const stack = stringAt(thrown, 'stack', reader) ?? engineStack(thrown);
  return {
    ...(name ? { name: cut(name, LONGEST_NAME) } : {}),
    message: cut(message ?? reader.show(thrown), LONGEST_MESSAGE),
    ...(stack ? { stack: cut(stack, LONGEST_STACK) } : {}),
  };
}

/** A string that the object or a prototype holds as data. */
function stringAt(value: object, key: string, reader: FailureReader): string | undefined {
  let at: object | null = value;
  for (let depth = 0; at !== null && depth < MOST_PROTOTYPES; depth++) {
    if (reader.isOpaque(at)) return undefined;
    const property = getOwnPropertyDescriptor(at, key);
    if (property) return typeof property.value === 'string' ? property.value : undefined;
    at = getPrototypeOf(at);
  }
  return undefined;
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${slice(text, 0, longest)}… (cut)`;
}
