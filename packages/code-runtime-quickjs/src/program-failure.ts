// The failures that this provider's host makes of what its threads do and say.
import { busyFailure, type CodeRunFailure, programFailure, type SeenFailure } from '@codeseam/code-runtime';

/**
 * Makes the failure of a result.
 *
 * @param computeMs of the whole run; the worker only knows what was left of it.
 */
export function turnFailure(failure: SeenFailure, computeMs: number): CodeRunFailure {
  return failure.kind === 'timeout' ? busyFailure(computeMs) : programFailure(failure);
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
