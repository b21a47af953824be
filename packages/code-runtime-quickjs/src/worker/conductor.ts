// Does what the host's messages say: starts, delivers, parks, resumes and drops the one run that the thread holds.
import type { FromWorker, RunSurroundings, ToWorker, WorkerFailure } from '../messages.ts';
import { RecentMap } from '../recent-map.ts';
import { type BaseImage, buildBaseImage, PreludeError } from './base-image.ts';
import { BindingNames } from './binding-names.ts';
import { GuestRun, type RunNames, type Turn } from './guest-run.ts';
import { OutputSender } from './output-sender.ts';
import { prepareProgram } from './prepare-program.ts';
import { VmSlot } from './vm-slot.ts';

interface ConductorOptions {
  readonly module: WebAssembly.Module;
  readonly send: (message: FromWorker) => void;
  /** Whether the host wants this run to stop now. */
  readonly stopped: (run: number) => boolean;
}

const KEPT_BASES = 8;
const KEPT_TABLES = 64;
const KEPT_GLOBALS = 16;

export class Conductor {
  readonly #options: ConductorOptions;
  readonly #slot: VmSlot;
  readonly #bases = new RecentMap<string, BaseImage>(KEPT_BASES);
  readonly #names = new RecentMap<string, BindingNames>(KEPT_TABLES);
  readonly #globals = new RecentMap<string, string>(KEPT_GLOBALS);
  #current: { run: number; guest: GuestRun; base: BaseImage } | undefined;
  #lastBase: BaseImage | undefined;

  constructor(options: ConductorOptions) {
    this.#options = options;
    this.#slot = new VmSlot(options.module);
  }

  /** Does what one message says; a promise where it has to wait for something to load. */
  take(message: ToWorker): Promise<void> | undefined {
    switch (message.kind) {
      case 'start':
        return this.#start(message);
      case 'deliver':
        if (this.#current?.run === message.run)
          this.#report(message.run, this.#current.guest.deliver(message.items, message.limits));
        return undefined;
      case 'drop':
        if (this.#current?.run === message.run) this.#current = undefined;
        return undefined;
      case 'park':
      case 'resume':
        return undefined;
    }
  }

  /** Prepares the next VM while nothing else is to do. */
  idle(): void {
    if (!this.#current && this.#lastBase) this.#slot.reset(this.#lastBase);
  }

  #start(message: Extract<ToWorker, { kind: 'start' }>): Promise<void> | undefined {
    const startedAt = performance.now();
    const prepared = prepareProgram(message.program, message.language);
    if (!(prepared instanceof Promise)) {
      this.#begin(message, prepared, startedAt);
      return undefined;
    }
    return prepared.then((it) => this.#begin(message, it, startedAt));
  }

  #begin(
    message: Extract<ToWorker, { kind: 'start' }>,
    program: { code: string } | { failure: WorkerFailure },
    startedAt: number,
  ): void {
    if ('failure' in program) {
      this.#report(message.run, failedTurn(program.failure, performance.now() - startedAt));
      return;
    }
    const opened = this.#open(message);
    if (opened) this.#report(message.run, opened.start(message.setup, program.code, startedAt));
  }

  /** A fresh VM for a run; `undefined` where the run cannot start, which is then said. */
  #open(message: RunSurroundings): GuestRun | undefined {
    let base: BaseImage;
    try {
      base = this.#base(message.base);
    } catch (error) {
      if (!(error instanceof PreludeError)) throw error;
      this.#options.send(['misuse', message.run, error.message]);
      return undefined;
    }
    const guest = new GuestRun({
      slot: this.#slot,
      base,
      names: this.#namesOf(message),
      output: new OutputSender(message.run, message.limits.outputBytes, this.#options.send),
      limits: message.limits,
      cancelled: () => this.#options.stopped(message.run),
    });
    this.#current = { run: message.run, guest, base };
    return guest;
  }

  #base({ key, prelude }: RunSurroundings['base']): BaseImage {
    const base = this.#bases.get(key) ?? buildBaseImage(this.#options.module, key, prelude);
    this.#bases.set(key, base);
    this.#lastBase = base;
    return base;
  }

  #namesOf(message: RunSurroundings): RunNames {
    return {
      namespaces: message.namespaces.map(({ global, hash, text }) => {
        let names = this.#names.get(hash);
        if (!names) {
          names = new BindingNames(text!);
          this.#names.set(hash, names);
        }
        return { global, names };
      }),
      globals: new Map(
        message.globals.map(({ name, hash, text }) => {
          const known = this.#globals.get(hash) ?? text!;
          this.#globals.set(hash, known);
          return [name, known];
        }),
      ),
    };
  }

  #report(run: number, turn: Turn): void {
    const { report } = turn;
    this.#options.send(['turn', run, JSON.stringify(report), ...turn.texts]);
    if (turn.harmed) this.#slot.discard();
    if (report.end) this.#current = undefined;
  }
}

function failedTurn(failure: WorkerFailure, computeMs: number): Turn {
  return {
    report: { computeMs, heapBytes: 0, calls: [], timers: [], cleared: [], controls: [], end: { failure } },
    texts: [],
    harmed: false,
  };
}
