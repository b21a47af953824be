// A trace file back as events; every line is checked, since anybody may have written it.
import type { CodeModeResult } from '@codeseam/code-mode';
import { CliError } from '../errors.ts';

export interface TracedCall {
  callId: string;
  toolId: string;
  arguments: unknown;
  /** Milliseconds from the start of the trace. */
  startMs: number;
  /** Absent for a call whose end is not in the trace. */
  ms?: number;
  isError: boolean;
  code?: string;
  content?: unknown;
}

export interface Trace {
  code?: string;
  language?: string;
  calls: TracedCall[];
  result?: Pick<CodeModeResult, 'status'> & Record<string, unknown>;
  /** From the first event to the last. */
  totalMs: number;
  truncated: boolean;
}

/** Reads the lines that `exec --trace` wrote. Throws `CliError` with the line that is none. */
export function parseTrace(text: string, path: string): Trace {
  const trace: Trace = { calls: [], totalMs: 0, truncated: false };
  const calls = new Map<string, TracedCall>();
  let first: number | undefined;
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const event = parseLine(line, path, index + 1);
    first ??= event.t;
    trace.totalMs = Math.max(trace.totalMs, event.t - first);
    addEvent(trace, calls, event, event.t - first);
  });
  trace.calls = [...calls.values()];
  return trace;
}

type Line = { t: number; type: string } & Record<string, unknown>;

function addEvent(trace: Trace, calls: Map<string, TracedCall>, event: Line, at: number): void {
  const callId = String(event['callId']);
  if (event.type === 'program') {
    trace.code = String(event['code']);
    if (typeof event['language'] === 'string') trace.language = event['language'];
  } else if (event.type === 'call-start') {
    calls.set(callId, {
      callId,
      toolId: String(event['toolId']),
      arguments: event['arguments'],
      startMs: at,
      isError: false,
    });
  } else if (event.type === 'call-end') {
    const call = calls.get(callId);
    if (!call) return;
    call.isError = event['isError'] === true;
    call.ms = typeof event['ms'] === 'number' ? event['ms'] : at - call.startMs;
    call.content = event['content'];
    if (typeof event['code'] === 'string') call.code = event['code'];
  } else if (event.type === 'result' && typeof event['result'] === 'object' && event['result'] !== null) {
    trace.result = event['result'] as Trace['result'] & object;
  } else if (event.type === 'truncated') trace.truncated = true;
}

function parseLine(line: string, path: string, number: number): Line {
  try {
    const event = JSON.parse(line) as Line | null;
    if (typeof event?.t === 'number' && typeof event.type === 'string') return event;
  } catch {
    // Falls through to the one message.
  }
  throw new CliError('INPUT', `${path}:${number}: not a line of a trace (exec --trace writes them)`);
}
