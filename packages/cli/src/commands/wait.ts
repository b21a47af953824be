// `codeseam wait`: goes on with a run that an earlier process suspended.
import type { RunCommand } from '../command-line.ts';
import { EXIT } from '../errors.ts';
import { say } from '../io.ts';
import { canRun, withHost } from '../open-host.ts';
import { runAndShow } from '../run-and-show.ts';
import { resumeProgram } from '../run-program.ts';

export const run: RunCommand = async (args, io) => {
  return await withHost(io, { config: args.text('config'), askOnTerminal: true, check: canRun }, async (host) => {
    const codeMode = host.codeMode();
    const code = await runAndShow(args, io, host, (_trace, options) =>
      resumeProgram(codeMode, args.positionals[0]!, options),
    );
    if (code === EXIT.programFailed && !args.has('json')) {
      say(io, 'a run lives in the process that started it, unless the config has a durable store');
    }
    return code;
  });
};
