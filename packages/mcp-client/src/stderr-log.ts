// Passes a server's stderr on to the log, but no more than a log can take.

const WINDOW_MS = 10_000;
const LINES_PER_WINDOW = 200;

/** Gives a function that takes lines: 200 in ten seconds are passed on, the rest is counted and told at the end of them. */
export function limitLines(pass: (line: string) => void): (line: string) => void {
  let passed = 0;
  let dropped = 0;
  let windowEnd = 0;
  return (line) => {
    const now = Date.now();
    if (now >= windowEnd) {
      if (dropped > 0) pass(`[${dropped} more lines were dropped]`);
      passed = 0;
      dropped = 0;
      windowEnd = now + WINDOW_MS;
    }
    if (passed < LINES_PER_WINDOW) {
      passed += 1;
      pass(line);
    } else {
      if (dropped === 0) pass('[too many lines: more lines are dropped for up to 10 s]');
      dropped += 1;
    }
  };
}
