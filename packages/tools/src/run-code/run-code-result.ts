// What a model reads of a run_code program: its prints and value, or how it failed.
import { cutText, freezeJson, type JsonValue, stringifyJson, toLosslessJson } from '@codeseam/lossless-json';
import { ToolCallError } from '../errors.ts';
import { thrownMessage } from '../read-thrown.ts';
import { readableJson } from '../readable-json.ts';
import { isRecord } from '../schema/schema-keywords.ts';
import type { LedgerEntry, ToolContent } from '../types.ts';

/** `run_code`'s value. */
export interface RunCodeValue {
  logs: string[];
  /** Absent when the program returned nothing. */
  result?: JsonValue;
}

export const RUN_CODE_OUTPUT = {
  type: 'object',
  properties: { logs: { type: 'array', items: { type: 'string' } }, result: {} },
  required: ['logs'],
  additionalProperties: false,
} as const;

/** How much of the prints a failure repeats. */
const MAX_CAPTURED_BYTES = 8_192;
const MAX_LISTED_CALLS = 50;

/** The logs, then the value: a string as it is, anything else as readable JSON. */
export function renderRunCode({ logs, result }: RunCodeValue): ToolContent[] {
  const parts = [...logs];
  if (result !== undefined) parts.push(typeof result === 'string' ? result : readableJson(result));
  return [{ type: 'text', text: parts.length === 0 ? '(the program ended without output)' : parts.join('\n') }];
}

/** What a runtime reported, rebuilt field by field: a runtime is not ours. */
export interface ReadRun {
  logs: string[];
  value?: JsonValue;
  failure?: { kind: string; message: string; line?: number; hint?: string };
}

/** Reads the result of any runtime; nonsense becomes a failure. */
export function readRun(result: unknown): ReadRun {
  if (!isRecord(result)) return { logs: [], failure: { kind: 'internal', message: 'the runtime gave no result' } };
  const { logs: rawLogs, value, error } = result;
  const logs = Array.isArray(rawLogs) ? rawLogs.map((line) => (typeof line === 'string' ? line : String(line))) : [];
  if (isRecord(error)) {
    const { kind, message, name, line, hint } = error;
    const text = typeof message === 'string' ? message : thrownMessage(error);
    return {
      logs,
      failure: {
        kind: typeof kind === 'string' ? kind : 'internal',
        message: typeof name === 'string' && name !== '' && !text.startsWith(name) ? `${name}: ${text}` : text,
        ...(typeof line === 'number' ? { line } : {}),
        ...(typeof hint === 'string' ? { hint } : {}),
      },
    };
  }
  if (error !== undefined) return { logs, failure: { kind: 'internal', message: thrownMessage(error) } };
  if (value === undefined) return { logs };
  try {
    return { logs, value: freezeJson(toLosslessJson(value)) };
  } catch (lossy) {
    return { logs, failure: { kind: 'invalid-output', message: thrownMessage(lossy) } };
  }
}

/** The failure of a program as the error of its call, with what it printed and called so far. */
export function runFailed(
  { failure, logs }: ReadRun & { failure: object },
  ledger: readonly LedgerEntry[],
  aborted: boolean,
): ToolCallError {
  const { kind, message, line, hint } = failure as NonNullable<ReadRun['failure']>;
  const where = line === undefined ? '' : ` (line ${line})`;
  const parts = [`code run failed (${kind}): ${message}${where}`];
  if (ledger.length > 0)
    parts.push(`Calls:\n${ledger.slice(0, MAX_LISTED_CALLS).map(callLine).join('\n')}${moreCalls(ledger)}`);
  if (logs.length > 0) parts.push(`Captured output:\n${captured(logs)}`);
  return new ToolCallError(aborted ? 'ABORTED' : 'CODE_RUN_FAILED', parts.join('\n'), {
    ...(hint === undefined ? {} : { hint }),
    meta: { kind, ...(line === undefined ? {} : { line }), calls: ledgerJson(ledger) },
  });
}

/** Whether the ledger says more than the value: some call did not go well. */
export function isNotPlain(ledger: readonly LedgerEntry[]): boolean {
  return ledger.some((entry) => entry.status !== 'ok');
}

export function ledgerJson(ledger: readonly LedgerEntry[]): JsonValue {
  return toLosslessJson(ledger);
}

function callLine({ toolId, status, ms, code }: LedgerEntry): string {
  return `- ${toolId}: ${status}${code === undefined ? '' : ` (${code})`}, ${ms} ms`;
}

function moreCalls(ledger: readonly LedgerEntry[]): string {
  return ledger.length > MAX_LISTED_CALLS ? `\n- and ${ledger.length - MAX_LISTED_CALLS} more` : '';
}

function captured(logs: readonly string[]): string {
  const text = logs.join('\n');
  const cut = cutText(text, MAX_CAPTURED_BYTES);
  return cut === text ? text : `${cut}\n… (${stringifyJson(text.length - cut.length)} more characters)`;
}
