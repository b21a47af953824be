// One instance of the QuickJS-WASI module, driven through its exports: evaluate, call, exchange strings, drain jobs.
import { decodeWtf8, encodeWtf8 } from './wtf8.ts';

/** A boxed engine value: its address in the instance's memory. */
export type Box = number;

interface EngineExports {
  readonly memory: WebAssembly.Memory;
  readonly __stack_pointer: WebAssembly.Global;
  _initialize(): void;
  wasm_malloc(bytes: number): number;
  wasm_free(at: number): void;
  JS_Eval2(context: number, code: number, length: number, options: number): bigint;
  qjs_init(): number;
  qjs_get_context_ptr(): number;
  qjs_set_interrupt_handler(on: number): void;
  qjs_set_promise_rejection_handler(on: number): void;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_get_allocated_size(): number;
  qjs_run_gc(): void;
  qjs_new_string(at: number, length: number): Box;
  qjs_new_number(value: number): Box;
  qjs_get_undefined(): Box;
  qjs_get_float64(box: Box): number;
  qjs_get_string_len(box: Box, lengthAt: number): number;
  qjs_free_cstring(at: number): void;
  qjs_is_exception(box: Box): number;
  qjs_is_uncatchable_error(box: Box): number;
  qjs_is_proxy(box: Box): number;
  qjs_get_exception(): Box;
  qjs_get_prop_string(box: Box, name: number): Box;
  qjs_get_value_ptr(box: Box): number;
  qjs_free_value(box: Box): void;
  qjs_new_host_function(name: number, nameLength: number, argCount: number): Box;
  qjs_call(fn: Box, self: Box, argCount: number, args: number): Box;
  qjs_is_job_pending(): number;
  qjs_execute_pending_job(): number;
  qjs_promise_state(box: Box): number;
  qjs_promise_result(box: Box): Box;
  qjs_promise_mark_as_handled(box: Box): void;
}

const REQUIRED_EXPORTS: readonly (keyof EngineExports)[] = [
  'memory', '__stack_pointer', '_initialize', 'wasm_malloc', 'wasm_free', 'JS_Eval2', 'qjs_init', 'qjs_get_context_ptr',
  'qjs_set_interrupt_handler', 'qjs_set_promise_rejection_handler', 'qjs_set_memory_limit', 'qjs_set_max_stack_size',
  'qjs_get_allocated_size', 'qjs_run_gc', 'qjs_new_string', 'qjs_new_number', 'qjs_get_undefined',
  'qjs_get_float64', 'qjs_get_string_len', 'qjs_free_cstring', 'qjs_is_exception', 'qjs_is_uncatchable_error', 'qjs_is_proxy',
  'qjs_get_exception', 'qjs_get_prop_string', 'qjs_get_value_ptr', 'qjs_free_value', 'qjs_new_host_function', 'qjs_call',
  'qjs_is_job_pending', 'qjs_execute_pending_job', 'qjs_promise_state', 'qjs_promise_result', 'qjs_promise_mark_as_handled',
]; // biome-ignore format: a list of names

/** What an instance asks of its owner while guest code runs. */
export interface EngineHost {
  /** A host function was called; gives the boxed result. `number` is the one that the function was made with. */
  call(number: number, args: readonly Box[]): Box;
  /** Whether the guest must stop now; asked about every 10,000 jumps. */
  interrupted(): boolean;
  /** A promise was rejected without a handler, or got one later. `promise` identifies it; `reason` is owned by the callee. */
  rejection(promise: number, reason: Box, handled: boolean): void;
  /** Nanoseconds since the epoch. */
  now(): bigint;
  /** Fills bytes at random. */
  random(target: Uint8Array): void;
}

/** What guest code threw, as the engine reports it. */
export class GuestException extends Error {
  override readonly name = 'GuestException';
  constructor(
    /** The thrown value; whoever catches it frees it. */
    readonly thrown: Box,
    /** Stopped by the engine: interrupted, or out of memory. */
    readonly uncatchable: boolean,
  ) {
    super('guest code threw');
  }
}

/** The guest has no memory left for what was asked of it. */
export class EngineMemoryError extends Error {
  override readonly name = 'EngineMemoryError';
}

/** The `line` for a script whose third line is to count as its first: the engine takes 0 for 1. */
export const TWO_LINES_BEFORE = -1;

