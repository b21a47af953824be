// One program in one VM: turns of guest code, what they ask of the host, and how they end.
import { randomBytes } from 'node:crypto';
import type { SeenFailure } from '@codeseam/code-runtime';
import { type MemberNames, PROGRAM_FILE } from '@codeseam/code-runtime/guest';
import { type GuestEntry, HOST_FUNCTION_NAMES } from '../guest/host-functions.ts';
import type { GuestCall, Turn, TurnRest, WorkerLimits } from '../messages.ts';
import type { BaseImage } from './base-image.ts';
import { type Box, type Engine, EngineMemoryError, GuestException, TWO_LINES_BEFORE } from './engine.ts';
import { applyImage, changedBytes, takeImage } from './image.ts';
import type { OutputSender } from './output-sender.ts';
import type { SlotListener, VmSlot } from './vm-slot.ts';

/** Why guest code was stopped from outside. */
type StopReason = 'compute' | 'cancelled' | 'memory' | 'refused' | 'output';

/** What the guest may ask about while it runs. */
export interface RunNames {
  readonly namespaces: readonly { readonly global: string; readonly names: MemberNames }[];
  readonly globals: ReadonlyMap<string, string>;
}

/** A turn that is over. */
export interface EndedTurn {
  readonly turn: Turn;
  /** Whether the program is over. */
  readonly ended: boolean;
  /** Whether the instance may not be used again. */
  readonly harmed: boolean;
}

interface RunOptions {
  readonly slot: VmSlot;
  readonly base: BaseImage;
  readonly names: RunNames;
  readonly output: OutputSender;
  readonly limits: WorkerLimits;
  /** Whether the host wants this run to stop. */
  readonly cancelled: () => boolean;
}

/** The memory of the instance may exceed the guest's heap by this much, for the allocator's own use. */
const MEMORY_SLACK_BYTES = 32 * 1024 * 1024;
/** Heap use above this share of its limit makes an engine error one of memory. */
const NEARLY_FULL = 0.8;

export class GuestRun implements SlotListener {
  readonly #options: RunOptions;
  readonly #engine: Engine;
  readonly #limits: WorkerLimits;
  #computeLeftMs: number;
  /** The promise of the program's body. */
  #main: Box = 0;
  /** No guest code has run yet: an error is one of syntax. */
  #compiling = false;
  #deadline = 0;
  #stop: StopReason | undefined;
  #refusal = '';
  #heapPeak = 0;
  #rejections: { promise: number; reason: Box }[] = [];
  #calls: GuestCall[] = [];
  #timers: { seq: number; delay: number }[] = [];
  #cleared: number[] = [];
  #controls: { seq: number; name: string; payload: string }[] = [];

  constructor(options: RunOptions) {
    this.#options = options;
    this.#limits = options.limits;
    this.#computeLeftMs = options.limits.computeMs;
    this.#engine = options.slot.open(options.base, this);
  }

  /** Begins the program. `setup` is the guest's `RunSetup`, `code` plain JavaScript: the body of an async function. */
  start(setup: string, code: string, startedAt: number): EndedTurn {
    return this.#turn(startedAt, () => {
      const engine = this.#engine;
      engine.exports.qjs_set_memory_limit(this.#heapLimit());
      this.#callEntry('begin', setup);
      // The program begins on line 1 behind two lines of ours, so that its positions are those of the text as sent.
      this.#compiling = true;
      const body = engine.evaluate(`(async () => {\n\n${code}\n})`, PROGRAM_FILE, TWO_LINES_BEFORE);
      this.#compiling = false;
      this.#main = engine.call(body);
      engine.free(body);
      engine.exports.qjs_promise_mark_as_handled(this.#main);
    });
  }

  /** Brings back a program that waits, from its image. @throws ImageError */
  restore(image: Uint8Array): void {
    const memory = this.#heapLimit() + MEMORY_SLACK_BYTES;
    this.#main = applyImage(this.#engine, this.#options.base, image, memory);
    this.#engine.exports.qjs_set_memory_limit(this.#heapLimit());
  }

