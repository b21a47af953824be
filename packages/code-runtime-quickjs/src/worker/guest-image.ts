// The guest image: the memory of an instance in which our guest program has been installed, and nothing else yet. It is the same
// bytes wherever it is built, so the package brings it along, and every base image begins with it.
import { type GuestEntry, HOST_FUNCTION_NAMES } from '../guest/host-functions.ts';
import guestCode from '../guest/main.ts?bundle=guest';
import { BuildHost, clearFreeMemory, globalNames, type MemoryImage, readMemory, settled } from './build-image.ts';
import { type Box, Engine } from './engine.ts';
import { findHeapTop, takeAndGiveBack } from './heap-top.ts';
import { findRandomState } from './random-state.ts';

/** What is fixed once the guest program is installed. */
export interface GuestImage extends MemoryImage {
  readonly randomStateAt: number;
  /** The word that holds the end of the heap in use, where it was found. */
  readonly heapTopAt: number | undefined;
  /** The guest's entry points, as boxes that are part of the image. */
  readonly entry: Readonly<Record<keyof GuestEntry, Box>>;
  /** The names on the global object. */
  readonly globals: readonly string[];
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

/** Builds the image. It takes some 100 milliseconds in a new thread. */
export function buildGuestImage(module: WebAssembly.Module): GuestImage {
  const engine = new Engine(module, new BuildHost());
  engine.initialize();
  const stackPointer = engine.exports.__stack_pointer.value;
  const entry = installGuest(engine);
  const globals = globalNames(engine, entry);
  const randomStateAt = findRandomState(engine);
  engine.exports.qjs_run_gc();
  takeAndGiveBack(engine, READY_BYTES);
  const heapTopAt = findHeapTop(engine, stackPointer, READY_BYTES / 2);
  clearFreeMemory(engine, heapTopAt);
  return {
    ...readMemory(engine),
    randomStateAt,
    heapTopAt,
    entry,
    globals,
  };
}

function installGuest(engine: Engine): Record<keyof GuestEntry, Box> {
  return settled(engine, 'the guest program', () => {
    const bundle = engine.evaluate(guestCode, 'guest');
    const install = engine.getProperty(bundle, 'install');
    const functions = HOST_FUNCTION_NAMES.map((_, number) => engine.newHostFunction(number));
    const installed = engine.call(install, ...functions);
    for (const box of [bundle, install, ...functions]) engine.free(box);
    const entry = Object.fromEntries(ENTRY_NAMES.map((name) => [name, engine.getProperty(installed, name)]));
    engine.free(installed);
    return entry as Record<keyof GuestEntry, Box>;
  });
}
