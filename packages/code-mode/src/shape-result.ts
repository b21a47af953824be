// Puts results together: what a leg ended with, what is new in the output, the calls, the telemetry.
import { returnsExpression, unwrapCell } from '@codeseam/cell';
import type { CodeRunResult } from '@codeseam/code-runtime';
import { cutText, type JsonValue, jsonBytes, stringifyJson } from '@codeseam/lossless-json';
import { type LedgerEntry, runInSlices, type ToolContent } from '@codeseam/tools';
import type { TakenOutput } from './output/output-collector.ts';
import { mapFailure, type RunFailure, runFailure } from './run/map-failure.ts';
import type { ProgramRun } from './run/program-run.ts';
import type { CodeModeOutput, CodeModeResult, CodeModeTelemetry, FailedResult, PendingToolCall } from './types.ts';

const APPROVAL_HINT =
  'a person is asked to approve what has approval "pending": call wait with this runId, which goes on once they have answered; where it answers the same again, tell the user that their approval is needed';

const MAX_ARGS_BYTES = 200;
/** More entries of a ledger than this say nothing to a model. */
const MOST_CALLS = 100;

export function telemetryOf(run: ProgramRun): CodeModeTelemetry {
  const { catalog, counters, visibleTools } = run;
  return counters.telemetry({
    catalogSize: catalog.size,
    sources: { ...catalog.sources },
    visibleTools: [...visibleTools],
    computeMs: Math.round(run.started ? run.codeRun.usage.computeMs : 0),
  });
}

/** The result of a run that has ended. */
export async function endedResult(run: ProgramRun, result: CodeRunResult): Promise<CodeModeResult> {
  const failure = run.ownFailure ?? (result.error && (await runInSlices(mapFailure(result.error, run))));
  if (failure) return failedRun(run, failure);
  const openCalls = run.openCallsNote();
  if (openCalls !== undefined) run.output.add({ type: 'note', text: openCalls });
  const bareCall = bareCallNote(run, result.value);
  if (bareCall !== undefined) run.output.add({ type: 'note', text: bareCall });
  const taken = run.output.take({ last: true, value: result.value ?? null });
  if (taken.overflow) return failedRun(run, tooMuchOutput(run), taken);
  const output = result.value === undefined ? withNothingNote(run, taken.output) : taken.output;
  const ledger = run.toolProgram.ledger;
  return {
    status: 'completed',
    value: taken.value ?? null,
    ...some('output', output),
    telemetry: telemetryOf(run),
    ...(ledger.some(({ status }) => status !== 'ok') ? { calls: shownCalls(ledger) } : {}),
    ...(run.restartSafe ? { replaySafe: true } : {}),
    ...(taken.truncated ? { truncated: true as const } : {}),
    ...(taken.ref === undefined ? {} : { ref: taken.ref }),
  };
}

/** The result of a run that fails, or of one that never started. */
export function failedRun(run: ProgramRun, failure: RunFailure, already?: TakenOutput): FailedResult {
  const reserved = jsonBytes(failure.error, run.output.left);
  const tooLong = reserved > run.output.left;
  const shown = tooLong ? tooLongError(failure, run) : failure;
  const { output } = already ?? run.output.take({ last: true, reserved: tooLong ? 0 : reserved });
  return failedResult(shown, telemetryOf(run), { output, calls: shownCalls(run.toolProgram.ledger) });
}

