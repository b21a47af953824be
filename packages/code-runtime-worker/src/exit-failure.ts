// Why a program failed whose thread has exited before it said how it ended.
import { type CodeRunFailure, deadlockFailure } from '@codeseam/code-runtime';

/** Why a thread is no more. */
export interface ThreadEnd {
  readonly code: number;
  readonly outOfMemory: boolean;
  /** What it failed with, where it did not just exit. */
  readonly error?: string;
}

/** @param idle whether nothing kept the thread alive any more. */
export function exitFailure(
  { code, outOfMemory, error }: ThreadEnd,
  idle: boolean,
  memoryLimitBytes: number,
): CodeRunFailure {
  if (outOfMemory) {
    const message = `the program used more memory than memoryLimitBytes (${memoryLimitBytes} bytes)`;
    return { kind: 'memory-limit', message };
  }
  if (error !== undefined) return { kind: 'worker-exit', message: error };
  if (code !== 0 || !idle) return { kind: 'worker-exit', message: `the program's thread exited with code ${code}` };
  return deadlockFailure();
}
