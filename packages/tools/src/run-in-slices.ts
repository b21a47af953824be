// Lets long work on the host's thread give way: some milliseconds of it, then everybody else.
import { setImmediate } from 'node:timers/promises';
import type { Steps } from '@codeseam/schema-types';

/** Long enough to get on, short enough that nobody notices. */
const SLICE_MS = 5;

/** How many tools a loop over thousands of them handles between two yields. */
export const STEP = 64;

/** Does the work in slices of some milliseconds, and gives way between them. */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await setImmediate();
  }
}
