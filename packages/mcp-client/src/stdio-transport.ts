// An MCP transport over a child process, made for servers as they are: noise on stdout, floods on stderr, grandchildren.
import { existsSync } from 'node:fs';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { sleep } from './backoff.ts';
import { McpClientError } from './errors.ts';
import { LineSplitter } from './line-splitter.ts';
import { endGroup, type PipedChild, spawnGroup } from './process-group.ts';
import { servingChain } from './self-upstream.ts';

/** One message of a server may be this long: 64 MiB. (A list of 1,274 tools is 3.1 MB in one line.) */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_LINE_BYTES = 16 * 1024;
/** Enough for a stack trace and what was said before it. */
const KEPT_LINES = 100;
const KEPT_LINE_LENGTH = 1_000;

export interface StdioTransportOptions {
  command: string;
  args?: readonly string[];
  /** Added to the minimal environment (on POSIX: HOME, LOGNAME, PATH, SHELL, TERM, USER). */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** Each line of the child's stderr, cut at 16 KiB. */
  onStderr?: (line: string) => void;
  /** A stdout line that is no JSON-RPC message. */
  onNoise?: (line: string) => void;
}

/** Talks to a child process by newline-delimited JSON. `close` also ends what the child has started. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: StdioTransportOptions;
  #child: PipedChild | undefined;
  #ending: Promise<void> | undefined;
  #closed = false;
  /** Resolves when the process has ended and all it said is read. */
  #drained: Promise<void> = Promise.resolve();
  readonly #stderrLines: string[] = [];
  readonly #noiseLines: string[] = [];
  #exit: string | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The last lines of stderr, or of what stdout had that is no message: where a process says why it ended. */
  get lastLines(): readonly string[] {
    return this.#stderrLines.length > 0 ? this.#stderrLines : this.#noiseLines;
  }

  /** How the process ended (`exit code 1`, `signal SIGSEGV`), once it has. */
  get exitText(): string | undefined {
    return this.#exit;
  }

  async start(): Promise<void> {
    if (this.#child !== undefined) throw new Error('this transport has been started already');
    const { command, args = [], cwd } = this.#options;
    const child = spawnGroup(command, args, {
      env: { ...getDefaultEnvironment(), ...servingChain(), ...this.#options.env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#child = child;
    this.#read(child);
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.on('exit', (code, signal) => {
      this.#exit = signal === null ? `exit code ${code}` : `signal ${signal}`;
    });
    this.#drained = new Promise((resolve) => child.once('close', () => resolve()));
    child.on('close', () => void this.close());
    // Where a grandchild keeps the pipes open `close` never comes: what is still unread gets a moment, then the group ends.
    child.on('exit', () => setTimeout(() => void this.close(), 200).unref());
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        reject(startError(error, command, cwd));
        void this.close();
      });
    });
  }

  /** Waits for a process that is about to end to say why; no longer than `ms`. */
  async lastWords(ms: number): Promise<void> {
    const giveUp = new AbortController();
    await Promise.race([this.#drained, sleep(ms, giveUp.signal)]);
    giveUp.abort();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.#closed || !stdin.writable) {
      throw new McpClientError('NOT_CONNECTED', 'the server process has ended');
    }
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!error) resolve();
        else reject(new McpClientError('NOT_CONNECTED', 'the server process reads nothing any more', { cause: error }));
      });
    });
  }

  /** Ends the process and its group. Open requests fail at once; resolves when the processes are gone. Idempotent. */
  close(): Promise<void> {
    if (this.#ending === undefined) {
      this.#closed = true;
      this.#ending = this.#child === undefined ? Promise.resolve() : endGroup(this.#child);
      this.onclose?.();
    }
    return this.#ending;
  }

  #read(child: PipedChild): void {
    const stdout = new LineSplitter({
      maxLineBytes: MAX_LINE_BYTES,
      onLine: (line) => this.#takeLine(line),
      onTooLong: (bytes) => {
        this.onerror?.(new McpClientError('INVALID_RESULT', `a message of over ${bytes} bytes was dropped`));
      },
    });
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stdout.on('end', () => stdout.end());
    child.stdout.on('error', (error) => this.onerror?.(error));
    const stderr = new LineSplitter({
      maxLineBytes: MAX_STDERR_LINE_BYTES,
      onLine: (line) => this.#takeStderr(line),
      onTooLong: (bytes) => this.#takeStderr(`[a line of over ${bytes} bytes]`),
    });
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stderr.on('end', () => stderr.end());
    child.stderr.on('error', () => {});
  }

  #takeLine(line: string): void {
    if (this.#closed || line.trim() === '') return;
    const message = readMessage(line);
    if (message === undefined) {
      keepLine(this.#noiseLines, line);
      this.#options.onNoise?.(line.slice(0, 500));
    } else this.onmessage?.(message);
  }

  #takeStderr(line: string): void {
    if (line.trim() === '') return;
    keepLine(this.#stderrLines, line);
    this.#options.onStderr?.(line);
  }
}

function keepLine(lines: string[], line: string): void {
  lines.push(line.slice(0, KEPT_LINE_LENGTH));
  if (lines.length > KEPT_LINES) lines.shift();
}

/** The message in a line; undefined for anything else, valid JSON log records too. */
function readMessage(line: string): JSONRPCMessage | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return parseJSONRPCMessage(parsed);
  } catch {
    return undefined;
  }
}

function startError(error: NodeJS.ErrnoException, command: string, cwd: string | undefined): McpClientError {
  const options = { cause: error };
  // Node says ENOENT of the command for a folder that is not there, too.
  if (error.code === 'ENOENT' && cwd !== undefined && !existsSync(cwd)) {
    const message = `could not start "${command}": its folder ${cwd} does not exist`;
    return new McpClientError('START_FAILED', message, { ...options, hint: 'correct cwd' });
  }
  const [why, hint] = START_ERRORS[error.code ?? ''] ?? [error.message];
  const message = `could not start "${command}": ${why}`;
  return new McpClientError('START_FAILED', message, { ...options, ...(hint === undefined ? {} : { hint }) });
}

const START_ERRORS: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOENT: ['there is no such command', 'install it, or give its whole path as command'],
  EACCES: [
    'this user may not execute it',
    'make the file executable (chmod +x), or give the program that runs it as command',
  ],
};
