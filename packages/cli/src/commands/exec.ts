// `codeseam exec`: runs one program against the configured tools.
import type { RunCommand } from '../command-line.ts';
import { canRun, withHost } from '../open-host.ts';
import { readProgram } from '../read-program.ts';
import { runAndShow } from '../run-and-show.ts';
import { runProgram } from '../run-program.ts';
import { programEvent } from '../trace-file.ts';

export const run: RunCommand = async (args, io) => {
  const input = await readProgram(args, io);
  const options = { config: args.text('config'), askOnTerminal: true, check: canRun };
  return await withHost(io, options, async (host) => {
    const codeMode = host.codeMode();
    return await runAndShow(args, io, host, (trace, options) => {
      trace?.write(programEvent(input));
      return runProgram(codeMode, input, options);
    });
  });
};
