// Rebuilds an output item field by field: it comes from a thread that runs programs, or from a store.
import { type JsonValue, parseJson } from '@codeseam/lossless-json';
import type { CodeOutputItem } from './types.ts';

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;

/** An output item from its JSON text; `undefined` where it is none. */
export function parseOutputItem(text: string): CodeOutputItem | undefined {
  try {
    return readOutputItem(parseJson(text));
  } catch {
    return undefined;
  }
}

/** Rebuilds an output item; `undefined` where it is none. */
export function readOutputItem(item: JsonValue): CodeOutputItem | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const { type, level, text, value } = item;
  if (type === 'json') return Object.hasOwn(item, 'value') ? { type, value: value! } : undefined;
  if (typeof text !== 'string') return undefined;
  if (type === 'log') return isLevel(level) ? { type, level, text } : undefined;
  return type === 'text' || type === 'note' ? { type, text } : undefined;
}

function isLevel(level: unknown): level is (typeof LEVELS)[number] {
  return LEVELS.includes(level as (typeof LEVELS)[number]);
}
