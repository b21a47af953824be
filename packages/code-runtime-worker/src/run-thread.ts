// The thread of one run: spawned with nothing of the host's, spoken to over a port of its own, and ended for good.
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { guestNames } from '@codeseam/code-runtime';
import { BusyClock } from './busy-clock.ts';
import type { ThreadEnd } from './exit-failure.ts';
import threadSource from './guest/main.ts?bundle=worker';
import { LineSplitter } from './line-splitter.ts';
import type { RunOrder, ThreadMessage } from './messages.ts';
import { readThreadMessage } from './read-thread-message.ts';
import type { WorkerRequest } from './worker-request.ts';

const MEBIBYTE = 1024 * 1024;

export interface ThreadEvents {
  readonly onMessage: (message: ThreadMessage) => void;
  /** The program was busy for longer than its `computeMs`. */
  readonly onBusy: (budgetMs: number) => void;
  /** A line that something wrote to stdout or stderr past the console. */
  readonly onText: (level: 'log' | 'error', text: string) => void;
  /** Called once, after the last message. */
  readonly onEnd: (end: ThreadEnd) => void;
}

export class RunThread {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #events: ThreadEvents;
  readonly #clock: BusyClock;
  readonly #exited: Promise<void>;

  constructor(request: WorkerRequest, program: string, events: ThreadEvents) {
    const { limits } = request;
    const channel = new MessageChannel();
    this.#events = events;
    this.#port = channel.port1;
    this.#worker = new Worker(threadSource, {
      eval: true,
      name: 'code run',
      env: {},
      // Programs are not told where the host lies.
      workerData: { hostUrl: 'file:///' },
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(limits.memoryLimitBytes / MEBIBYTE) },
    });
    this.#clock = new BusyClock(this.#worker, limits.computeMs, () => events.onBusy(limits.computeMs));
    this.#port.on('message', (data) => this.#receive(data));
    this.#port.on('messageerror', () => {});
    this.#listenForText();
    this.#exited = this.#listenForEnd();
    this.#worker.postMessage({ order: JSON.stringify(orderOf(request, program)), port: channel.port2 }, [
      channel.port2,
    ]);
  }

  get busyMs(): number {
    return this.#clock.busyMs;
  }

  /** @param deliveries JSON texts of `GuestDelivery` items. */
  send(deliveries: readonly string[]): void {
    this.#port.postMessage(`[${deliveries.join(',')}]`);
  }

  /** Ends the thread, whatever it does; resolves when it has exited. */
  async stop(): Promise<void> {
    this.#clock.stop();
    this.#port.close();
    await this.#worker.terminate();
    await this.#exited;
  }

  #receive(data: unknown): void {
    const message = readThreadMessage(data);
    if (!message) return;
    if (message.kind === 'started') this.#clock.start();
    this.#events.onMessage(message);
  }

  #listenForText(): void {
    for (const [stream, level] of [
      [this.#worker.stdout, 'log'],
      [this.#worker.stderr, 'error'],
    ] as const) {
      const lines = new LineSplitter((line) => this.#events.onText(level, line));
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => lines.add(text));
      stream.on('end', () => lines.end());
    }
  }

  #listenForEnd(): Promise<void> {
    let outOfMemory = false;
    let error: string | undefined;
    this.#worker.on('error', (cause: unknown) => {
      outOfMemory = isOutOfMemory(cause);
      error = `the program's thread failed: ${textOf(cause)}`;
    });
    return new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        // What the thread said last may still be in the port.
        for (let last = receiveMessageOnPort(this.#port); last; last = receiveMessageOnPort(this.#port))
          this.#receive(last.message);
        this.#clock.stop();
        this.#port.close();
        this.#events.onEnd({ code, outOfMemory, ...(error === undefined ? {} : { error }) });
        resolve();
      });
    });
  }
}

/** What a thread threw, in words; anything may have been thrown, and its `message` be anything. */
function textOf(cause: unknown): string {
  const { message } = Object(cause) as { message?: unknown };
  if (typeof message === 'string') return message;
  return typeof cause === 'string' ? cause : 'it threw something that is no error';
}

/** Whether Node ended the thread for its heap. A program can throw such an error too; Node tags those that crossed threads. */
function isOutOfMemory(cause: unknown): boolean {
  if (!(cause instanceof Error) || Object.hasOwn(cause, Symbol.toStringTag)) return false;
  return (cause as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function orderOf(request: WorkerRequest, program: string): RunOrder {
  return {
    program,
    prelude: request.prelude?.source ?? null,
    names: guestNames(request),
    tables: request.namespaces.map((it) => it.table.text),
    texts: [...request.globals.values()].map((it) => it.text),
  };
}
