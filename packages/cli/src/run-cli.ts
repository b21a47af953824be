// One call of `codeseam`: finds the command, runs it, turns failures into a line and an exit code.
import { nearestNames } from '@codeseam/nearest-names';
import { type CommandSpec, commandFirst, parseCommand } from './command-line.ts';
import { commands } from './commands/index.ts';
import { CliError, EXIT, messageOf } from './errors.ts';
import { commandHelp, generalHelp } from './help-text.ts';
import { type CliIo, isLively, painter, say } from './io.ts';
import { version } from './version.ts';

/** Runs one command line. Resolves with the exit code; never rejects. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    return report(error, io);
  }
}

async function dispatch(argv: readonly string[], io: CliIo): Promise<number> {
  const [name, ...rest] = commandFirst(argv, commands);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    // Asked for, help is data; shown in answer to nothing, it is a message.
    const stream = name === undefined ? io.stderr : io.stdout;
    const topic = rest.find((word) => !word.startsWith('-'));
    stream.write(topic === undefined ? generalHelp(commands) : commandHelp(findCommand(topic)));
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  if (name === '--version' || name === '-v' || name === '-V') {
    io.stdout.write(`${version}\n`);
    return EXIT.ok;
  }
  if (name.startsWith('-')) {
    throw new CliError('USAGE', `${name} needs a command before or after it`, 'codeseam --help lists the commands');
  }
  const command = findCommand(name);
  if (asksForHelp(rest)) {
    io.stdout.write(commandHelp(command));
    return EXIT.ok;
  }
  const args = parseCommand(command, rest);
  const { run } = await command.load();
  return await run(args, io);
}

function findCommand(name: string): CommandSpec {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const names = commands.map((candidate) => candidate.name);
  const near = nearestNames(name, names)[0];
  const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
  throw new CliError('USAGE', `unknown command ${JSON.stringify(name)}`, hint);
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((argument) => argument === '--help' || argument === '-h');
}

function report(error: unknown, io: CliIo): number {
  const paint = painter(isLively(io));
  const hint = (error as { hint?: unknown }).hint;
  say(io, `${paint('error:', 'red')} ${messageOf(error)}`);
  if (typeof hint === 'string') say(io, `${paint('hint:', 'dim')} ${hint}`);
  if (error instanceof CliError) return error.exitCode;
  // By its name: loading the loader for it would slow down every mistyped flag.
  if (error instanceof Error && error.name === 'LoaderError') return EXIT.usage;
  if (io.interrupt.aborted) return EXIT.interrupted;
  if (io.env['CODESEAM_DEBUG'] && error instanceof Error) say(io, error.stack ?? '');
  return EXIT.programFailed;
}
