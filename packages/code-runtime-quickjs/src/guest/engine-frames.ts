// The frames of an error that lie in the program, as the engine noted them when the error was made.
import { apply, getOwnPropertyDescriptor, programFrames } from '@codeseam/code-runtime/guest';

/** The engine keeps the stack of a real error behind a getter of its own, which runs no guest code. */
const nativeStack = getOwnPropertyDescriptor(Error.prototype, 'stack')?.get;

/** One frame a line; nothing for what is no error. */
export function engineFrames(error: object): string | undefined {
  try {
    const stack: unknown = nativeStack && apply(nativeStack, error, []);
    return typeof stack === 'string' ? programFrames(stack) : undefined;
  } catch {
    return undefined;
  }
}
