// A terminal that is not there: gives tests what a command read and wrote.
import { PassThrough, Readable, Writable } from 'node:stream';
import type { CliIo } from './io.ts';
import { runCli } from './run-cli.ts';

class Capture extends Writable {
  text = '';
  isTTY = false;
  columns = 100;
  onText: ((text: string) => void) | undefined;
  override _write(chunk: Buffer | string, _encoding: unknown, done: () => void): void {
    this.text += chunk.toString();
    this.onText?.(this.text);
    done();
  }
}

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliTestOptions {
  stdin?: string;
  env?: Record<string, string>;
  cwd?: string;
  interrupt?: AbortSignal;
  /** Called with all of stderr so far. */
  onStderr?: (text: string) => void;
  /** Whether stderr is a terminal. */
  isTerminal?: boolean;
}

/** Runs one command line in this process. */
export async function runCliForTest(argv: readonly string[], options: CliTestOptions = {}): Promise<CliRun> {
  const stdout = new Capture();
  const stderr = new Capture();
  stderr.isTTY = options.isTerminal ?? false;
  stderr.onText = options.onStderr;
  const io: CliIo = {
    stdin: options.stdin === undefined ? new PassThrough() : Readable.from([options.stdin]),
    stdout,
    stderr,
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    interrupt: options.interrupt ?? new AbortController().signal,
  };
  const code = await runCli(argv, io);
  return { code, stdout: stdout.text, stderr: stderr.text };
}
