// What an abort signal says of its reason.

/** The message of a signal's reason, in words. */
export function abortMessage(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  try {
    if (reason instanceof Error || (typeof reason === 'object' && reason !== null && 'message' in reason)) {
      return String(reason.message) || 'the run was aborted';
    }
    return reason === undefined || reason === '' ? 'the run was aborted' : String(reason);
  } catch {
    return 'the run was aborted';
  }
}
