// An MCP transport over a child process, made for servers as they are: noise on stdout, floods on stderr, grandchildren.
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { McpClientError } from './errors.ts';
import { LineSplitter } from './line-splitter.ts';
import { endGroup, type PipedChild, spawnGroup } from './process-group.ts';
import { servingChain } from './self-upstream.ts';

/** One message of a server may be this long: 64 MiB. (A list of 1,274 tools is 3.1 MB in one line.) */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_LINE_BYTES = 16 * 1024;
const STDERR_TAIL_LINES = 20;

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
  readonly #stderrTail: string[] = [];
  #exit: string | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The last lines of stderr, for error messages. */
  get stderrTail(): readonly string[] {
    return this.#stderrTail;
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

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.#closed || !stdin.writable) {
      throw new McpClientError('NOT_CONNECTED', 'the server process has ended');
    }
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
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
    if (message === undefined) this.#options.onNoise?.(line.slice(0, 500));
    else this.onmessage?.(message);
  }

  #takeStderr(line: string): void {
    if (line.trim() === '') return;
    this.#stderrTail.push(line);
    if (this.#stderrTail.length > STDERR_TAIL_LINES) this.#stderrTail.shift();
    this.#options.onStderr?.(line);
  }
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
  const hints: Record<string, string> = {
    ENOENT: `is "${command}" installed and on PATH${cwd === undefined ? '' : `, and does the folder ${cwd} exist`}?`,
    EACCES: `"${command}" may not be executed by this user`,
  };
  const hint = hints[error.code ?? ''];
  return new McpClientError('START_FAILED', `could not start "${command}": ${error.message}`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}
