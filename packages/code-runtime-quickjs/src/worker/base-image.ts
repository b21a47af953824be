// The base image: the memory of an instance in which one prelude has run over the guest image, and no program yet.
import { createHash } from 'node:crypto';
import {
  BuildHost,
  clearFreeMemory,
  globalNames,
  type MemoryImage,
  readMemory,
  settled,
  writeMemory,
} from './build-image.ts';
import { Engine, TWO_LINES_BEFORE } from './engine.ts';
import type { GuestImage } from './guest-image.ts';

/** Everything that makes an instance a fresh VM. */
export interface BaseImage extends MemoryImage, Omit<GuestImage, 'globals'> {
  /** Identifies engine, guest program and prelude within the process. */
  readonly key: string;
  /** SHA-256 of the memory: equal in every process that builds the same image. */
  readonly hash: () => string;
  /** The names that the prelude put on the global object. */
  readonly preludeGlobals: readonly string[];
}

/**
 * Builds the base image of a prelude.
 *
 * @throws PreludeError with the prelude's own error.
 */
export function buildBaseImage(
  module: WebAssembly.Module,
  guest: GuestImage,
  key: string,
  prelude: string | undefined,
): BaseImage {
  const { globals, ...rest } = guest;
  if (prelude === undefined) return { ...rest, key, hash: lazyHash(guest), preludeGlobals: [] };
  const engine = new Engine(module, new BuildHost());
  writeMemory(engine, guest, true);
  runPrelude(engine, guest, prelude);
  const known = new Set(globals);
  const preludeGlobals = globalNames(engine, guest.entry).filter((name) => !known.has(name));
  engine.exports.qjs_run_gc();
  clearFreeMemory(engine, guest.heapTopAt);
  const memory = readMemory(engine);
  return { ...rest, ...memory, key, hash: lazyHash(memory), preludeGlobals };
}

function runPrelude(engine: Engine, { entry }: GuestImage, source: string): void {
  settled(engine, 'the prelude', () => {
    const body = engine.evaluate(`(function (host) {\n\n${source}\n})`, 'prelude', TWO_LINES_BEFORE);
    engine.free(engine.call(entry.prelude, body));
    engine.free(body);
  });
}

function lazyHash({ memory, tail, end }: MemoryImage): () => string {
  let hash: string | undefined;
  return () => {
    hash ??= createHash('sha256').update(memory).update(`${end}`).update(tail).digest('base64url');
    return hash;
  };
}
