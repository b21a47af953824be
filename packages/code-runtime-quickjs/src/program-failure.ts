// From what a worker saw of a failure to what a consumer reads: guest frames only, and the place in the program.
import { busyFailure, type CodeRunFailure, programFailure, type SeenFailure } from '@codeseam/code-runtime';

const PROGRAM_FRAME = /\(?\bprogram\.js:(\d+):(\d+)\)?$/;
const MOST_FRAMES = 30;

/**
 * Makes the failure of a result. Frames of the runtime's own guest code are left out.
 *
 * @param computeMs of the whole run; the worker only knows what was left of it.
 */
export function turnFailure(failure: SeenFailure, computeMs: number): CodeRunFailure {
  if (failure.kind === 'timeout') return busyFailure(computeMs);
  const { message, name } = failure;
  const frames = programFrames(failure.stack ?? '');
  const place = failure.line === undefined ? placeOf(frames) : { line: failure.line, column: failure.column };
  const stack =
    failure.stack === undefined && frames.length === 0
      ? undefined
      : [name ? `${name}: ${message}` : message, ...frames].join('\n');
  return programFailure({
    ...failure,
    ...(stack === undefined ? {} : { stack }),
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(place?.column === undefined ? {} : { column: place.column }),
  });
}

function programFrames(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => PROGRAM_FRAME.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => `    ${line.trim()}`);
}

function placeOf(frames: readonly string[]): { line: number; column: number } | undefined {
  const match = frames[0] === undefined ? null : PROGRAM_FRAME.exec(frames[0]);
  return match ? { line: Number(match[1]), column: Number(match[2]) } : undefined;
}

/** The failure of a run whose thread was ended, or ended by itself. */
export function deadThreadFailure(why: 'timeout' | 'worker-exit', computeMs: number): CodeRunFailure {
  if (why === 'worker-exit') return { kind: why, message: 'the thread that ran the program has died' };
  return busyFailure(computeMs);
}

/** The failure of a run whose thread claimed what no guest could have asked for. */
export const LYING_THREAD: CodeRunFailure = {
  kind: 'worker-exit',
  message: 'the thread that ran the program claimed more than a program can ask for, and was ended',
};
