// One worker thread as the host sees it: messages to it, claims from it, stopping what it runs, and its end.
import { Worker } from 'node:worker_threads';
import type { EngineParts } from './engine-module.ts';
import { LookOut } from './look-out.ts';
import { SIGNAL_MESSAGES, SIGNAL_STOP, SIGNAL_TURNS, SIGNAL_WORDS, type ToWorker, UNSENT_UNITS } from './messages.ts';
import { readMessage, type WorkerMessage } from './read-message.ts';
import { RecentMap } from './recent-map.ts';
import { UnsentOutput } from './unsent-output.ts';
import workerCode from './worker/main.ts?bundle=worker';

export interface WorkerThreadEvents {
  readonly onMessage: (message: WorkerMessage) => void;
  /** The thread has ended, for whatever reason. */
  readonly onExit: () => void;
}

export class WorkerThread {
  readonly #worker: Worker;
  readonly #signals = new Int32Array(new SharedArrayBuffer(SIGNAL_WORDS * 4));
  readonly #unsentUnits = new Uint16Array(new SharedArrayBuffer(UNSENT_UNITS * 2));
  readonly unsent = new UnsentOutput(this.#signals, this.#unsentUnits);
  readonly #exited: Promise<void>;
  readonly #atStart = new LookOut(START_LOOK_OUT_MS);
  readonly #atDelivery = new LookOut(DELIVERY_LOOK_OUT_MS);
  #turns = 0;
  #held = false;
  /** Which texts the thread has, kept exactly as it keeps them. */
  readonly knownTables = new RecentMap<string, true>(KEPT_TABLES);
  readonly knownGlobals = new RecentMap<string, true>(KEPT_GLOBALS);

  constructor(engine: EngineParts, events: WorkerThreadEvents) {
    this.#worker = new Worker(workerCode, {
      eval: true,
      name: 'codeseam-quickjs',
      workerData: { engine, signals: this.#signals, unsentUnits: this.#unsentUnits, hostUrl: import.meta.url },
      env: {},
      execArgv: [],
      argv: [],
      resourceLimits: { stackSizeMb: THREAD_STACK_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: unknown) => {
      this.#atStart.end();
      this.#atDelivery.end();
      const read = readMessage(message);
      if (read) events.onMessage(read);
      // Its program never says such a thing: something else speaks.
      else void this.#worker.terminate();
    });
    // An error is followed by the exit; it says nothing that a consumer could use.
    this.#worker.on('error', () => {});
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        resolve();
        events.onExit();
      });
    });
  }

  post(message: ToWorker, transfer?: ArrayBuffer[]): void {
    this.#worker.postMessage(message, transfer);
    Atomics.add(this.#signals, SIGNAL_MESSAGES, 1);
    Atomics.notify(this.#signals, SIGNAL_MESSAGES);
  }

  /** Posts a message that makes guest code run. */
  postTurn(message: ToWorker, transfer?: ArrayBuffer[]): void {
    this.#turns++;
    this.post(message, transfer);
    if (typeof message === 'string') this.#atDelivery.begin();
    else this.#atStart.begin();
  }

  /** Whether the thread has begun the turn that was posted last. */
  get hasBegun(): boolean {
    return Atomics.load(this.#signals, SIGNAL_TURNS) === this.#turns;
  }

  /** Keeps the process alive while the thread works for it. */
  hold(busy: boolean): void {
    if (busy === this.#held) return;
    this.#held = busy;
    if (busy) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Asks the thread to stop guest code of a run; the engine obeys within some thousand jumps, if it is asked at all. */
  stop(run: number): void {
    Atomics.store(this.#signals, SIGNAL_STOP, run);
  }

  /** Ends the thread whatever it does. Resolves when it has exited. */
  async terminate(): Promise<void> {
    void this.#worker.terminate();
    await this.#exited;
  }
}

/** The engine's own limit lies well below: the guest meets it first. */
const THREAD_STACK_MB = 8;
/** Somewhat longer than most first turns take, and most turns between two host calls. */
const START_LOOK_OUT_MS = 0.6;
const DELIVERY_LOOK_OUT_MS = 0.3;
/** A thread's own objects live for a turn; without a bound the engine lets their space grow to tens of megabytes. */
const YOUNG_MB = 4;
export const KEPT_TABLES = 64;
export const KEPT_GLOBALS = 16;
