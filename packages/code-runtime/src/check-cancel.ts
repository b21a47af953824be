// The check of what `cancel` is given.
import { CodeRuntimeError } from './errors.ts';
import type { CodeRunFailure } from './types.ts';

/**
 * Gives the failure that a cancelled run ends with.
 *
 * @throws CodeRuntimeError `invalid-request` for another kind than `abort` and `timeout`.
 */
export function checkCancel(reason: { kind: 'abort' | 'timeout'; message: string }): CodeRunFailure {
  const { kind, message } = (reason ?? {}) as Record<string, unknown>;
  if (kind !== 'abort' && kind !== 'timeout') {
    throw new CodeRuntimeError('invalid-request', 'cancel takes { kind: "abort" | "timeout", message }');
  }
  return { kind, message: String(message) };
}
