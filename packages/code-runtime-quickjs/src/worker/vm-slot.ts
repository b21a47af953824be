// One pooled instance: becomes a fresh VM by copying a base image over its memory, and is replaced when it was harmed.
import { randomFillSync } from 'node:crypto';
import type { BaseImage } from './base-image.ts';
import { writeMemory } from './build-image.ts';
import { type Box, Engine, type EngineHost, GUEST_STACK_BYTES } from './engine.ts';
import { RandomPool } from './random-pool.ts';

/** An instance whose memory grew beyond this is thrown away, since memory never shrinks. */
const LARGEST_KEPT_BYTES = 16 * 1024 * 1024;

/** What guest code and the engine's own frames above its limit may have written of the engine's stack. */
const USED_STACK_BYTES = GUEST_STACK_BYTES + 128 * 1024;

/** What the code that now runs in the slot wants to hear. */
export type SlotListener = Pick<EngineHost, 'call' | 'interrupted' | 'rejection'>;

const QUIET: SlotListener = { call: () => 0, interrupted: () => false, rejection: () => {} };

export class VmSlot {
  readonly #module: WebAssembly.Module;
  #engine: Engine | undefined;
  #listener: SlotListener | undefined;
  readonly #random = new RandomPool();
  readonly #checked = new Set<string>();
  #reusable = true;
  /** The base image that the memory holds unchanged, if it does. */
  #clean: BaseImage | undefined;

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /**
   * Tries whether copying memory really makes an instance fresh; where it does not, each run gets an instance of its own.
   * What is relied on is no public interface of the engine: that its whole state is memory and one stack pointer.
   */
  check(base: BaseImage): void {
    if (this.#checked.has(base.key)) return;
    this.#checked.add(base.key);
    const engine = this.open(base, QUIET);
    try {
      engine.free(engine.evaluate('globalThis.trace = Array.from({ length: 100 }, (_, i) => ({ i }))', 'check'));
      this.#clean = undefined;
      this.reset(base);
      const answer = engine.evaluate('typeof trace + (1 + 1)', 'check');
      if (engine.readString(answer) !== 'undefined2' || engine !== this.#engine) this.#reusable = false;
      this.#clean = undefined;
      this.reset(base);
    } catch {
      this.#reusable = false;
    }
    if (!this.#reusable) this.discard();
  }

  /** Gives a fresh VM of a base image. */
  open(base: BaseImage, listener: SlotListener): Engine {
    this.reset(base);
    const engine = this.#engine!;
    this.#listener = listener;
    this.#clean = undefined;
    this.#seed(engine, base);
    return engine;
  }

  /** Puts a base image into the memory, ahead of the next run. */
  reset(base: BaseImage): void {
    this.#listener = undefined;
    if (this.#clean === base && this.#engine) return;
    if (!this.#reusable || (this.#engine && this.#engine.bytes.length > LARGEST_KEPT_BYTES)) this.#engine = undefined;
    const isNew = this.#engine === undefined;
    this.#engine ??= this.#instantiate();
    const engine = this.#engine;
    writeMemory(engine, base, isNew);
    if (!isNew) engine.bytes.fill(0, base.start - USED_STACK_BYTES, base.start);
    this.#clean = base;
  }

  /** Throws the instance away: after a trap nothing of it can be trusted. */
  discard(): void {
    this.#engine = undefined;
    this.#listener = undefined;
    this.#clean = undefined;
  }

  #seed(engine: Engine, base: BaseImage): void {
    const at = base.randomStateAt;
    this.#random.copy(engine.bytes, at, 8);
    // The generator never leaves zero.
    engine.bytes[at]! |= 1;
  }

  #instantiate(): Engine {
    return new Engine(this.#module, {
      call: (number, args): Box => {
        if (!this.#listener) throw new Error('a host function was called outside of a run');
        return this.#listener.call(number, args);
      },
      interrupted: () => this.#listener?.interrupted() ?? true,
      rejection: (promise, reason, handled) => {
        if (this.#listener) this.#listener.rejection(promise, reason, handled);
        else this.#engine?.free(reason);
      },
      now: () => BigInt(Date.now()) * 1_000_000n,
      random: (target) => void randomFillSync(target),
    });
  }
}
