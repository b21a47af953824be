// Work that a caller may spread over time, since it yields where it can be interrupted.

/** Work in steps of well under a millisecond each, as far as the input allows. */
export type Steps<T> = Generator<void, T, void>;

/** Does the work at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
