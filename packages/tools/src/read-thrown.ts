// Reads what foreign code threw: anything may be thrown, and reading it may throw again.
import { cutText, toLosslessJson } from '@codeseam/lossless-json';
import { ToolCallError } from './errors.ts';
import { TOOL_ERROR_CODES, type ToolErrorCode } from './types.ts';

const MAX_MESSAGE_BYTES = 16_384;
const KNOWN_CODES = new Set<string>(TOOL_ERROR_CODES);

/** The message of anything that was thrown, as bounded text. Never throws and runs no `toString` of objects. */
export function thrownMessage(thrown: unknown): string {
  const text = rawMessage(thrown);
  const bounded = cutText(text, MAX_MESSAGE_BYTES);
  return bounded === text ? text : `${bounded}…`;
}

function rawMessage(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown === '' ? 'failed without a message' : thrown;
  if (thrown === undefined || thrown === null) return `threw ${thrown}`;
  if (typeof thrown !== 'object' && typeof thrown !== 'function') return `threw ${String(thrown)}`;
  try {
    const { message, name } = thrown as { message?: unknown; name?: unknown };
    if (typeof message === 'string' && message !== '') return message;
    if (typeof name === 'string' && name !== '') return name;
  } catch {
    return 'threw a value that cannot be read';
  }
  return 'threw a value without a message';
}

/** Rebuilds what was thrown as a `ToolCallError`; another copy's keeps its code, everything else gets the given one. */
export function asToolCallError(thrown: unknown, otherwise: ToolErrorCode): ToolCallError {
  if (!ToolCallError.is(thrown)) return new ToolCallError(otherwise, thrownMessage(thrown));
  try {
    const { code, hint, toolName, meta } = thrown;
    return new ToolCallError(KNOWN_CODES.has(code) ? code : otherwise, thrownMessage(thrown), {
      ...(typeof hint === 'string' ? { hint } : {}),
      ...(typeof toolName === 'string' ? { toolName } : {}),
      ...(meta === undefined ? {} : { meta: toLosslessJson(meta, { name: 'meta' }) as never }),
    });
  } catch {
    return new ToolCallError(otherwise, thrownMessage(thrown));
  }
}
