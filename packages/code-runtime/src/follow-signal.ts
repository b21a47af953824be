// A consumer's abort signal, followed for as long as a run lives.

/**
 * Calls `cancel` once when a signal is aborted, or right after this turn where it is already, with the reason in words.
 *
 * @returns ends it.
 */
export function followSignal(signal: AbortSignal | undefined, cancel: (message: string) => void): () => void {
  if (!signal) return () => {};
  let following = true;
  const abort = () => {
    if (following) cancel(messageOf(signal.reason));
    following = false;
  };
  if (signal.aborted) queueMicrotask(abort);
  else signal.addEventListener('abort', abort, { once: true });
  return () => {
    following = false;
    signal.removeEventListener('abort', abort);
  };
}

function messageOf(reason: unknown): string {
  try {
    if (reason instanceof Error || (typeof reason === 'object' && reason !== null && 'message' in reason)) {
      return String(reason.message) || 'the run was aborted';
    }
    return reason === undefined || reason === '' ? 'the run was aborted' : String(reason);
  } catch {
    return 'the run was aborted';
  }
}
