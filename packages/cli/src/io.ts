// What a command reads and writes: streams, environment, folder, and the person's interrupt.
import type { Readable, Writable } from 'node:stream';

export interface CliIo {
  stdin: Readable & { isTTY?: boolean };
  /** Data, and nothing else. */
  stdout: Writable & { isTTY?: boolean; columns?: number };
  /** Everything else. */
  stderr: Writable & { isTTY?: boolean; columns?: number };
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Aborted by the person's interrupt. */
  interrupt: AbortSignal;
}

/** The process's own streams; SIGINT and SIGTERM interrupt, and a second one ends the process at once. */
export function processIo(): CliIo {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
  }
  // A reader that closes the pipe early (`| head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, cwd: process.cwd(), interrupt: controller.signal };
}

/** Whether colours and progress may be shown: a terminal, and nobody said no. */
export function isLively(io: CliIo): boolean {
  return io.stderr.isTTY === true && !io.env['NO_COLOR'] && io.env['TERM'] !== 'dumb';
}

/** One JSON document on stdout. */
export function writeJson(io: CliIo, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** One line on stderr. */
export function say(io: CliIo, line: string): void {
  io.stderr.write(`${line}\n`);
}

export type Paint = (text: string, style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan') => string;

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

/** Colours a text if the stream is a terminal. */
export function painter(isOn: boolean): Paint {
  return (text, style) => (isOn ? `\x1b[${CODES[style]}m${text}\x1b[0m` : text);
}

/** All of stdin as text. */
export async function readStdin(io: CliIo): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk as string | Buffer));
  return Buffer.concat(chunks).toString('utf8');
}
