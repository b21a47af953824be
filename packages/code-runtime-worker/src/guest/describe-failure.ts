// How errors of the program show: to the host, where nothing caught them, and to the program as their stack.
import { types } from 'node:util';
import {
  describeThrown,
  inheritedText,
  PROGRAM_FILE,
  programFrames,
  type ThrownValue,
} from '@codeseam/code-runtime/guest';

const { isNativeError, isProxy } = types;

/** Says what to show for a proxy, whose traps must not run. */
export function labelOf(value: object): string | undefined {
  return isProxy(value) ? '[Proxy]' : undefined;
}

/** Describes any value as an exception. */
export function describeFailure(thrown: unknown): ThrownValue & { kind: 'exception' } {
  return { kind: 'exception', ...describeThrown(thrown, { labelOf, framesOf }) };
}

/** Some engines keep the frames of a real error behind an accessor of their own. */
function framesOf(error: object): string | undefined {
  if (!isNativeError(error)) return undefined;
  try {
    const stack: unknown = error.stack;
    return typeof stack === 'string' ? programFrames(stack) : undefined;
  } catch {
    return undefined;
  }
}

/** What the engine makes an error's stack of: its head, and the frames of the program alone. */
export function programStack(error: unknown, frames: readonly NodeJS.CallSite[]): string {
  let stack = '';
  try {
    const name = inheritedText(error as object, 'name', labelOf) ?? 'Error';
    const message = inheritedText(error as object, 'message', labelOf) ?? '';
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
