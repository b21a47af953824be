// Runs something under a time limit.
import { timedOut } from './call-errors.ts';

/** How long what ran out of time may take to end after it was aborted. */
const ABORT_GRACE_MS = 250;

/**
 * Aborts the signal given to `run` after `ms`, waits a moment for it to end, and then gives up on it: its late result is dropped.
 *
 * @throws {ToolCallError} `TOOL_TIMEOUT`, whatever `run` does once its time is over.
 */
export async function withDeadline<T>(
  name: string,
  ms: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timer = new AbortController();
  const timeout = timedOut(name, ms);
  let grace: NodeJS.Timeout | undefined;
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(() => {
      timer.abort(timeout);
      grace = setTimeout(() => reject(timeout), ABORT_GRACE_MS);
    }, ms);
  });
  try {
    const result = await Promise.race([run(AbortSignal.any([signal, timer.signal])), late]);
    if (timer.signal.aborted) throw timeout;
    return result;
  } catch (error) {
    throw timer.signal.aborted ? timeout : error;
  } finally {
    clearTimeout(limit);
    clearTimeout(grace);
  }
}
