// Rebuilds a worker's message field by field. A worker runs hostile programs, so its messages are only claims.
import type { CodeOutputItem } from '@codeseam/code-runtime';
import { type JsonValue, parseJson } from '@codeseam/lossless-json';
import type { Turn } from './messages.ts';
import { readTurn } from './turn-text.ts';

/** A worker's message, checked. `undefined` from {@link readMessage} is one to drop. */
export type WorkerMessage =
  | { readonly kind: 'output'; readonly run: number; readonly items: readonly string[] }
  | { readonly kind: 'turn'; readonly run: number; readonly turn: Turn }
  | { readonly kind: 'parked'; readonly run: number; readonly image: Uint8Array; readonly base: string }
  | { readonly kind: 'misuse'; readonly run: number; readonly message: string };

export function readMessage(message: unknown): WorkerMessage | undefined {
  if (typeof message === 'string') {
    const read = readTurn(message);
    return read && { kind: 'turn', ...read };
  }
  if (!Array.isArray(message)) return undefined;
  const [kind, run, first, ...rest] = message as unknown[];
  if (!Number.isSafeInteger(run)) return undefined;
  const number = run as number;
  switch (kind) {
    case 'output': {
      const items = [first, ...rest];
      return items.every((it) => typeof it === 'string') ? { kind, run: number, items: items as string[] } : undefined;
    }
    case 'parked':
      return first instanceof Uint8Array && typeof rest[0] === 'string'
        ? { kind, run: number, image: first, base: rest[0] }
        : undefined;
    case 'misuse':
      return typeof first === 'string' ? { kind, run: number, message: first } : undefined;
    default:
      return undefined;
  }
}

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
  const { type, level, text: itemText, value } = item;
  if (type === 'json') return Object.hasOwn(item, 'value') ? { type, value: value! } : undefined;
  if (typeof itemText !== 'string') return undefined;
  if (type === 'log') return isLevel(level) ? { type, level, text: itemText } : undefined;
  return type === 'text' || type === 'note' ? { type, text: itemText } : undefined;
}

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;

function isLevel(level: unknown): level is (typeof LEVELS)[number] {
  return LEVELS.includes(level as (typeof LEVELS)[number]);
}
