// From what a worker saw of a failure to what a consumer reads: guest frames only, and the place in the program.
import { type CodeRunFailure, callId } from '@codeseam/code-runtime';
import type { WorkerFailure } from './messages.ts';

const PROGRAM_FRAME = /\(?\bprogram\.js:(\d+):(\d+)\)?$/;
const MOST_FRAMES = 30;

/**
 * Makes the failure of a result. Frames of the runtime's own guest code are left out.
 *
 * @param computeMs of the whole run; the worker only knows what was left of it.
 */
export function programFailure(failure: WorkerFailure, computeMs: number): CodeRunFailure {
  if (failure.kind === 'timeout') return busyFailure(computeMs);
  const { kind, message, name, hint, callSeq } = failure;
  const frames = programFrames(failure.stack ?? '');
  const place = failure.line === undefined ? placeOf(frames) : { line: failure.line, column: failure.column };
  const stack =
    failure.stack === undefined && frames.length === 0
      ? undefined
      : [name ? `${name}: ${message}` : message, ...frames].join('\n');
  const advice = hint ?? (kind === 'exception' && name === 'RangeError' ? rangeHint(message) : undefined);
  return {
    kind,
    message: message === '' ? (name ?? 'the program failed') : message,
    ...(name === undefined ? {} : { name }),
    ...(stack === undefined ? {} : { stack }),
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(place?.column === undefined ? {} : { column: place.column }),
    ...(advice === undefined ? {} : { hint: advice }),
    ...(callSeq === undefined ? {} : { callId: callId(callSeq) }),
  };
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

function rangeHint(message: string): string | undefined {
  return message.includes('call stack') ? 'use a loop in place of deep recursion' : undefined;
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

function busyFailure(computeMs: number): CodeRunFailure {
  return {
    kind: 'timeout',
    message: `the program was busy for ${computeMs} ms (the runtime's computeMs)`,
    hint: 'do less work in one program, or split it into several; waiting on host calls does not count',
  };
}
