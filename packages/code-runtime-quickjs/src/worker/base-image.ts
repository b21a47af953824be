// The base image: the memory of an instance in which the guest's own program and one prelude have run, and no program yet.

import { createHash } from 'node:crypto';
import { type GuestEntry, HOST_FUNCTION_NAMES } from '../guest/host-functions.ts';
import guestCode from '../guest/main.ts?bundle=guest';
import { type Box, Engine, type EngineHost, GuestException, TWO_LINES_BEFORE } from './engine.ts';
import { findHeapTop, takeAndGiveBack } from './heap-top.ts';
import { findRandomState } from './random-state.ts';

/** Everything that makes an instance a fresh VM. */
export interface BaseImage {
  /** Identifies engine, guest program and prelude within the process. */
  readonly key: string;
  /** SHA-256 of the memory: equal in every process that builds the same image. */
  readonly hash: () => string;
  /** The memory from `start` on, in whole stretches; below lies the engine's stack, which holds nothing between calls. */
  readonly memory: Uint8Array;
  /** Between `memory` and the last stretch, which is this one, all is zero. */
  readonly tail: Uint8Array;
  /** The end of the whole memory, a whole number of pages. */
  readonly end: number;
  readonly start: number;
  readonly stackPointer: number;
  readonly scratch: number;
  readonly randomStateAt: number;
  /** The word that holds the end of the heap in use, where it was found. */
  readonly heapTopAt: number | undefined;
  /** Heap bytes that the image itself takes. */
  readonly heapBytes: number;
  /** The guest's entry points, as boxes that are part of the image. */
  readonly entry: Readonly<Record<keyof GuestEntry, Box>>;
  /** The names that the prelude put on the global object. */
  readonly preludeGlobals: readonly string[];
}

/** A prelude that could not be run. */
export class PreludeError extends Error {
  override readonly name = 'PreludeError';
}

const ENTRY_NAMES: readonly (keyof GuestEntry)[] = [
  'prelude',
  'begin',
  'deliver',
  'complete',
  'describe',
  'globalNames',
];
/**
 * Memory that the allocator keeps ready. A program that needs more grows the instance, which costs much more than using memory
 * that was there, and is lost for the next program: an instance never shrinks.
 */
const READY_BYTES = 2 * 1024 * 1024;
/** What memory is compared and kept in. */
export const STRETCH_BYTES = 4096;
const BUILD_TIME = 1_700_000_000_000_000_000n;

/** The same bytes in every process: while it is built, the clock stands still and nothing is random. */
class BuildHost implements EngineHost {
  call(): Box {
    throw new Error('the guest asked for something while its base image was built');
  }
  interrupted(): boolean {
    return false;
  }
  rejection(): void {}
  now(): bigint {
    return BUILD_TIME;
  }
  random(target: Uint8Array): void {
    target.fill(1);
  }
}

/**
 * Builds the base image of a prelude.
 *
 * @throws PreludeError with the prelude's own error.
 */
export function buildBaseImage(module: WebAssembly.Module, key: string, prelude: string | undefined): BaseImage {
  const engine = new Engine(module, new BuildHost());
  engine.initialize();
  const stackPointer = engine.exports.__stack_pointer.value;
  const entry = explained(engine, 'the guest program', () => installGuest(engine));
  const before = globalNames(engine, entry);
  if (prelude !== undefined) runPrelude(engine, entry.prelude, prelude);
  const known = new Set(before);
  const preludeGlobals = globalNames(engine, entry).filter((name) => !known.has(name));
  const randomStateAt = findRandomState(engine);
  engine.exports.qjs_run_gc();
  clearFreeMemory(engine);
  takeAndGiveBack(engine, READY_BYTES);
  const heapTopAt = findHeapTop(engine, stackPointer, READY_BYTES / 2);
  const end = engine.bytes.length;
  const tail = new Uint8Array(engine.bytes.subarray(end - STRETCH_BYTES));
  const memory = new Uint8Array(engine.bytes.subarray(stackPointer, endOfUse(engine.bytes, end - STRETCH_BYTES)));
  let hash: string | undefined;
  return {
    key,
    hash: () => {
      hash ??= createHash('sha256').update(memory).update(`${end}`).update(tail).digest('base64url');
      return hash;
    },
    memory,
    tail,
    end,
    start: stackPointer,
    stackPointer,
    scratch: engine.scratch,
    randomStateAt,
    heapTopAt,
    heapBytes: engine.exports.qjs_get_allocated_size() >>> 0,
    entry,
    preludeGlobals,
  };
}

/** The end of the last stretch before `end` that is not all zero. */
function endOfUse(bytes: Buffer, end: number): number {
  let at = end;
  while (at > 0 && bytes.compare(ZEROS, 0, STRETCH_BYTES, at - STRETCH_BYTES, at) === 0) at -= STRETCH_BYTES;
  return at;
}

const ZEROS = Buffer.alloc(STRETCH_BYTES);

/**
 * Overwrites what was allocated and freed while the image was built: leftovers in free memory make the differences of
 * later images larger. Takes all free memory, in ever smaller pieces, and gives it back.
 */
function clearFreeMemory(engine: Engine): void {
  const taken: number[] = [];
  const size = engine.bytes.length;
  for (let bytes = LARGEST_PIECE; bytes >= SMALLEST_PIECE; bytes = Math.floor(bytes / 2)) {
    for (;;) {
      const at = engine.exports.wasm_malloc(bytes);
      if (at === 0) break;
      taken.push(at);
      // A piece that had to be fetched from outside says that none of this size is left.
      if (at >= size || engine.bytes.length > size) break;
      engine.bytes.fill(0, at, at + bytes);
    }
    if (engine.bytes.length > size) continue;
  }
  for (const at of taken) engine.exports.wasm_free(at);
}

const LARGEST_PIECE = 64 * 1024;
const SMALLEST_PIECE = 16;

function installGuest(engine: Engine): Record<keyof GuestEntry, Box> {
  const bundle = engine.evaluate(guestCode, 'guest');
  const install = engine.getProperty(bundle, 'install');
  const functions = HOST_FUNCTION_NAMES.map((_, number) => engine.newHostFunction(number));
  const installed = engine.call(install, ...functions);
  for (const box of [bundle, install, ...functions]) engine.free(box);
  const entry = Object.fromEntries(ENTRY_NAMES.map((name) => [name, engine.getProperty(installed, name)]));
  engine.free(installed);
  return entry as Record<keyof GuestEntry, Box>;
}

function globalNames(engine: Engine, entry: Record<keyof GuestEntry, Box>): string[] {
  const box = engine.call(entry.globalNames);
  const names = JSON.parse(engine.readString(box)) as string[];
  engine.free(box);
  return names;
}

function runPrelude(engine: Engine, runner: Box, source: string): void {
  explained(engine, 'the prelude', () => {
    const body = engine.evaluate(`(function (host) {\n\n${source}\n})`, 'prelude', TWO_LINES_BEFORE);
    engine.free(engine.call(runner, body));
    engine.free(body);
    engine.runJobs(() => false);
  });
}

/** Does some work whose guest exceptions become a {@link PreludeError} with their text. */
function explained<T>(engine: Engine, what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof GuestException)) throw error;
    const stack = engine.readString(engine.getProperty(error.thrown, 'stack'));
    throw new PreludeError(`${what} failed: ${engine.readString(error.thrown)}\n${stack}`);
  }
}