export function failedResult(
  failure: RunFailure,
  telemetry: CodeModeTelemetry,
  more: { output?: CodeModeOutput[]; calls?: LedgerEntry[] } = {},
): FailedResult {
  const { code, error, hint, line, column } = failure;
  return {
    status: 'failed',
    error,
    code,
    ...(hint === undefined ? {} : { hint }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...some('output', more.output ?? []),
    calls: more.calls ?? [],
    telemetry,
  };
}

export function waitingResult(run: ProgramRun, reason: 'pending_tools' | 'yield'): CodeModeResult {
  const { output } = run.output.take({ last: false });
  const pending = run.toolProgram.pending();
  if (pending.length === 0 && reason === 'pending_tools') {
    output.push({
      type: 'note',
      text: 'no tool call is pending: the program waits for a timer, or for what has just settled',
    });
  }
  return {
    status: 'waiting',
    runId: run.id,
    reason,
    pendingToolCalls: pending.map(
      ({ callId, tool, arguments: args, status, elapsedMs }): PendingToolCall => ({
        id: callId,
        tool: tool.id,
        args: summary(args),
        elapsedMs: Math.round(elapsedMs),
        ...(status === 'awaiting_approval' ? { approval: 'pending' as const } : {}),
      }),
    ),
    ...(pending.some(({ status }) => status === 'awaiting_approval') ? { hint: APPROVAL_HINT } : {}),
    ...some('output', output),
    telemetry: telemetryOf(run),
    ...(run.restartSafe ? { replaySafe: true } : {}),
  };
}

/** What the model reads: the result without its telemetry. */
export function resultContent(result: CodeModeResult): ToolContent[] {
  const { telemetry: _, ...shown } = result;
  if (shown.status === 'failed' && shown.calls.length === 0) {
    const { calls: _none, ...rest } = shown;
    return [{ type: 'text', text: stringifyJson(rest as unknown as JsonValue) }];
  }
  return [{ type: 'text', text: stringifyJson(shown as unknown as JsonValue) }];
}

function withNothingNote(run: ProgramRun, output: CodeModeOutput[]): CodeModeOutput[] {
  if (output.length > 0 || run.counters.waits > 0) return output;
  return [{ type: 'note', text: nothingNote(run) }];
}

function nothingNote(run: ProgramRun): string {
  const returns = returnsExpression(unwrapCell(run.code).program);
  if (returns === false) return 'the program returned nothing and printed nothing: end it with `return <value>`';
  const callsMcp = run.toolProgram.ledger.some(({ toolId }) => toolId.startsWith('mcp:'));
  const shape = callsMcp ? '; an MCP call gives { content, structuredContent?, isError? }' : '';
  return returns
    ? `the returned value is undefined${shape}`
    : `the program returned nothing, or undefined, and printed nothing: end it with \`return <value>\`${shape}`;
}

/** A tool call written as data is data; whoever sends one believes that something was called. */
function bareCallNote(run: ProgramRun, value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const has = (...keys: string[]) => keys.some((key) => Object.hasOwn(value, key));
  const isCall = has('name', 'tool', 'tool_name', 'function') && has('arguments', 'args', 'input', 'parameters');
  if (!isCall || run.toolProgram.ledger.length > 0 || !run.code.trimStart().startsWith('{')) return undefined;
  return 'the program was only an object, so nothing was called: write the call, return await tools.callValue("id", { … }) or return await MCP.server.toolName({ … })';
}

function tooMuchOutput(run: ProgramRun): RunFailure {
  return runFailure(
    'output_limit_exceeded',
    `the program's output does not fit maxOutputBytes (${run.settings.maxOutputBytes} bytes)`,
  );
}

function tooLongError(failure: RunFailure, run: ProgramRun): RunFailure {
  const start = cutText(failure.error, Math.min(300, Math.floor(run.output.left / 6)));
  return {
    ...runFailure(
      'output_limit_exceeded',
      `the text of the program's failure (${failure.code}) is over what is left of maxOutputBytes (${run.settings.maxOutputBytes} bytes); it begins: ${start}`,
    ),
    ...(failure.line === undefined ? {} : { line: failure.line }),
    ...(failure.column === undefined ? {} : { column: failure.column }),
  };
}

/** All that went wrong, and the newest of the rest. */
function shownCalls(ledger: readonly LedgerEntry[]): LedgerEntry[] {
  if (ledger.length <= MOST_CALLS) return [...ledger];
  const wrong = ledger.filter(({ status }) => status !== 'ok').slice(-MOST_CALLS / 2);
  const shown = new Set([...wrong, ...ledger.slice(-MOST_CALLS / 2)]);
  return ledger.filter((entry) => shown.has(entry));
}

function summary(args: JsonValue): string {
  const text = stringifyJson(args);
  const cut = cutText(text, MAX_ARGS_BYTES);
  return cut.length === text.length ? text : `${cut}…`;
}

function some<Key extends string, Item>(key: Key, items: Item[]): { [K in Key]?: Item[] } {
  return (items.length > 0 ? { [key]: items } : {}) as { [K in Key]?: Item[] };
}
