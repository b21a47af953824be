// The delay that a guest's timer gets, whatever a program gives for one.
import { min, toNumber, trunc } from './intrinsics.ts';

/** Longer delays are cut to this, nearly 25 days: to the host a longer one would mean none. */
const LONGEST_DELAY_MS = 2_147_483_647;

/** Whole milliseconds, at least one, as timers of the web and of Node take them. */
export function timerDelay(delay: unknown): number {
  const number = trunc(toNumber(delay));
  return number >= 1 ? min(number, LONGEST_DELAY_MS) : 1;
}
