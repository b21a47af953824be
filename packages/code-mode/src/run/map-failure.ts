// From what a runtime reports to what a model reads: the code, the text, and what to do.

import type { CodeFailureKind, CodeRunFailure } from '@codeseam/code-runtime';
import type { Steps } from '@codeseam/schema-types';
import { type AbsentServer, explainAbsence } from '../catalog/absent-servers.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { CODE_MODE_ERRORS } from '../error-codes.ts';
import type { CodeModeErrorCode } from '../types.ts';
import { hintForFailedCall, hintForGuestError, missedServer, nameCallee } from './guest-error-hints.ts';

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

/** The program may be right, but its types cannot be taken off. */
const TOO_MUCH_TYPESCRIPT = /to be read as TypeScript$/;

/** A failure that code mode itself brings about. */
export function runFailure(code: CodeModeErrorCode, error: string, hint?: string): RunFailure {
  const said = hint ?? CODE_MODE_ERRORS[code].hint;
  return { code, error, ...(said === undefined ? {} : { hint: said }) };
}

/** What a failure is told with: the program, and how its nested calls ended. */
export interface FailedProgram {
  readonly code: string;
  readonly catalog: Catalog;
  absentServers(): AbsentServer[];
  /** The code of a nested tool call that failed; undefined where a host call was none. */
  toolCallCode(callId: string): string | undefined;
}

/** The code alone. */
export function failureCode(failure: CodeRunFailure, program: FailedProgram): CodeModeErrorCode {
  if (nestedCode(failure, program) !== undefined) return 'nested_tool_failed';
  if (failure.kind === 'syntax' && TOO_MUCH_TYPESCRIPT.test(failure.message)) return 'typescript_transform_failed';
  // A runtime of another hand may report what it should not.
  return Object.hasOwn(CODES, failure.kind) ? CODES[failure.kind] : 'internal_error';
}

/** The code of the nested call whose rejection ended the program, if one did. */
function nestedCode({ kind, callId }: CodeRunFailure, program: FailedProgram): string | undefined {
  return kind === 'exception' && callId !== undefined ? program.toolCallCode(callId) : undefined;
}

export function* mapFailure(failure: CodeRunFailure, program: FailedProgram): Steps<RunFailure> {
  const code = failureCode(failure, program);
  const { line, column } = failure;
  const told = describeFailure(failure, program.code);
  const server = code === 'guest_error' ? missedServer(told) : undefined;
  const absence = server === undefined ? undefined : explainAbsence(server, program.absentServers());
  const error = absence ? `${told}: ${absence.said}` : told;
  const hint =
    absence?.hint ??
    (code === 'nested_tool_failed' ? hintForFailedCall(nestedCode(failure, program)) : undefined) ??
    (code === 'guest_error' ? yield* hintForGuestError(failure.kind, error, program) : undefined) ??
    failure.hint ??
    (isPlainThrow(failure) ? PLAIN_THROW_HINT : undefined) ??
    CODE_MODE_ERRORS[code].hint;
  return {
    code,
    error,
    ...(hint === undefined ? {} : { hint }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

/** Only an Error knows where it was made. */
function isPlainThrow({ kind, name, stack, line, callId }: CodeRunFailure): boolean {
  return kind === 'exception' && !name && !stack && line === undefined && callId === undefined;
}

const PLAIN_THROW_HINT = 'throw new Error(message) instead: an Error knows its line';

function describeFailure(failure: CodeRunFailure, program: string): string {
  const { kind, name, message, line, column } = failure;
  if (isPlainThrow(failure)) return `the program threw what is no Error, so that its line is not known: ${message}`;
  const told = message === 'not a function' ? nameCallee(program, line, column) : message;
  if (kind !== 'exception' || !name || name === 'Error' || told.startsWith(`${name}:`)) return told;
  return `${name}: ${told}`;
}
