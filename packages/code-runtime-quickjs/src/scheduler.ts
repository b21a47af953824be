// Gives runs their turns on the worker threads: a fair queue, one unparked run on a thread, waiting ones parked when
// others want the thread, and dead threads replaced.
import { CodeRuntimeError } from '@codeseam/code-runtime';
import { Desk } from './desk.ts';
import type { EngineParts } from './engine-module.ts';
import { type RunSurroundings, type ToWorker, writeDelivery } from './messages.ts';
import type { WorkerMessage } from './read-message.ts';
import type { QuickJsRun, RunHost } from './run.ts';
import { surroundingsOf } from './run-setup.ts';
import { WaitHistory } from './wait-history.ts';
import { WorkerThread } from './worker-thread.ts';

const WATCH_MS = 50;
/** While others wait, a run that has had its thread for so long gives it up at its next wait, whatever has settled. */
const FAIR_SHARE_MS = 50;

export interface SchedulerOptions {
  readonly engine: EngineParts;
  readonly workers: number;
}

export class Scheduler implements RunHost {
  readonly #options: SchedulerOptions;
  readonly #desks = new Set<Desk>();
  readonly #places = new Map<QuickJsRun, Desk>();
  /** Runs that want a thread, in the order in which they get one. */
  readonly #queue = new Set<QuickJsRun>();
  readonly #waits = new WaitHistory();
  /** What new threads prepare ahead. */
  #lastBase: RunSurroundings['base'] | undefined;
  #watch: NodeJS.Timeout | undefined;
  #pressure: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#addDesk();
  }

  /** Runs that wait for a thread. */
  get queued(): number {
    return this.#queue.size;
  }

  // ---- What runs ask ----

  ready(run: QuickJsRun): void {
    if (run.waitedMs !== undefined) this.#waits.note(run.waitedMs);
    const desk = this.#places.get(run);
    if (desk?.parking) return;
    if (!desk) {
      this.#queue.add(run);
      this.#assign();
    } else if (this.#queue.size > 0 && performance.now() - desk.seatedAt > FAIR_SHARE_MS) {
      this.#park(desk);
    } else {
      const delivery = { run: run.id, items: run.takeDeliveries(), computeMs: run.computeLeftMs };
      this.#turn(desk, run, writeDelivery(delivery));
    }
  }

  park(run: QuickJsRun): void {
    const desk = this.#places.get(run);
    if (desk && !run.busy && !desk.parking) this.#park(desk);
  }

  condemn(run: QuickJsRun): void {
    const desk = this.#places.get(run);
    if (!desk) return;
    this.#places.delete(run);
    desk.run = undefined;
    desk.end('lie');
  }

  gone(run: QuickJsRun): void {
    this.#queue.delete(run);
    const desk = this.#places.get(run);
    if (!desk || desk.closing) return;
    this.#places.delete(run);
    if (run.busy) {
      // Its thread is still in guest code: ask it to stop, and end it if it does not.
      desk.stop(run.id);
    } else if (!desk.parking) {
      desk.thread.post({ kind: 'drop', run: run.id });
      this.#free(desk);
    }
  }

  /** Ends all threads. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    clearInterval(this.#watch);
    clearTimeout(this.#pressure);
    await Promise.all([...this.#desks].map((desk) => desk.thread.terminate()));
  }

  // ---- Giving threads ----

  #assign(): void {
    for (const run of this.#queue) {
      const desk = this.#idleDesk();
      if (!desk) {
        this.#press();
        return;
      }
      this.#queue.delete(run);
      this.#seat(desk, run);
    }
  }

  #idleDesk(): Desk | undefined {
    for (const desk of this.#desks) if (!desk.run && !desk.ended) return desk;
    return this.#desks.size < this.#options.workers ? this.#addDesk() : undefined;
  }

  #seat(desk: Desk, run: QuickJsRun): void {
    desk.run = run;
    desk.seatedAt = performance.now();
    this.#places.set(run, desk);
    const surroundings = surroundingsOf(desk.thread, run);
    this.#lastBase = surroundings.base;
    const { image } = run;
    if (image) {
      run.image = undefined;
      const message: ToWorker = {
        kind: 'resume',
        ...surroundings,
        image,
        base: { ...surroundings.base, hash: run.baseHash },
        items: run.takeDeliveries(),
      };
      this.#turn(desk, run, message, run.imageIsShared ? undefined : [image.buffer as ArrayBuffer]);
    } else {
      this.#turn(desk, run, { kind: 'start', ...surroundings, ...run.takeProgram() });
    }
  }

  #turn(desk: Desk, run: QuickJsRun, message: ToWorker, transfer?: ArrayBuffer[]): void {
    run.turnBegins();
    desk.thread.hold(true);
    desk.thread.postTurn(message, transfer);
    desk.expect(run.computeLeftMs);
    this.#watchThreads();
  }

  /** Makes desks give up runs that only wait, each after the grace that pays off. */
  #press(): void {
    if (this.#pressure || this.#queue.size === 0) return;
    const now = performance.now();
    let wanted = this.#queue.size;
    let next = Number.POSITIVE_INFINITY;
    for (const desk of this.#desks) {
      if (desk.parking) wanted--;
      if (wanted <= 0) return;
      if (!desk.run || desk.run.busy || desk.parking) continue;
      const due = desk.run.held ? 0 : desk.waitingSince + this.#waits.graceMs;
      if (due <= now) {
        this.#park(desk);
        wanted--;
      } else next = Math.min(next, due);
    }
    if (next === Number.POSITIVE_INFINITY) return;
    this.#pressure = setTimeout(() => {
      this.#pressure = undefined;
      this.#press();
    }, next - now);
  }

  #park(desk: Desk): void {
    desk.parking = true;
    desk.thread.hold(true);
    desk.thread.post({ kind: 'park', run: desk.run!.id });
    desk.expect();
    this.#watchThreads();
  }

  #free(desk: Desk): void {
    desk.run = undefined;
    desk.parking = false;
    desk.answered();
    this.#assign();
  }

  // ---- What threads say ----

  #hear(desk: Desk, message: WorkerMessage): void {
    const { run } = desk;
    if (!run || message.run !== run.id) return;
    switch (message.kind) {
      case 'output':
        run.output(message.items);
        break;
      case 'turn':
        if (run.busy) this.#hearTurn(desk, run, message);
        break;
      case 'parked':
        if (desk.parking) this.#hearParked(desk, run, message);
        break;
      case 'misuse':
        // It can only show before guest code has run; later it is not the caller's.
        if (!run.busy || run.hadTurn) return;
        run.busy = false;
        this.#places.delete(run);
        run.refuse(new CodeRuntimeError('invalid-binding', message.message));
        this.#free(desk);
        break;
    }
  }

  #hearTurn(desk: Desk, run: QuickJsRun, { turn }: Extract<WorkerMessage, { kind: 'turn' }>): void {
    desk.answered();
    run.busy = false;
    if (turn.rest?.end) {
      desk.closing = true;
      run.turnEnds(turn);
      desk.closing = false;
      this.#places.delete(run);
      if (!desk.ended) this.#free(desk);
      return;
    }
    if (run.ended) {
      // It ended from outside while its turn went on.
      desk.thread.post({ kind: 'drop', run: run.id });
      this.#free(desk);
      return;
    }
    desk.waitingSince = performance.now();
    run.turnEnds(turn);
    if (desk.run !== run || run.busy || desk.parking) return;
    if (run.wantsPark) this.#park(desk);
    else this.#press();
  }

  #hearParked(desk: Desk, run: QuickJsRun, { image, base }: Extract<WorkerMessage, { kind: 'parked' }>): void {
    this.#places.delete(run);
    if (!run.ended) run.parked(image, base);
    this.#free(desk);
    if (run.hasDeliveries && !this.#places.has(run)) {
      this.#queue.add(run);
      this.#assign();
    }
  }

  // ---- Threads that live and die ----

  #addDesk(): Desk {
    const events = (desk: Desk) => ({
      onMessage: (message: WorkerMessage) => this.#hear(desk, message),
      onExit: () => this.#lose(desk),
    });
    const desk = new Desk((it) => new WorkerThread(this.#options.engine, events(it)));
    this.#desks.add(desk);
    if (this.#lastBase) desk.thread.post({ kind: 'prepare', run: 0, base: this.#lastBase });
    return desk;
  }

  /** A thread has ended: its run fails, and a new thread takes its place when one is wanted. */
  #lose(desk: Desk): void {
    this.#desks.delete(desk);
    const { run } = desk;
    desk.run = undefined;
    if (run && this.#places.get(run) === desk) {
      this.#places.delete(run);
      run.output(desk.thread.unsent.itemsOf(run.id));
      run.threadDied(desk.ended === 'overrun' && !desk.parking ? 'timeout' : 'worker-exit');
    }
    if (this.#disposed) return;
    // The next run should not wait for a thread to start.
    if (run && this.#desks.size < this.#options.workers) this.#addDesk();
    this.#assign();
  }

  /** Looks after the threads while an answer of one is expected. */
  #watchThreads(): void {
    this.#watch ??= setInterval(() => {
      const now = performance.now();
      const expecting = [...this.#desks].filter((desk) => desk.check(now));
      if (expecting.length > 0) return;
      clearInterval(this.#watch);
      this.#watch = undefined;
    }, WATCH_MS).unref();
  }
}
