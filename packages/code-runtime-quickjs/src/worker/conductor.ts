// Does what the host's messages say: starts, delivers, parks, resumes and drops the one run that the thread holds.
import { prepareCell } from '@codeseam/cell';
import { type SeenFailure, takenNames } from '@codeseam/code-runtime';
import { MemberNames } from '@codeseam/code-runtime/guest';
import type { RunSetup } from '../guest/host-functions.ts';
import { type Delivery, type FromWorker, type RunSurroundings, readDelivery, type ToWorker } from '../messages.ts';
import { RecentMap } from '../recent-map.ts';
import { writeTurn } from '../turn-text.ts';
import type { UnsentOutput } from '../unsent-output.ts';
import { type BaseImage, buildBaseImage } from './base-image.ts';
import { PreludeError } from './build-image.ts';
import { buildGuestImage, type GuestImage } from './guest-image.ts';
import { type PackedGuestImage, unpackGuestImage } from './guest-image-file.ts';
import { type EndedTurn, GuestRun, type RunNames } from './guest-run.ts';
import { ImageError } from './image.ts';
import { OutputSender } from './output-sender.ts';
import { VmSlot } from './vm-slot.ts';

interface ConductorOptions {
  readonly module: WebAssembly.Module;
  /** The guest image of that module, where there is one. */
  readonly guestImage: PackedGuestImage | undefined;
  readonly send: (message: FromWorker) => void;
  readonly unsent: UnsentOutput;
  /** Guest code is about to run: its budget counts from here. */
  readonly turnBegins: () => void;
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
  readonly #names = new RecentMap<string, MemberNames>(KEPT_TABLES);
  readonly #globals = new RecentMap<string, string>(KEPT_GLOBALS);
  #current: { run: number; guest: GuestRun; base: BaseImage } | undefined;
  #guest: GuestImage | undefined;
  #lastBase: BaseImage | undefined;

  constructor(options: ConductorOptions) {
    this.#options = options;
    this.#slot = new VmSlot(options.module);
  }

  /** Whether a run waits for deliveries here. */
  get hasRun(): boolean {
    return this.#current !== undefined;
  }

  /** Does what one message says. */
  take(message: ToWorker): void {
    if (typeof message === 'string') {
      this.#deliver(readDelivery(message));
      return;
    }
    const current = this.#current?.run === message.run ? this.#current : undefined;
    switch (message.kind) {
      case 'start':
        this.#start(message);
        break;
      case 'resume':
        this.#resume(message);
        break;
      case 'park':
        if (!current) break;
        this.#options.send(['parked', message.run, current.guest.takeImage(), current.base.hash()]);
        this.#current = undefined;
        break;
      case 'prepare':
        this.#prepare(message.base);
        break;
      case 'drop':
        if (current) this.#current = undefined;
        break;
    }
  }

  /** Prepares the next VM while nothing else is to do. */
  idle(): void {
    if (!this.#current && this.#lastBase) this.#slot.reset(this.#lastBase);
  }

  #deliver({ run, items, computeMs }: Delivery): void {
    this.#options.turnBegins();
    if (this.#current?.run === run) this.#report(run, this.#current.guest.deliver(items, computeMs));
  }

  #prepare(base: RunSurroundings['base']): void {
    try {
      this.#base(base);
    } catch (error) {
      // The run that wants it will be told.
      if (!(error instanceof PreludeError)) throw error;
    }
  }

  #start(message: Extract<ToWorker, { readonly kind: 'start' }>): void {
    // First of all, since the host counts on what is known here.
    const names = this.#namesOf(message);
    const base = this.#baseFor(message);
    if (!base) return;
    const taken = takenName(message, base);
    if (taken !== undefined) {
      this.#refuse(message.run, `the global name "${taken}" is one that the prelude defines`);
      return;
    }
    this.#options.turnBegins();
    const startedAt = performance.now();
    // Its reader of types, @swc/wasm-typescript, is loaded from where this package lies, which therefore depends on it.
    const cell = prepareCell(message);
    if (cell.ok) this.#report(message.run, this.#open(message, base, names).start(message.setup, cell.code, startedAt));
    else this.#report(message.run, failedTurn(cell, performance.now() - startedAt));
  }

  #resume(message: Extract<ToWorker, { readonly kind: 'resume' }>): void {
    const names = this.#namesOf(message);
    const base = this.#baseFor(message);
    if (!base) return;
    this.#options.turnBegins();
    try {
      if (message.base.hash !== base.hash())
        throw new ImageError('the run is of another base image: another engine, runtime or prelude');
      const guest = this.#open(message, base, names);
      guest.restore(message.image);
      this.#report(message.run, guest.deliver(message.items, message.limits.computeMs));
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      this.#report(message.run, failedTurn({ kind: 'snapshot-restore', message: error.message }, 0));
    }
  }

  /** The base image of a run; `undefined` where its prelude cannot be run, which is then said. */
  #baseFor(message: RunSurroundings): BaseImage | undefined {
    try {
      return this.#base(message.base);
    } catch (error) {
      if (!(error instanceof PreludeError)) throw error;
      this.#refuse(message.run, error.message);
      return undefined;
    }
  }

  /** The turn that the host counts on is over before it began. */
  #refuse(run: number, why: string): void {
    this.#options.turnBegins();
    this.#options.send(['misuse', run, why]);
  }

  #open(message: RunSurroundings, base: BaseImage, names: RunNames): GuestRun {
    const guest = new GuestRun({
      slot: this.#slot,
      base,
      names,
      output: new OutputSender(message.run, message.limits.outputBytes, this.#options.unsent, this.#options.send),
      limits: message.limits,
      cancelled: () => this.#options.stopped(message.run),
    });
    this.#current = { run: message.run, guest, base };
    return guest;
  }

  #base({ key, prelude }: RunSurroundings['base']): BaseImage {
    let base = this.#bases.get(key);
    if (!base) {
      const { module, guestImage } = this.#options;
      this.#guest ??= guestImage ? unpackGuestImage(guestImage) : buildGuestImage(module);
      base = buildBaseImage(module, this.#guest, key, prelude);
      this.#slot.check(base);
    }
    this.#bases.set(key, base);
    this.#lastBase = base;
    return base;
  }

  #namesOf(message: RunSurroundings): RunNames {
    return {
      namespaces: message.namespaces.map(({ global, hash, text }) => {
        let names = this.#names.get(hash);
        if (!names) {
          names = new MemberNames(text!);
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

  #report(run: number, { turn, ended, harmed }: EndedTurn): void {
    this.#options.send(writeTurn(run, turn));
    if (harmed) this.#slot.discard();
    if (ended) this.#current = undefined;
  }
}

/** The turn of a program that could not begin. */
function failedTurn(failure: SeenFailure, computeMs: number): EndedTurn {
  const rest = { timers: [], cleared: [], controls: [], end: { failure } };
  return { turn: { computeMs, heapBytes: 0, calls: [], rest }, ended: true, harmed: false };
}

/** A name of the request that the prelude has defined. */
function takenName(message: Extract<ToWorker, { readonly kind: 'start' }>, base: BaseImage): string | undefined {
  if (base.preludeGlobals.length === 0) return undefined;
  const names = takenNames(JSON.parse(message.setup) as RunSetup);
  return names.find((name) => base.preludeGlobals.includes(name));
}
