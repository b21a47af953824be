// What a thrown value shows of itself to the host: strings it holds as data, cut to a bound. No getter is run.
import type { GuestFailure } from './host-functions.ts';
import { apply, getOwnPropertyDescriptor, getPrototypeOf, slice, stringOf } from './intrinsics.ts';

const LONGEST_NAME = 200;
const LONGEST_MESSAGE = 64_000;
const LONGEST_STACK = 16_000;
const MOST_PROTOTYPES = 20;

/** Describes any value. `show` renders what is not an error; both may meet hostile proxies, hence the guards. */
export function describeFailure(thrown: unknown, show: (value: unknown) => string): GuestFailure {
  if ((typeof thrown !== 'object' && typeof thrown !== 'function') || thrown === null) {
    return { message: cut(typeof thrown === 'string' ? thrown : safely(() => show(thrown)), LONGEST_MESSAGE) };
  }
  const message = stringAt(thrown, 'message');
  const name = stringAt(thrown, 'name');
  const stack = stackOf(thrown);
  return {
    ...(name ? { name: cut(name, LONGEST_NAME) } : {}),
    message: cut(message ?? safely(() => show(thrown)), LONGEST_MESSAGE),
    ...(stack ? { stack: cut(stack, LONGEST_STACK) } : {}),
  };
}

function stringAt(value: object, key: string): string | undefined {
  try {
    let at: object | null = value;
    for (let depth = 0; at !== null && depth < MOST_PROTOTYPES; depth++) {
      const property = getOwnPropertyDescriptor(at, key);
      if (property) return typeof property.value === 'string' ? property.value : undefined;
      at = getPrototypeOf(at);
    }
  } catch {
    // A proxy that throws keeps its text to itself.
  }
  return undefined;
}

/** The engine keeps the stack of a real error behind a getter of its own, which runs no guest code. */
function stackOf(value: object): string | undefined {
  const own = stringAt(value, 'stack');
  if (own !== undefined) return own;
  try {
    const stack: unknown = nativeStack && apply(nativeStack, value, []);
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}

const nativeStack = getOwnPropertyDescriptor(Error.prototype, 'stack')?.get;

function safely(show: () => string): string {
  try {
    return stringOf(show());
  } catch {
    return 'a value that cannot be shown';
  }
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${slice(text, 0, longest)}… (cut)`;
}