  /** The image of the program, which waits. */
  takeImage(): Uint8Array {
    return takeImage(this.#engine, this.#options.base, this.#main);
  }

  /** Delivers settlements, as JSON text of a `GuestDelivery` list. */
  deliver(items: string, computeMs: number): EndedTurn {
    this.#computeLeftMs = computeMs;
    return this.#turn(performance.now(), () => this.#callEntry('deliver', items));
  }

  // ---- What the engine asks ----

  call(number: number, args: readonly Box[]): Box {
    const answer = this.#answer(HOST_FUNCTION_NAMES[number]!, args);
    return answer === undefined ? this.#engine.exports.qjs_get_undefined() : this.#engine.newString(answer);
  }

  interrupted(): boolean {
    if (this.#stop !== undefined) return true;
    this.#noteHeap();
    if (performance.now() > this.#deadline) this.#stop = 'compute';
    else if (this.#options.cancelled()) this.#stop = 'cancelled';
    else if (this.#engine.exports.memory.buffer.byteLength > this.#heapLimit() + MEMORY_SLACK_BYTES)
      this.#stop = 'memory';
    else this.#options.output.tick();
    return this.#stop !== undefined;
  }

  rejection(promise: number, reason: Box, handled: boolean): void {
    if (!handled) {
      this.#rejections.push({ promise, reason });
      return;
    }
    this.#engine.free(reason);
    const index = this.#rejections.findLastIndex((it) => it.promise === promise);
    if (index !== -1) for (const it of this.#rejections.splice(index, 1)) this.#engine.free(it.reason);
  }

  // ---- Inside ----

  #answer(name: (typeof HOST_FUNCTION_NAMES)[number], args: readonly Box[]): string | undefined {
    const text = (index: number) => this.#engine.readString(args[index]!);
    const number = (index: number) => this.#engine.exports.qjs_get_float64(args[index]!);
    switch (name) {
      case 'emit':
        if (!this.#options.output.add(text(0))) this.#stop ??= 'output';
        return undefined;
      case 'call':
        this.#calls.push({
          seq: number(0),
          namespace: number(1),
          path: text(2),
          args: text(3),
        });
        return undefined;
      case 'control':
        this.#controls.push({ seq: number(0), name: text(1), payload: text(2) });
        return undefined;
      case 'timer':
        this.#timers.push({ seq: number(0), delay: number(1) });
        return undefined;
      case 'clearTimer':
        this.#cleared.push(number(0));
        return undefined;
      case 'refuse':
        this.#refusal = text(0);
        this.#stop ??= 'refused';
        return undefined;
      case 'member':
        return this.#namespace(number(0)).names.member(text(1));
      case 'names':
        return this.#namespace(number(0)).names.names(text(1));
      case 'unknownMember': {
        const { global, names } = this.#namespace(number(0));
        return names.unknownMember(global, text(1));
      }
      case 'global':
        return this.#options.names.globals.get(text(0)) ?? '';
      case 'kind':
        return this.#engine.exports.qjs_is_proxy(args[0]!) === 0 ? '' : 'proxy';
      case 'random':
        return randomHex(number(0));
    }
  }

  #namespace(number: number): RunNames['namespaces'][number] {
    const namespace = this.#options.names.namespaces[number];
    if (!namespace) throw new Error(`there is no namespace ${number}`);
    return namespace;
  }

  #heapLimit(): number {
    return this.#options.base.heapBytes + this.#limits.memoryLimitBytes;
  }

  #noteHeap(): void {
    const heap = this.#engine.exports.qjs_get_allocated_size() >>> 0;
    if (heap > this.#heapPeak) this.#heapPeak = heap;
  }

  #callEntry(name: keyof GuestEntry, text: string): void {
    const argument = this.#engine.newString(text);
    this.#engine.free(this.#engine.call(this.#options.base.entry[name], argument));
    this.#engine.free(argument);
  }

  #turn(startedAt: number, work: () => void): EndedTurn {
    this.#deadline = startedAt + this.#computeLeftMs;
    let failure: SeenFailure | undefined;
    let value: string | undefined;
    let ended = false;
    let harmed = false;
    try {
      work();
      this.#engine.runJobs(() => this.interrupted());
      this.#noteHeap();
      if (this.#stop === undefined) {
        const outcome = this.#outcome();
        if (outcome) {
          ended = true;
          if ('failure' in outcome) failure = outcome.failure;
          else value = outcome.value;
        } else failure = this.#snapshotFailure();
      }
    } catch (error) {
      if (!(error instanceof GuestException)) harmed = true;
      failure = this.#failureOf(error);
    }
    if (this.#stop !== undefined) failure = this.#stopFailure(this.#stop);
    this.#options.output.flush(true);
    return this.#makeTurn(performance.now() - startedAt, ended || failure !== undefined, failure, value, harmed);
  }

  /** How the program ended, if it did. */
  #outcome(): { failure: SeenFailure } | { value: string | undefined } | undefined {
    const { exports } = this.#engine;
    const state = exports.qjs_promise_state(this.#main);
    const mainIdentity = exports.qjs_get_value_ptr(this.#main);
    const unhandled = this.#rejections.find((it) => it.promise !== mainIdentity);
    if (state === REJECTED) {
      const reason = exports.qjs_promise_result(this.#main);
      return { failure: this.#describe(reason) };
    }
    if (unhandled) {
      return {
        failure: {
          ...this.#describe(unhandled.reason),
          hint: 'a promise was rejected and nothing handled it: await it, or catch it',
        },
      };
    }
    if (state !== FULFILLED) return undefined;
    const result = this.#engine.call(this.#options.base.entry.complete, exports.qjs_promise_result(this.#main));
    const text = this.#engine.readString(result);
    const rest = text.slice(1);
    switch (text[0]) {
      case 'v':
        return { value: rest };
      case 'i':
        return { failure: { kind: 'invalid-output', message: rest, hint: 'return plain JSON data' } };
      case 'o':
        return { failure: { kind: 'output-limit', message: rest, hint: 'return less, or a summary of it' } };
      case 'x':
        return { failure: { kind: 'exception', ...(JSON.parse(rest) as { message: string }) } };
      default:
        return { value: undefined };
    }
  }

  /** Before calls are dispatched: whether the program could still be stored. */
  #snapshotFailure(): SeenFailure | undefined {
    const limit = this.#limits.snapshotBytes;
    if (limit === undefined || this.#calls.length === 0) return undefined;
    if (changedBytes(this.#engine, this.#options.base) <= limit || this.takeImage().length <= limit) return undefined;
    return {
      kind: 'snapshot-limit',
      message: `the program holds more than its maxSnapshotBytes of ${limit} can store`,
      hint: 'keep less data across a call',
    };
  }

  #failureOf(error: unknown): SeenFailure {
    if (error instanceof EngineMemoryError) return memoryFailure(this.#limits);
    if (error instanceof GuestException) {
      if (error.uncatchable) return memoryFailure(this.#limits);
      try {
        return this.#describe(error.thrown);
      } catch (second) {
        return second instanceof GuestException && !second.uncatchable
          ? { kind: 'exception', message: 'the program threw a value that cannot be shown' }
          : memoryFailure(this.#limits);
      }
    }
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
      return {
        kind: 'stack-overflow',
        message: 'the program ran the engine out of its stack',
        hint: 'use loops in place of deep recursion',
      };
    }
    return { kind: 'worker-exit', message: 'the runtime failed while it ran the program' };
  }

  /** Describes a thrown value; an engine error of a nearly full heap is one of memory, whatever it says. */
  #describe(thrown: Box): SeenFailure {
    const described = this.#engine.call(this.#options.base.entry.describe, thrown);
    const failure = JSON.parse(this.#engine.readString(described)) as Omit<SeenFailure, 'kind'>;
    if (this.#heapPeak > this.#heapLimit() * NEARLY_FULL && failure.name === 'InternalError')
      return memoryFailure(this.#limits);
    return { ...failure, kind: this.#compiling ? 'syntax' : 'exception' };
  }

  #stopFailure(reason: StopReason): SeenFailure {
    switch (reason) {
      case 'compute':
        return { kind: 'timeout', message: 'the program was busy for longer than its computeMs' };
      case 'cancelled':
        return { kind: 'abort', message: 'the run was cancelled' };
      case 'memory':
        return memoryFailure(this.#limits);
      case 'refused':
        return {
          kind: 'call-limit',
          message: this.#refusal,
          hint: 'await calls in smaller groups',
        };
      case 'output':
        return { kind: 'output-limit', message: 'the program printed more than maxOutputBytes' };
    }
  }

  #makeTurn(
    computeMs: number,
    ended: boolean,
    failure: SeenFailure | undefined,
    value: string | undefined,
    harmed: boolean,
  ): EndedTurn {
    // A program that has failed dispatches nothing of its last turn.
    const calls = failure ? [] : this.#calls;
    const controls = failure ? [] : this.#controls;
    const end: TurnRest['end'] = failure ? { failure } : value === undefined ? {} : { value };
    const hasRest = ended || this.#timers.length + this.#cleared.length + controls.length > 0;
    const turn: Turn = {
      computeMs,
      heapBytes: Math.max(0, this.#heapPeak - this.#options.base.heapBytes),
      calls,
      ...(hasRest
        ? { rest: { timers: this.#timers, cleared: this.#cleared, controls, ...(ended ? { end } : {}) } }
        : {}),
    };
    this.#calls = [];
    this.#timers = [];
    this.#cleared = [];
    this.#controls = [];
    return { turn, ended, harmed };
  }
}

const FULFILLED = 1;
const REJECTED = 2;

function memoryFailure(limits: WorkerLimits): SeenFailure {
  return {
    kind: 'memory-limit',
    message: `the program needed more than its memory limit of ${limits.memoryLimitBytes} bytes`,
    hint: 'work on less data at a time',
  };
}

function randomHex(count: number): string {
  return randomBytes(Math.min(Math.max(count, 0), 65_536)).toString('hex');
}
