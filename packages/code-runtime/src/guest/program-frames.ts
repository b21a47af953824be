// The frames of a stack that lie in the program; those of a runtime's own guest code are left out.
import { indexOf, slice } from './intrinsics.ts';

/** The name under which providers evaluate programs. */
export const PROGRAM_FILE = 'program.js';

const FRAME = '    at ';

/** Gives those lines of an engine's stack, without what stands before the first frame. */
export function programFrames(stack: string): string {
  let frames = '';
  for (let start = 0; start < stack.length; ) {
    const newline = indexOf(stack, '\n', start);
    const end = newline === -1 ? stack.length : newline;
    const line = slice(stack, start, end);
    // Lines that a provider put around the program have numbers below 1.
    const isOfProgram = indexOf(line, `${PROGRAM_FILE}:`) !== -1 && indexOf(line, `${PROGRAM_FILE}:-`) === -1;
    if (isOfProgram && slice(line, 0, FRAME.length) === FRAME) frames += frames === '' ? line : `\n${line}`;
    start = end + 1;
  }
  return frames;
}
