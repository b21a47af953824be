// A record of one program for later inspection: one JSON object a line, bounded.
import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CodeModeResult, ExecInput } from '@codeseam/code-mode';
import { describeFileProblem } from '@codeseam/cordis-loader';
import type { ToolRegistry } from '@codeseam/tools';
import { CliError } from './errors.ts';
import type { CliIo } from './io.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FIELD = 8 * 1024;

/** What a line of a trace holds; `t` is milliseconds since the epoch. */
export type TraceEvent =
  | { t: number; type: 'program'; code: string; language?: string }
  | { t: number; type: 'call-start'; callId: string; toolId: string; arguments: unknown }
  | {
      t: number;
      type: 'call-end';
      callId: string;
      toolId: string;
      isError: boolean;
      code?: string;
      ms: number;
      content: unknown;
    }
  | { t: number; type: 'result'; result: CodeModeResult }
  | { t: number; type: 'truncated' };

export interface TraceFile {
  write(event: TraceEvent): void;
  close(): void;
}

/** Opens a trace and records the calls of `tools` in it. Throws `CliError` if the file cannot be written. */
export function openTrace(io: CliIo, path: string, tools: Pick<ToolRegistry, 'on'>): TraceFile {
  let file: number;
  try {
    file = openSync(resolve(io.cwd, path), 'w');
  } catch (error) {
    throw new CliError('OUTPUT', `cannot write the trace ${path}: ${describeFileProblem(error, path, 'write')}`);
  }
  let left = MAX_BYTES;
  const write = (event: TraceEvent) => {
    if (left <= 0) return;
    const line = `${JSON.stringify(event)}\n`;
    left -= Buffer.byteLength(line);
    writeSync(file, left > 0 ? line : `${JSON.stringify({ t: Date.now(), type: 'truncated' })}\n`);
  };
  const undo = [
    tools.on('tools/dispatch-start', ({ callId, toolId, arguments: args, startedAt }) => {
      write({ t: startedAt, type: 'call-start', callId, toolId, arguments: bounded(args) });
    }),
    tools.on('tools/dispatch', ({ callId, toolId, isError, code, durationMs, content }) => {
      const ms = Math.round(durationMs);
      write({
        t: Date.now(),
        type: 'call-end',
        callId,
        toolId,
        isError,
        ...(code && { code }),
        ms,
        content: bounded(content),
      });
    }),
  ];
  return {
    write,
    close() {
      for (const stop of undo) stop();
      closeSync(file);
    },
  };
}

/** The beginning of a program's record. */
export function programEvent({ code, language }: ExecInput): TraceEvent {
  return { t: Date.now(), type: 'program', code: code.slice(0, MAX_FIELD * 8), ...(language && { language }) };
}

/** A value whole if it is small, else the beginning of its JSON text. */
function bounded(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= MAX_FIELD ? value : `${text.slice(0, MAX_FIELD)}… (${text.length} characters)`;
}
