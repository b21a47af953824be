// `codeMode.exec` and `wait`: the same call as a model's, through all outer stages, and always a result.
import type { JsonValue } from '@codeseam/lossless-json';
import type { ToolCallOutcome, ToolErrorCode, ToolRegistry } from '@codeseam/tools';
import { runFailure } from './run/map-failure.ts';
import { RunCounters } from './run/run-counters.ts';
import { failedResult } from './shape-result.ts';
import type { CodeModeCallOptions, CodeModeErrorCode, CodeModeResult } from './types.ts';

export async function callControl(
  tools: ToolRegistry,
  name: 'exec' | 'wait',
  input: unknown,
  options: CodeModeCallOptions,
): Promise<CodeModeResult> {
  const { scope, callId, signal, clientTools, onUpdate } = options;
  const outcome = await tools.execute({
    callId,
    name,
    transport: 'exec',
    arguments: input,
    scope,
    ...(signal ? { signal } : {}),
    ...(clientTools ? { clientTools } : {}),
    ...(onUpdate ? { onUpdate } : {}),
  });
  return readOutcome(outcome);
}

const CODES: Partial<Record<ToolErrorCode, CodeModeErrorCode>> = {
  INVALID_ARGS: 'invalid_input',
  DENIED: 'denied',
  APPROVAL_REQUIRED: 'denied',
  ABORTED: 'aborted',
  ABORTED_BEFORE_DISPATCH: 'aborted',
};

/** The result in an outcome, or how the outer stages ended the call before or after the program. */
function readOutcome(outcome: ToolCallOutcome): CodeModeResult {
  const { value, code, message, hint } = outcome;
  if (isResult(value)) return value;
  const mapped = (code && CODES[code]) ?? 'internal_error';
  return failedResult(
    runFailure(mapped, message ?? 'the call failed', hint),
    new RunCounters().telemetry({
      catalogSize: 0,
      sources: { host: 0, plugin: 0, mcp: 0, client: 0 },
      visibleTools: [],
      computeMs: 0,
    }),
  );
}

function isResult(value: JsonValue | undefined): value is JsonValue & CodeModeResult {
  const status = (value as { status?: unknown } | null | undefined)?.status;
  return status === 'completed' || status === 'waiting' || status === 'failed';
}
