// Where the engine keeps the seed of `Math.random`, so that each run can be given its own without a word of guest code.
import type { Engine } from './engine.ts';

const MASK = (1n << 64n) - 1n;
/** The context object begins at its pointer; its seed lies within this many bytes. */
const SEARCHED_BYTES = 4096;

/** One step of xorshift64*, the generator behind `Math.random`. */
function nextState(state: bigint): bigint {
  let next = state ^ (state >> 12n);
  next ^= (next << 25n) & MASK;
  return next ^ (next >> 27n);
}

/**
 * Finds the eight bytes that one `Math.random()` moves by one step of the generator.
 *
 * @throws Error where there is no such place: the engine is not the one this package was written for.
 */
export function findRandomState(engine: Engine): number {
  const start = engine.exports.qjs_get_context_ptr();
  const read = () =>
    Array.from({ length: SEARCHED_BYTES / 8 }, (_, index) => engine.view.getBigUint64(start + index * 8, true));
  const before = read();
  engine.free(engine.evaluate('Math.random()', 'seed'));
  const after = read();
  const found = before.findIndex(
    (state, index) => state !== 0n && state !== after[index] && nextState(state) === after[index],
  );
  if (found === -1) throw new Error("the seed of the engine's Math.random was not found");
  return start + found * 8;
}