/** Deep recursion becomes a guest RangeError well before the engine's own 1 MiB stack ends. */
export const GUEST_STACK_BYTES = 256 * 1024;

export class Engine {
  readonly exports: EngineExports;
  readonly #host: EngineHost;
  #bytes: Buffer;
  #view: DataView;
  #scratch = 0;

  /** @throws Error where the module is not the engine that this package was written for. */
  constructor(module: WebAssembly.Module, host: EngineHost) {
    this.#host = host;
    const instance = new WebAssembly.Instance(module, this.#imports());
    const missing = REQUIRED_EXPORTS.filter((name) => !(name in instance.exports));
    // An object of its own: reading from the engine's is several times slower.
    this.exports = Object.fromEntries(
      REQUIRED_EXPORTS.map((name) => [name, instance.exports[name]]),
    ) as unknown as EngineExports;
    if (missing.length > 0) throw new Error(`this quickjs-wasi module lacks ${missing.join(', ')}`);
    this.#bytes = Buffer.from(this.exports.memory.buffer);
    this.#view = new DataView(this.exports.memory.buffer);
  }

  /** Starts the engine itself. Not for an instance whose memory is to be overwritten by an image. */
  initialize(): void {
    this.exports._initialize();
    if (this.exports.qjs_init() !== 0) throw new Error('the engine could not be started');
    this.exports.qjs_set_max_stack_size(GUEST_STACK_BYTES);
    this.exports.qjs_set_interrupt_handler(1);
    this.exports.qjs_set_promise_rejection_handler(1);
    this.#scratch = this.exports.wasm_malloc(SCRATCH_BYTES);
  }

  /** The instance's memory; take it anew after each call into the guest, since memory may grow. */
  get bytes(): Buffer {
    if (this.#bytes.buffer !== this.exports.memory.buffer) {
      this.#bytes = Buffer.from(this.exports.memory.buffer);
      this.#view = new DataView(this.exports.memory.buffer);
    }
    return this.#bytes;
  }

  get view(): DataView {
    void this.bytes;
    return this.#view;
  }

  /** The address of the small work area, which belongs to the base image. */
  get scratch(): number {
    return this.#scratch;
  }
  set scratch(at: number) {
    this.#scratch = at;
  }

  /** Copies a string into the instance; whoever asks frees it. */
  writeText(text: string): { at: number; length: number } {
    const short = text.length <= SHORT_TEXT ? this.#writeAscii(text) : undefined;
    if (short !== undefined) return { at: short, length: text.length };
    const encoded = encodeWtf8(text);
    const at = this.exports.wasm_malloc(encoded.length + 1);
    if (at === 0) throw new EngineMemoryError(`no memory for a text of ${encoded.length} bytes`);
    const { bytes } = this;
    bytes.set(encoded, at);
    bytes[at + encoded.length] = 0;
    return { at, length: encoded.length };
  }

  /** Writes a text by hand, which for short ones is faster than any encoder. `undefined` where it is not ASCII. */
  #writeAscii(text: string): number | undefined {
    for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return undefined;
    const at = this.exports.wasm_malloc(text.length + 1);
    if (at === 0) throw new EngineMemoryError(`no memory for a text of ${text.length} bytes`);
    const { bytes } = this;
    for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index);
    bytes[at + text.length] = 0;
    return at;
  }

  newString(text: string): Box {
    const { at, length } = this.writeText(text);
    const box = this.exports.qjs_new_string(at, length);
    this.exports.wasm_free(at);
    return this.#checked(box);
  }

  /** The text of a boxed string. */
  readString(box: Box): string {
    const at = this.exports.qjs_get_string_len(box, this.#scratch);
    if (at === 0) throw new EngineMemoryError('no memory to read a string');
    const text = decodeWtf8(this.bytes, at, this.#view.getUint32(this.#scratch, true));
    this.exports.qjs_free_cstring(at);
    return text;
  }

  free(box: Box): void {
    this.exports.qjs_free_value(box);
  }

  /** Makes a function that calls the host with its number, below 26: the engine knows it by a letter. */
  newHostFunction(number: number): Box {
    const { at, length } = this.writeText(String.fromCharCode(FIRST_NAME + number));
    const box = this.exports.qjs_new_host_function(at, length, 0);
    this.exports.wasm_free(at);
    return this.#checked(box);
  }

  getProperty(box: Box, name: string): Box {
    const { at } = this.writeText(name);
    const value = this.exports.qjs_get_prop_string(box, at);
    this.exports.wasm_free(at);
    return this.#checked(value);
  }

  /**
   * Evaluates a script.
   *
   * @param line the number that its first line has in positions.
   * @throws GuestException
   */
  evaluate(code: string, file: string, line = 1): Box {
    const source = this.writeText(code);
    const name = this.writeText(file);
    // JSEvalOptions: version, flags, file name, line.
    const options = this.#scratch;
    const { view } = this;
    view.setInt32(options, 1, true);
    view.setInt32(options + 4, 0, true);
    view.setUint32(options + 8, name.at, true);
    view.setInt32(options + 12, line, true);
    const value = this.exports.JS_Eval2(this.exports.qjs_get_context_ptr(), source.at, source.length, options);
    this.exports.wasm_free(source.at);
    this.exports.wasm_free(name.at);
    const box = this.exports.wasm_malloc(8);
    if (box === 0) throw new EngineMemoryError('no memory for a value');
    this.view.setBigInt64(box, value, true);
    return this.#checked(box);
  }

  /** Calls a guest function. The arguments stay the caller's. @throws GuestException */
  call(fn: Box, ...args: Box[]): Box {
    const list = this.#scratch + CALL_LIST_OFFSET;
    const { view } = this;
    for (let index = 0; index < args.length; index++) view.setUint32(list + index * 4, args[index]!, true);
    return this.#checked(this.exports.qjs_call(fn, this.exports.qjs_get_undefined(), args.length, list));
  }

  /** Runs promise jobs until none is left or `stop` says so. @throws GuestException where the engine stopped one. */
  runJobs(stop: () => boolean): void {
    for (let count = 1; this.exports.qjs_is_job_pending() !== 0; count++) {
      if (this.exports.qjs_execute_pending_job() < 0) this.#throwPending();
      if (count % 16 === 0 && stop()) return;
    }
  }

  #checked(box: Box): Box {
    if (this.exports.qjs_is_exception(box) === 0) return box;
    this.exports.qjs_free_value(box);
    return this.#throwPending();
  }

  #throwPending(): never {
    const thrown = this.exports.qjs_get_exception();
    throw new GuestException(thrown, this.exports.qjs_is_uncatchable_error(thrown) !== 0);
  }

  #imports(): WebAssembly.Imports {
    const host = this.#host;
    const SUCCESS = 0;
    const BAD_DESCRIPTOR = 8;
    return {
      env: {
        host_call: (nameAt: number, _nameLength: number, _self: Box, argCount: number, argsAt: number): Box => {
          const { bytes, view } = this;
          const args: Box[] = [];
          for (let index = 0; index < argCount; index++) args.push(view.getUint32(argsAt + index * 4, true));
          return host.call(bytes[nameAt]! - FIRST_NAME, args);
        },
        host_interrupt: () => (host.interrupted() ? 1 : 0),
        host_promise_rejection: (promise: Box, reason: Box, handled: number) => {
          const identity = this.exports.qjs_get_value_ptr(promise);
          this.exports.qjs_free_value(promise);
          host.rejection(identity, reason, handled !== 0);
        },
        // There is no module loader, so these are never asked; an answer of nothing is an error in the guest.
        host_module_normalize: () => 0,
        host_module_load: () => 0,
        host_get_timezone_offset: () => 0,
      },
      wasi_snapshot_preview1: {
        clock_time_get: (_clock: number, _precision: bigint, resultAt: number) => {
          this.view.setBigUint64(resultAt, host.now(), true);
          return SUCCESS;
        },
        random_get: (at: number, length: number) => {
          host.random(this.bytes.subarray(at, at + length));
          return SUCCESS;
        },
        fd_write: () => BAD_DESCRIPTOR,
        fd_close: () => BAD_DESCRIPTOR,
        fd_seek: () => BAD_DESCRIPTOR,
        fd_fdstat_get: () => BAD_DESCRIPTOR,
      },
    };
  }
}

/** The letter `a`. */
const FIRST_NAME = 0x61;
const SHORT_TEXT = 256;
const CALL_LIST_OFFSET = 32;
const SCRATCH_BYTES = 128;
