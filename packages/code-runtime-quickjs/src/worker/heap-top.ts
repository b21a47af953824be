// Where the allocator keeps the end of the heap in use: what lies beyond is free memory, of no meaning to anyone.
import type { Engine } from './engine.ts';

/** The allocator's own state lies among the engine's static data, which come first. */
const SEARCHED_BYTES = 256 * 1024;

/**
 * Finds the word that holds the address of the end of the heap: it moves by the size of a piece that is cut from there, and back
 * when the piece is given back.
 *
 * @param start where the engine's static data begin.
 * @param bytes the size of a piece that fits at the heap's end and nowhere else.
 * @returns `undefined` where there is not exactly one such word, as with another allocator.
 */
export function findHeapTop(engine: Engine, start: number, bytes: number): number | undefined {
  const read = () => new Uint32Array(engine.bytes.buffer.slice(start, start + SEARCHED_BYTES));
  const before = read();
  let piece = 0;
  let during = before;
  takeAndGiveBack(engine, bytes, (at) => {
    piece = at;
    during = read();
  });
  const after = read();
  let found: number | undefined;
  for (let index = 0; index < before.length; index++) {
    const was = before[index]!;
    const moved = during[index]! - was;
    // The address of a piece is a little behind that of the end it was cut from.
    const isTop = moved >= bytes && moved <= bytes + 64 && piece - was >= 0 && piece - was <= 64;
    if (!isTop || after[index] !== was) continue;
    if (found !== undefined) return undefined;
    found = start + index * 4;
  }
  return found;
}

/** Takes a piece from the heap's end and gives it back, without a trace of the allocator's own in the free memory. */
export function takeAndGiveBack(engine: Engine, bytes: number, meanwhile?: (at: number) => void): void {
  const at = engine.exports.wasm_malloc(bytes);
  if (at === 0) throw new Error('the engine has no memory for its base image');
  meanwhile?.(at);
  engine.exports.wasm_free(at);
  // Its note on what lay behind the piece would make the memory look used up to there.
  engine.bytes.fill(0, at + bytes - NOTE_BYTES, at + bytes + NOTE_BYTES);
}

/** Within so many bytes behind a piece lie the allocator's own words. */
export const NOTE_BYTES = 64;
