// What a rejected host function lets cross to the guest: its message, and a code and member if it was a CodeCallError.

/** Reads a rejection of any shape; never throws, and never gives a stack, a prototype or a path. */
export function readRejection(reason: unknown): { message: string; code?: string; member?: string } {
  try {
    if (typeof reason !== 'object' || reason === null) return { message: String(reason) };
    const { name, message, code, member } = reason as Record<string, unknown>;
    const read = { message: typeof message === 'string' ? message : 'the host function failed' };
    // By name and not by class: two copies of this package may meet in one process.
    if (name !== 'CodeCallError') return read;
    return {
      ...read,
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof member === 'string' ? { member } : {}),
    };
  } catch {
    return { message: 'the host function failed' };
  }
}
