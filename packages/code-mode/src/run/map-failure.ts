// From what a runtime reports to what a model reads: the code, the text, and what to do.
import type { CodeFailureKind, CodeRunFailure } from '@codeseam/code-runtime';
import { CODE_MODE_ERRORS } from '../error-codes.ts';
import type { CodeModeErrorCode } from '../types.ts';
import { hintForGuestError } from './guest-error-hints.ts';

/** A failure as the result shows it. */
export interface RunFailure {
  code: CodeModeErrorCode;
  error: string;
  hint?: string;
  line?: number;
  column?: number;
}

const CODES: Readonly<Record<CodeFailureKind, CodeModeErrorCode>> = {
  exception: 'guest_error',
  deadlock: 'guest_error',
  syntax: 'syntax_error',
  'module-access': 'module_access_denied',
  timeout: 'timeout',
  abort: 'aborted',
  'worker-exit': 'runtime_unavailable',
  unavailable: 'runtime_unavailable',
  'memory-limit': 'memory_limit_exceeded',
  'stack-overflow': 'stack_overflow',
  'output-limit': 'output_limit_exceeded',
  'snapshot-limit': 'snapshot_limit_exceeded',
  'snapshot-restore': 'snapshot_restore_failed',
  'call-limit': 'too_many_pending_tool_calls',
  'invalid-output': 'internal_error',
};

/** A failure that code mode itself brings about. */
export function runFailure(code: CodeModeErrorCode, error: string, hint?: string): RunFailure {
  const said = hint ?? CODE_MODE_ERRORS[code].hint;
  return { code, error, ...(said === undefined ? {} : { hint: said }) };
}

/**
 * @param isToolCall whether a host call of the run was a nested tool call.
 */
export function mapFailure(failure: CodeRunFailure, isToolCall: (callId: string) => boolean): RunFailure {
  // A runtime of another hand may report what it should not.
  let code: CodeModeErrorCode = Object.hasOwn(CODES, failure.kind) ? CODES[failure.kind] : 'internal_error';
  if (failure.kind === 'exception' && failure.callId !== undefined && isToolCall(failure.callId))
    code = 'nested_tool_failed';
  const { line, column } = failure;
  const guest = code === 'guest_error' || code === 'nested_tool_failed';
  const hint = (guest ? hintForGuestError(failure) : undefined) ?? failure.hint ?? CODE_MODE_ERRORS[code].hint;
  return {
    code,
    error: describe(failure),
    ...(hint === undefined ? {} : { hint }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

function describe({ kind, name, message }: CodeRunFailure): string {
  if (kind !== 'exception' || !name || name === 'Error' || message.startsWith(`${name}:`)) return message;
  return `${name}: ${message}`;
}
