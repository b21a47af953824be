// Where the program of `exec` comes from, and in which language.
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { ExecInput } from '@codeseam/code-mode';
import { describeFileProblem } from '@codeseam/cordis-loader';
import type { CommandArguments } from './command-line.ts';
import { CliError } from './errors.ts';
import { type CliIo, readStdin } from './io.ts';

const LANGUAGES = { ts: 'typescript', js: 'javascript' } as const;
const EXTENSIONS: Record<string, 'typescript' | 'javascript'> = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.js': 'javascript',
  '.mjs': 'javascript',
};

/** The program from `--code`, a file or stdin (`-`). Throws `CliError` for none, more than one, or a file that is not there. */
export async function readProgram(args: CommandArguments, io: CliIo): Promise<ExecInput> {
  const [file] = args.positionals;
  const text = args.text('code');
  if (text !== undefined && file !== undefined) throw new CliError('USAGE', 'give a FILE or --code, not both');
  const given = LANGUAGES[args.text('language') as keyof typeof LANGUAGES];
  const language = given ?? (file === undefined ? undefined : EXTENSIONS[extname(file).toLowerCase()]);
  const code = text ?? (await readSource(file, io));
  if (code.trim() === '') throw new CliError('INPUT', 'the program is empty');
  return { code, ...(language && { language }) };
}

async function readSource(file: string | undefined, io: CliIo): Promise<string> {
  if (file === undefined)
    throw new CliError('USAGE', 'no program: give a FILE, - for stdin, or --code TEXT', 'codeseam exec --help');
  if (file === '-') return await readStdin(io);
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new CliError('INPUT', `cannot read ${file}: ${describeFileProblem(error, file, 'read')}`);
  }
}
