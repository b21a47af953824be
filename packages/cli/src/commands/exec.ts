// `codeseam exec`: runs one program against the configured tools.
import type { CodeModeOutput, CodeModeResult } from '@codeseam/code-mode';
import type { CommandArguments, CommandSpec } from '../command-line.ts';
import { EXIT } from '../errors.ts';
import { type CliIo, say, writeJson } from '../io.ts';
import { showLiveCalls } from '../live-calls.ts';
import { type Host, withHost } from '../open-host.ts';
import { readProgram } from '../read-program.ts';
import { type RunProgramOptions, resumeProgram, runProgram } from '../run-program.ts';
import { showEnd, showOutput } from '../show-result.ts';
import { openTrace, programEvent, type TraceFile } from '../trace-file.ts';
import { CONFIG_OPTION, JSON_OPTION } from './shared-options.ts';

const RUN_OPTIONS = {
  config: CONFIG_OPTION,
  timeout: { value: 'MS', summary: 'end the program after that long', range: { min: 1, max: 2_147_483_647 } },
  'no-wait': { summary: 'do not wait for a program that is suspended; print its run id' },
  trace: { value: 'FILE', summary: 'record the program, its calls and its result as JSON lines' },
  json: JSON_OPTION,
} as const;

export const exec: CommandSpec = {
  name: 'exec',
  summary: 'run one program against the configured tools',
  positionals: ['[FILE]'],
  options: {
    code: { value: 'TEXT', summary: 'the program itself, instead of a FILE or - for stdin' },
    language: {
      value: 'LANGUAGE',
      summary: 'of the program; default: by the name of FILE, else found out',
      choices: ['ts', 'js'],
    },
    ...RUN_OPTIONS,
  },
  examples: [
    "codeseam exec --code 'return ALL_TOOLS.length'",
    'codeseam exec program.ts --config cordis.yml --json',
    "echo 'return 6 * 7' | codeseam exec -",
  ],
  async run(args, io) {
    const input = await readProgram(args, io);
    return await withHost(io, { config: args.text('config'), askOnTerminal: true }, async (host) => {
      const codeMode = host.codeMode();
      return await runAndShow(args, io, host, (trace, options) => {
        trace?.write(programEvent(input));
        return runProgram(codeMode, input, options);
      });
    });
  },
};

export const wait: CommandSpec = {
  name: 'wait',
  summary: 'go on with a run that an earlier process suspended (needs a durable store)',
  positionals: ['RUN_ID'],
  options: RUN_OPTIONS,
  examples: ['codeseam wait run_4f0c --config cordis.yml'],
  async run(args, io) {
    return await withHost(io, { config: args.text('config'), askOnTerminal: true }, async (host) => {
      const codeMode = host.codeMode();
      return await runAndShow(args, io, host, (_trace, options) =>
        resumeProgram(codeMode, args.positionals[0]!, options),
      );
    });
  },
};

type Start = (trace: TraceFile | undefined, options: RunProgramOptions) => Promise<CodeModeResult>;

async function runAndShow(args: CommandArguments, io: CliIo, host: Host, start: Start): Promise<number> {
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
