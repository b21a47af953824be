// Runs a program and shows what comes of it: shared by `exec` and `wait`.
import type { CodeModeOutput, CodeModeResult, WaitingResult } from '@codeseam/code-mode';
import type { CommandArguments } from './command-line.ts';
import { EXIT } from './errors.ts';
import { type CliIo, say, writeJson } from './io.ts';
import { showLiveCalls } from './live-calls.ts';
import type { Host } from './open-host.ts';
import { restoreCuts } from './restore-cuts.ts';
import type { RunProgramOptions } from './run-program.ts';
import { showEnd, showOutput } from './show-result.ts';
import { openTrace, type TraceFile } from './trace-file.ts';

type Start = (trace: TraceFile | undefined, options: RunProgramOptions) => Promise<CodeModeResult>;

/** Starts a program with its trace and live view, and shows its end. Resolves with the exit code. */
export async function runAndShow(args: CommandArguments, io: CliIo, host: Host, start: Start): Promise<number> {
  const tools = host.tools();
  const codeMode = host.codeMode();
  const whole = (result: CodeModeResult) => (args.has('full') ? restoreCuts(result, codeMode) : result);
  const asJson = args.has('json');
  const path = args.text('trace');
  const trace = path === undefined ? undefined : openTrace(io, path, tools);
  const stopShowing = asJson ? undefined : showLiveCalls(tools, io, host.isAsking);
  const earlier: CodeModeOutput[] = [];
  try {
    const last = await start(trace, {
      signal: io.interrupt,
      timeoutMs: args.number('timeout'),
      noWait: args.has('no-wait'),
      onWaiting(waiting) {
        const { output } = whole(waiting);
        if (asJson) earlier.push(...(output ?? []));
        else showOutput(output, io);
      },
    });
    stopShowing?.();
    const ended = whole(last);
    const result = earlier.length > 0 ? { ...ended, output: [...earlier, ...(ended.output ?? [])] } : ended;
    trace?.write({ t: Date.now(), type: 'result', result });
    if (io.interrupt.aborted) return EXIT.interrupted;
    return show(result, asJson, io);
  } finally {
    stopShowing?.();
    trace?.close();
  }
}

function show(result: CodeModeResult, asJson: boolean, io: CliIo): number {
  if (asJson) writeJson(io, result);
  else showOutput(result.output, io);
  if (result.status === 'waiting') return showWaiting(result, asJson, io);
  if (!asJson) return showEnd(result, io);
  return result.status === 'failed' ? EXIT.programFailed : EXIT.ok;
}

/** The run is held by this process, which ends now: its program has not come to its end. */
function showWaiting({ runId, pendingToolCalls }: WaitingResult, asJson: boolean, io: CliIo): number {
  if (!asJson) {
    io.stdout.write(`${runId}\n`);
    for (const { tool, args, approval } of pendingToolCalls) {
      say(io, `pending ${tool} ${args}${approval ? ' (approval)' : ''}`);
    }
  }
  say(
    io,
    `run ${runId} ends with this process, unfinished: it is kept in memory; without --no-wait exec stays until the end`,
  );
  return EXIT.programFailed;
}
