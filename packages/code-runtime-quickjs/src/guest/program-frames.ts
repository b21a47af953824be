// The frames of an error that lie in the program, as the engine noted them when the error was made.
import { apply, getOwnPropertyDescriptor, indexOf, slice } from '@codeseam/code-runtime/guest';

/** The name under which the worker evaluates programs. */
export const PROGRAM_FILE = 'program.js';

/** The engine keeps the stack of a real error behind a getter of its own, which runs no guest code. */
const nativeStack = getOwnPropertyDescriptor(Error.prototype, 'stack')?.get;

/** The stack that the engine noted, or nothing for what is no error. */
export function engineStack(error: object): string | undefined {
  try {
    const stack: unknown = nativeStack && apply(nativeStack, error, []);
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}

/** One frame a line; frames of the runtime's own guest code are left out. */
export function programFrames(error: object): string | undefined {
  const stack = engineStack(error);
  if (stack === undefined) return undefined;
  let frames = '';
  let start = 0;
  while (start < stack.length) {
    const newline = indexOf(stack, '\n', start);
    const end = newline === -1 ? stack.length : newline;
    const line = slice(stack, start, end);
    // Lines that the worker put around the program have numbers below 1.
    if (indexOf(line, `${PROGRAM_FILE}:`, 0) !== -1 && indexOf(line, `${PROGRAM_FILE}:-`, 0) === -1) {
      frames += frames === '' ? line : `\n${line}`;
    }
    start = end + 1;
  }
  return frames;
}
