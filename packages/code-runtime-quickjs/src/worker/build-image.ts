// What building an image takes: a host that changes nothing, memory without leftovers, and reading it.
import type { GuestEntry } from '../guest/host-functions.ts';
import { type Box, type Engine, type EngineHost, GuestException } from './engine.ts';
import { NOTE_BYTES } from './heap-top.ts';

/** The memory of an instance, above the engine's stack, which holds nothing between calls. */
export interface MemoryImage {
  /** Where it begins, which is where the engine's stack ends and its pointer rests. */
  readonly start: number;
  /** The memory from `start` on, in whole stretches. */
  readonly memory: Uint8Array;
  /** Between `memory` and the last stretch, which is this one, all is zero. */
  readonly tail: Uint8Array;
  /** The end of the whole memory, a whole number of pages. */
  readonly end: number;
  /** The address of the engine's small work area. */
  readonly scratch: number;
  /** Heap bytes that the image itself takes. */
  readonly heapBytes: number;
}

/** What memory is compared and kept in. */
export const STRETCH_BYTES = 4096;
const ZEROS = Buffer.alloc(STRETCH_BYTES);
const BUILD_TIME = 1_700_000_000_000_000_000n;

/** A prelude, or the guest program itself, that could not be run. */
export class PreludeError extends Error {
  override readonly name = 'PreludeError';
}

/** The same bytes in every process: while an image is built, the clock stands still and nothing is random. */
export class BuildHost implements EngineHost {
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

/** Does some work and the jobs that it leaves. @throws PreludeError with the text of a guest exception. */
export function settled<T>(engine: Engine, what: string, work: () => T): T {
  try {
    const result = work();
    engine.runJobs(() => false);
    return result;
  } catch (error) {
    if (!(error instanceof GuestException)) throw error;
    const stack = engine.readString(engine.getProperty(error.thrown, 'stack'));
    throw new PreludeError(`${what} failed: ${engine.readString(error.thrown)}\n${stack}`);
  }
}

export function globalNames(engine: Engine, entry: Readonly<Record<keyof GuestEntry, Box>>): string[] {
  const box = engine.call(entry.globalNames);
  const names = JSON.parse(engine.readString(box)) as string[];
  engine.free(box);
  return names;
}

/** The image of an instance that is at rest. */
export function readMemory(engine: Engine): MemoryImage {
  const { bytes } = engine;
  const start = engine.exports.__stack_pointer.value;
  const end = bytes.length;
  let endOfUse = end - STRETCH_BYTES;
  while (bytes.compare(ZEROS, 0, STRETCH_BYTES, endOfUse - STRETCH_BYTES, endOfUse) === 0) endOfUse -= STRETCH_BYTES;
  return {
    start,
    memory: new Uint8Array(bytes.subarray(start, endOfUse)),
    tail: new Uint8Array(bytes.subarray(end - STRETCH_BYTES)),
    end,
    scratch: engine.scratch,
    heapBytes: engine.exports.qjs_get_allocated_size() >>> 0,
  };
}

/** Puts an image into an instance, whose memory is new or all to be overwritten. */
export function writeMemory(engine: Engine, { start, memory, tail, end, scratch }: MemoryImage, isNew: boolean): void {
  const missing = end - engine.bytes.length;
  if (missing > 0) engine.exports.memory.grow(Math.ceil(missing / 65_536));
  const { bytes } = engine;
  bytes.set(memory, start);
  // The memory of a new instance is zero, and touching it for the first time costs more than all the rest.
  if (!isNew) bytes.fill(0, start + memory.length);
  bytes.set(tail, end - tail.length);
  engine.exports.__stack_pointer.value = start;
  engine.scratch = scratch;
}

/**
 * Overwrites what was allocated and freed while the image was built: leftovers in free memory make the differences of
 * later images larger. Takes all free memory below the heap's end, in ever smaller pieces, and gives it back.
 */
export function clearFreeMemory(engine: Engine, heapTopAt: number | undefined): void {
  const { wasm_malloc, wasm_free } = engine.exports;
  const end = heapTopAt === undefined ? engine.bytes.length : engine.view.getUint32(heapTopAt, true);
  const taken: number[] = [];
  for (let bytes = LARGEST_PIECE; bytes >= SMALLEST_PIECE; bytes = Math.floor(bytes / 2)) {
    for (;;) {
      const at = wasm_malloc(bytes);
      // A piece from beyond says that none of this size is left.
      if (at === 0) break;
      engine.bytes.fill(0, at, at + bytes);
      if (at >= end) {
        wasm_free(at);
        engine.bytes.fill(0, at + bytes, Math.min(at + bytes + NOTE_BYTES, engine.bytes.length));
        break;
      }
      taken.push(at);
    }
  }
  for (const at of taken) wasm_free(at);
}

const LARGEST_PIECE = 64 * 1024;
const SMALLEST_PIECE = 16;
