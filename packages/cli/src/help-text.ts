// The help that `codeseam --help` and `codeseam COMMAND --help` print.
import type { CommandSpec, OptionSpec } from './command-line.ts';

/** One line for each command. */
export function generalHelp(commands: readonly CommandSpec[]): string {
  const rows = commands.map((command): [string, string] => [usageOf(command), command.summary]);
  return [
    'codeseam: code mode for AI agents. The model writes one program; only what it returns goes back.',
    '',
    'Usage: codeseam COMMAND [options]',
    '',
    table([...rows, ['help [COMMAND]', 'show this, or the options of a command and examples']]),
    '',
    'Options:',
    table([
      ['--help', 'show this'],
      ['--version', 'print the version'],
    ]),
    '',
    'codeseam COMMAND --help shows the options of a command and examples.',
    'Without --config, ./cordis.yml is used, else a built-in composition without tools.',
    'CODESEAM_TOKEN: the token that serve --http asks of clients. CODESEAM_DEBUG=1: all that plugins and servers log.',
    'Exit codes: 0 fine, 1 the program failed, 2 wrong usage or config, 130 interrupted.',
    '',
  ].join('\n');
}

/** Options and examples of one command. */
export function commandHelp(command: CommandSpec): string {
  const options = Object.entries(command.options).map(([name, option]): [string, string] => [
    `--${name}${option.value ? ` ${option.value}` : ''}`,
    describeOption(option),
  ]);
  const parts = [`codeseam ${command.name}: ${command.summary}`, '', `Usage: codeseam ${usageOf(command)} [options]`];
  if (options.length > 0) parts.push('', 'Options:', table([...options, ['--help', 'show this']]));
  if (command.examples.length > 0) parts.push('', 'Examples:', ...command.examples.map((line) => `  ${line}`));
  return `${parts.join('\n')}\n`;
}

function describeOption({ summary, range, choices }: OptionSpec): string {
  if (choices) return `${summary} (${choices.join(', ')})`;
  return range ? `${summary} (${range.min} to ${range.max})` : summary;
}

function usageOf(command: CommandSpec): string {
  return [command.name, ...command.positionals].join(' ');
}

function table(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
