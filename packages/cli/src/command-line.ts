// What a command looks like from the shell, and how its arguments are read.
import { parseArgs } from 'node:util';
import { nearestNames } from '@codeseam/nearest-names';
import { CliError } from './errors.ts';
import type { CliIo } from './io.ts';

export interface OptionSpec {
  /** What follows the flag, for help; absent: a switch. */
  value?: string;
  summary: string;
  /** The value is checked and given as a number. */
  range?: { min: number; max: number };
  /** The only values there are. */
  choices?: readonly string[];
}

export interface CommandSpec {
  name: string;
  summary: string;
  /** Names of positional arguments, `[FILE]` for one that may be missing. */
  positionals: readonly string[];
  options: Readonly<Record<string, OptionSpec>>;
  examples: readonly string[];
  /** Loads the command itself, so that help and usage errors need not wait for it. */
  load(): Promise<{ run: RunCommand }>;
}

/** Resolves with the exit code. */
export type RunCommand = (args: CommandArguments, io: CliIo) => Promise<number>;

/** Arguments after checking: text options as they were given. */
export class CommandArguments {
  readonly positionals: readonly string[];
  private readonly values: ReadonlyMap<string, string | true>;

  constructor(positionals: readonly string[], values: ReadonlyMap<string, string | true>) {
    this.positionals = positionals;
    this.values = values;
  }

  has(option: string): boolean {
    return this.values.has(option);
  }

  text(option: string): string | undefined {
    const value = this.values.get(option);
    return typeof value === 'string' ? value : undefined;
  }

  number(option: string): number | undefined {
    const value = this.text(option);
    return value === undefined ? undefined : Number(value);
  }
}

/** Reads the arguments of one command. Throws `CliError` `USAGE` with what is wrong and the nearest real flag. */
export function parseCommand(spec: CommandSpec, argv: readonly string[]): CommandArguments {
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(spec.options).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]),
    ),
  });
  const positionals: string[] = [];
  const values = new Map<string, string | true>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    else if (token.kind === 'option') values.set(...checkOption(spec, token, values));
  }
  checkPositionals(spec, positionals);
  return new CommandArguments(positionals, values);
}

/**
 * The command word put first, for those who write options before it: `--config a.yml exec` is `exec --config a.yml`.
 * Unchanged where there is no such word.
 */
export function commandFirst(argv: readonly string[], commands: readonly CommandSpec[]): readonly string[] {
  if (argv[0]?.startsWith('--') !== true) return argv;
  const takesValue = (flag: string) =>
    commands.some(({ options }) => flag.startsWith('--') && options[flag.slice(2)]?.value !== undefined);
  for (let index = 0; index < argv.length && argv[index] !== '--'; index++) {
    const word = argv[index]!;
    if (takesValue(word)) index++;
    else if (commands.some(({ name }) => name === word))
      return [word, ...argv.slice(0, index), ...argv.slice(index + 1)];
  }
  return argv;
}

function checkOption(
  spec: CommandSpec,
  token: { name: string; rawName: string; value: string | undefined; inlineValue: boolean | undefined },
  seen: ReadonlyMap<string, unknown>,
): [string, string | true] {
  const { name, rawName, value, inlineValue } = token;
  const option = Object.hasOwn(spec.options, name) && rawName === `--${name}` ? spec.options[name]! : undefined;
  if (!option) {
    const near = nearestNames(name, Object.keys(spec.options))[0];
    throw usage(spec, `unknown option ${rawName}${near === undefined ? '' : ` (did you mean --${near}?)`}`);
  }
  if (seen.has(name)) throw usage(spec, `--${name} is given twice`);
  if (!option.value) {
    if (value !== undefined) throw usage(spec, `--${name} takes no value`);
    return [name, true];
  }
  const isNextFlag = !inlineValue && value?.startsWith('--') && Object.hasOwn(spec.options, value.slice(2));
  if (value === undefined || isNextFlag) throw usage(spec, `--${name} needs a value: --${name} ${option.value}`);
  if (option.choices && !option.choices.includes(value)) {
    throw usage(spec, `--${name} must be ${option.choices.join(' or ')}, got ${JSON.stringify(value)}`);
  }
  if (option.range) checkRange(spec, name, value, option.range);
  return [name, value];
}

function checkRange(spec: CommandSpec, name: string, value: string, { min, max }: { min: number; max: number }): void {
  if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return;
  throw usage(spec, `--${name} must be a whole number from ${min} to ${max}, got ${JSON.stringify(value)}`);
}

function checkPositionals(spec: CommandSpec, given: readonly string[]): void {
  const required = spec.positionals.filter((name) => !name.startsWith('['));
  if (given.length < required.length) throw usage(spec, `${required[given.length]} is missing`);
  if (given.length > spec.positionals.length) {
    throw usage(spec, `unexpected argument ${JSON.stringify(given[spec.positionals.length])}`);
  }
}

function usage(spec: CommandSpec, message: string): CliError {
  return new CliError('USAGE', `codeseam ${spec.name}: ${message}`, `codeseam ${spec.name} --help`);
}
