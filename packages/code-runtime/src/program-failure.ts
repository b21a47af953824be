// How a program failed: what its thread saw of it, and what a consumer reads.
import { callId } from './host-calls.ts';
import { CODE_FAILURE_KINDS, type CodeFailureKind, type CodeRunFailure } from './types.ts';

/** A failure as the thread of a program saw it. */
export interface SeenFailure {
  readonly kind: CodeFailureKind;
  readonly message: string;
  readonly name?: string;
  readonly stack?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
  /** The number of the call whose uncaught rejection it is. */
  readonly callSeq?: number;
}

/** Rebuilds what a thread claims to have seen, field by field; `undefined` where it is none. */
export function readSeenFailure(value: unknown): SeenFailure | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, message, name, stack, line, column, hint, callSeq } = value as Record<keyof SeenFailure, unknown>;
  if (!CODE_FAILURE_KINDS.includes(kind as CodeFailureKind) || typeof message !== 'string') return undefined;
  return {
    kind: kind as CodeFailureKind,
    message,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof stack === 'string' ? { stack } : {}),
    ...(isCount(line) && isCount(column) ? { line, column } : {}),
    ...(typeof hint === 'string' ? { hint } : {}),
    ...(isCount(callSeq) ? { callSeq } : {}),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Makes the failure of a result: it always has a message, and a name, a place and a hint where they are known. Of the stack
 * only frames of the program are kept.
 */
export function programFailure({ callSeq, hint, stack, ...seen }: SeenFailure): CodeRunFailure {
  const frames = framesOf(stack ?? '');
  const name = seen.name ?? (REFUSED_KINDS.includes(seen.kind) ? 'SyntaxError' : undefined);
  const advice = hint ?? (isRunawayRecursion(seen) ? 'use a loop in place of deep recursion' : undefined);
  return {
    ...placeOf(frames[0]),
    ...seen,
    ...(name === undefined ? {} : { name }),
    message: seen.message || seen.name || 'the program failed without a message',
    ...(frames.length === 0 ? {} : { stack: [name ? `${name}: ${seen.message}` : seen.message, ...frames].join('\n') }),
    ...(advice === undefined ? {} : { hint: advice }),
    ...(callSeq === undefined ? {} : { callId: callId(callSeq) }),
  };
}

const PROGRAM_FRAME = /\bprogram\.js:(\d+):(\d+)\)?$/;
const MOST_FRAMES = 30;

function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => PROGRAM_FRAME.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => `    ${line.trim()}`);
}

function placeOf(frame: string | undefined): { line: number; column: number } | undefined {
  const match = frame === undefined ? null : PROGRAM_FRAME.exec(frame);
  return match ? { line: Number(match[1]), column: Number(match[2]) } : undefined;
}

/** What the check of a program finds is an early error, as an engine would report it. */
const REFUSED_KINDS: readonly CodeFailureKind[] = ['syntax', 'module-access'];

/** By the words of both engines that programs run in. */
function isRunawayRecursion({ kind, name, message }: SeenFailure): boolean {
  return kind === 'exception' && name === 'RangeError' && /call stack/i.test(message);
}

/** The failure of a program that was busy for its whole `computeMs`. */
export function busyFailure(computeMs: number): CodeRunFailure {
  return {
    kind: 'timeout',
    message: `the program was busy for ${computeMs} ms (the runtime's computeMs)`,
    hint: 'do less work in one program, or split it into several; waiting on host calls does not count',
  };
}

/** The failure of a run that was not over within its `wallMs`. */
export function wallFailure(wallMs: number): CodeRunFailure {
  return { kind: 'timeout', message: `the run took longer than ${wallMs} ms (its wallMs)` };
}

/** The failure of a program that waits, with nothing left that could make it go on. */
export function deadlockFailure(): CodeRunFailure {
  return {
    kind: 'deadlock',
    message: 'the program waits for a promise that nothing can settle',
    hint: 'no call, timer or job is left; resolve the promise, or do not await it',
  };
}
