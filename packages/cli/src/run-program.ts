// One program from its start to its end: `waiting` is answered by `wait` until there is an end.
import { randomUUID } from 'node:crypto';
import type { CodeMode, CodeModeResult, ExecInput, FailedResult, WaitingResult } from '@codeseam/code-mode';
import { CLI_SCOPE } from './open-host.ts';

export interface RunProgramOptions {
  /** Ends the run. */
  signal: AbortSignal;
  /** Milliseconds for all of it. */
  timeoutMs?: number;
  /** Gives a `waiting` result back instead of going on. */
  noWait?: boolean;
  /** Called with each result that is not the last. */
  onWaiting?: (result: WaitingResult) => void;
}

/** Runs a program to its end, or to its first wait with `noWait`. */
export async function runProgram(
  codeMode: CodeMode,
  input: ExecInput,
  options: RunProgramOptions,
): Promise<CodeModeResult> {
  return await follow(codeMode, (call) => codeMode.exec(input, call), options);
}

/** Goes on with a suspended run. */
export async function resumeProgram(
  codeMode: CodeMode,
  runId: string,
  options: RunProgramOptions,
): Promise<CodeModeResult> {
  return await follow(codeMode, (call) => codeMode.wait({ runId }, call), options);
}

type CallOptions = Parameters<CodeMode['exec']>[1];

async function follow(
  codeMode: CodeMode,
  begin: (call: CallOptions) => Promise<CodeModeResult>,
  { signal, timeoutMs, noWait, onWaiting }: RunProgramOptions,
): Promise<CodeModeResult> {
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const ended = limit ? AbortSignal.any([signal, limit]) : signal;
  const call = (): CallOptions => ({ scope: CLI_SCOPE, callId: `cli-${randomUUID()}`, signal: ended });
  let result = await begin(call());
  while (result.status === 'waiting' && !noWait) {
    onWaiting?.(result);
    result = await codeMode.wait({ runId: result.runId }, call());
  }
  return limit?.aborted && result.status === 'failed' ? asTimeout(result, timeoutMs!) : result;
}

function asTimeout(result: FailedResult, timeoutMs: number): FailedResult {
  return { ...result, code: 'timeout', error: `the program did not finish within ${timeoutMs} ms (--timeout)` };
}
