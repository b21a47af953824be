// Gives runs their turns on the worker threads: a fair queue, one run on a thread at a time, and dead threads replaced.
import { CodeRuntimeError } from '@codeseam/code-runtime';
import type { RunSurroundings, ToWorker, WorkerLimits } from './messages.ts';
import type { WorkerMessage } from './read-message.ts';
import type { QuickJsRun, RunHost } from './run.ts';
import { baseKey, runSetup } from './run-setup.ts';
import { WorkerThread } from './worker-thread.ts';

interface Desk {
  thread: WorkerThread;
  run: QuickJsRun | undefined;
  /** When the turn under way must have ended, else the thread is. */
  killAt: number;
  killReason: 'timeout' | 'abort' | undefined;
}

/** A turn may outlast its budget by this much before its thread is ended. */
const OVERRUN_MS = 500;
/** A run that was cancelled gets this long to notice. */
const STOP_GRACE_MS = 250;
const WATCH_MS = 50;

export interface SchedulerOptions {
  readonly module: WebAssembly.Module;
  readonly workers: number;
}

export class Scheduler implements RunHost {
  readonly #options: SchedulerOptions;
  readonly #desks = new Set<Desk>();
  readonly #places = new Map<QuickJsRun, Desk>();
  readonly #programs = new Map<QuickJsRun, { program: string; language: string | undefined }>();
  #queue = new Set<QuickJsRun>();
  #watch: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#addDesk();
  }

  /** Runs that wait for a thread. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Takes a new run. */
  add(run: QuickJsRun, program: { program: string; language: string | undefined }): void {
    this.#programs.set(run, program);
    this.ready(run);
  }

  ready(run: QuickJsRun): void {
    const desk = this.#places.get(run);
    if (desk) {
      this.#turn(desk, run, { kind: 'deliver', run: run.id, items: run.takeDeliveries(), limits: limitsOf(run) });
      return;
    }
    this.#queue.add(run);
    this.#assign();
  }

  gone(run: QuickJsRun): void {
    this.#queue.delete(run);
    this.#programs.delete(run);
    const desk = this.#places.get(run);
    if (!desk) return;
    this.#places.delete(run);
    if (run.busy) {
      // Its thread is still in guest code: ask it to stop, and end it if it does not.
      desk.thread.stop(run.id);
      desk.killAt = Math.min(desk.killAt, performance.now() + STOP_GRACE_MS);
      return;
    }
    desk.thread.post({ kind: 'drop', run: run.id });
    this.#free(desk);
  }

  /** Ends all threads. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    clearInterval(this.#watch);
    await Promise.all([...this.#desks].map((desk) => desk.thread.terminate()));
  }

  #assign(): void {
    while (this.#queue.size > 0) {
      const desk = this.#idleDesk();
      if (!desk) return;
      const [run] = this.#queue;
      this.#queue.delete(run!);
      this.#seat(desk, run!);
    }
  }

  #idleDesk(): Desk | undefined {
    for (const desk of this.#desks) if (!desk.run) return desk;
    return this.#desks.size < this.#options.workers ? this.#addDesk() : undefined;
  }

  #seat(desk: Desk, run: QuickJsRun): void {
    desk.run = run;
    this.#places.set(run, desk);
    const program = this.#programs.get(run)!;
    this.#programs.delete(run);
    this.#turn(desk, run, {
      kind: 'start',
      ...surroundingsOf(desk.thread, run),
      ...program,
      setup: runSetup(run.surroundings),
    } as ToWorker);
  }

  #turn(desk: Desk, run: QuickJsRun, message: ToWorker): void {
    run.turnBegins();
    desk.killAt = performance.now() + run.computeLeftMs + OVERRUN_MS;
    desk.thread.hold(true);
    desk.thread.post(message);
    this.#watch ??= setInterval(() => this.#endOverruns(), WATCH_MS).unref();
  }

  #free(desk: Desk): void {
    desk.run = undefined;
    desk.killAt = Number.POSITIVE_INFINITY;
    desk.thread.hold(false);
    this.#assign();
    if ([...this.#desks].every((it) => !it.run)) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
  }

  #hear(desk: Desk, message: WorkerMessage): void {
    const { run } = desk;
    if (!run || message.run !== run.id) return;
    switch (message.kind) {
      case 'output':
        run.output(message.items);
        return;
      case 'turn': {
        desk.killAt = Number.POSITIVE_INFINITY;
        desk.thread.hold(false);
        run.busy = false;
        if (run.ended) {
          // It ended while its turn went on.
          if (!message.report.end) desk.thread.post({ kind: 'drop', run: run.id });
          this.#free(desk);
          return;
        }
        if (message.report.end) {
          this.#places.delete(run);
          this.#free(desk);
        }
        run.turnEnds(message.report, message.texts);
        return;
      }
      case 'misuse':
        run.busy = false;
        this.#places.delete(run);
        this.#free(desk);
        run.refuse(new CodeRuntimeError('invalid-request', message.message));
        return;
      case 'parked':
        return;
    }
  }

  #addDesk(): Desk {
    const desk: Desk = {
      thread: undefined as never,
      run: undefined,
      killAt: Number.POSITIVE_INFINITY,
      killReason: undefined,
    };
    desk.thread = new WorkerThread(this.#options.module, {
      onMessage: (message) => this.#hear(desk, message),
      onExit: () => this.#lose(desk),
    });
    this.#desks.add(desk);
    return desk;
  }

  /** A thread has ended: its run fails, and a new thread takes its place when one is wanted. */
  #lose(desk: Desk): void {
    this.#desks.delete(desk);
    const { run } = desk;
    if (run) {
      this.#places.delete(run);
      run.threadDied(
        desk.killReason === 'timeout'
          ? {
              kind: 'timeout',
              message: 'the program was busy for longer than its computeMs',
              hint: 'do less work in one program; waiting on host calls does not count',
            }
          : { kind: 'worker-exit', message: 'the thread that ran the program has died' },
      );
    }
    if (!this.#disposed) this.#assign();
  }

  #endOverruns(): void {
    const now = performance.now();
    for (const desk of this.#desks) {
      if (now <= desk.killAt) continue;
      desk.killAt = Number.POSITIVE_INFINITY;
      desk.killReason = 'timeout';
      void desk.thread.terminate();
    }
  }
}

function limitsOf(run: QuickJsRun): WorkerLimits {
  return {
    computeMs: run.computeLeftMs,
    memoryLimitBytes: run.surroundings.limits.memoryLimitBytes,
    outputBytes: run.outputLeftBytes,
  };
}

/** What a thread needs to give the run a VM, without the texts that it has already. */
function surroundingsOf(thread: WorkerThread, run: QuickJsRun): RunSurroundings {
  const { namespaces, globals, prelude } = run.surroundings;
  return {
    run: run.id,
    base: { key: baseKey(prelude), prelude: prelude?.source },
    namespaces: namespaces.map(({ global, table }) => ({
      global,
      hash: table.hash,
      ...unlessKnown(thread.knownTables, table),
    })),
    globals: [...globals].map(([name, text]) => ({ name, hash: text.hash, ...unlessKnown(thread.knownGlobals, text) })),
    limits: limitsOf(run),
  };
}

function unlessKnown(
  known: WorkerThread['knownTables'],
  { hash, text }: { hash: string; text: string },
): { text?: string } {
  const has = known.get(hash);
  known.set(hash, true);
  return has ? {} : { text };
}
