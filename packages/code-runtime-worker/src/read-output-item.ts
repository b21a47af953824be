// Rebuilds an output item of the thread field by field.
import type { CodeOutputItem } from '@codeseam/code-runtime';
import { parseJson } from '@codeseam/lossless-json';

const LEVELS = new Set(['log', 'info', 'warn', 'error', 'debug']);

/** Gives the item, or `undefined` for anything that is not one. */
export function readOutputItem(json: string): CodeOutputItem | undefined {
  let read: unknown;
  try {
    read = parseJson(json);
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
  const { type, level, text, value } = read as Record<string, unknown>;
  if (type === 'json') return Object.hasOwn(read, 'value') ? { type, value: value as never } : undefined;
  if (typeof text !== 'string') return undefined;
  if (type === 'text' || type === 'note') return { type, text };
  if (type === 'log' && typeof level === 'string' && LEVELS.has(level)) return { type, level: level as 'log', text };
  return undefined;
}
