// Runs a program and shows what comes of it: shared by `exec` and `wait`.
import type { CodeModeOutput, CodeModeResult } from '@codeseam/code-mode';
import type { CommandArguments } from './command-line.ts';
import { EXIT } from './errors.ts';
import { type CliIo, say, writeJson } from './io.ts';
import { showLiveCalls } from './live-calls.ts';
import type { Host } from './open-host.ts';
import type { RunProgramOptions } from './run-program.ts';
import { showEnd, showOutput } from './show-result.ts';
import { openTrace, type TraceFile } from './trace-file.ts';

type Start = (trace: TraceFile | undefined, options: RunProgramOptions) => Promise<CodeModeResult>;

/** Starts a program with its trace and live view, and shows its end. Resolves with the exit code. */
export async function runAndShow(args: CommandArguments, io: CliIo, host: Host, start: Start): Promise<number> {
  const tools = host.tools();
  const asJson = args.has('json');
  const path = args.text('trace');
  const trace = path === undefined ? undefined : openTrace(io, path, tools);
  const stopShowing = asJson ? undefined : showLiveCalls(tools, io, host.isAsking);
  const earlier: CodeModeOutput[] = [];
  try {
    const result = await start(trace, {
      signal: io.interrupt,
      timeoutMs: args.number('timeout'),
      noWait: args.has('no-wait'),
      onWaiting(waiting) {
        if (asJson) earlier.push(...(waiting.output ?? []));
        else showOutput(waiting.output, io);
      },
    });
    stopShowing?.();
    const whole = earlier.length > 0 ? { ...result, output: [...earlier, ...(result.output ?? [])] } : result;
    trace?.write({ t: Date.now(), type: 'result', result: whole });
    if (io.interrupt.aborted) return EXIT.interrupted;
    return show(whole, asJson, io);
  } finally {
    stopShowing?.();
    trace?.close();
  }
}

function show(result: CodeModeResult, asJson: boolean, io: CliIo): number {
  if (asJson) {
    writeJson(io, result);
    return result.status === 'failed' ? EXIT.programFailed : EXIT.ok;
  }
  showOutput(result.output, io);
  if (result.status !== 'waiting') return showEnd(result, io);
  io.stdout.write(`${result.runId}\n`);
  for (const call of result.pendingToolCalls)
    say(io, `pending ${call.tool} ${call.args}${call.approval ? ' (approval)' : ''}`);
  return EXIT.ok;
}
