// `codeseam exec`: runs one program against the configured tools.
import type { RunCommand } from '../command-line.ts';
import { withHost } from '../open-host.ts';
import { readProgram } from '../read-program.ts';
import { runAndShow } from '../run-and-show.ts';
import { runProgram } from '../run-program.ts';
import { programEvent } from '../trace-file.ts';

export const run: RunCommand = async (args, io) => {
  const input = await readProgram(args, io);
  return await withHost(io, { config: args.text('config'), askOnTerminal: true }, async (host) => {
    const codeMode = host.codeMode();
    host.checkRuntime();
    return await runAndShow(args, io, host, (trace, options) => {
      trace?.write(programEvent(input));
      return runProgram(codeMode, input, options);
    });
  });
};
