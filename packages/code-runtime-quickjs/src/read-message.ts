// Rebuilds a worker's message field by field. A worker runs hostile programs, so its messages are only claims.
import { CODE_FAILURE_KINDS, type CodeFailureKind, type CodeOutputItem } from '@codeseam/code-runtime';
import { type JsonValue, parseJson } from '@codeseam/lossless-json';
import type { GuestCall, Turn, TurnRest, WorkerFailure } from './messages.ts';

/** A worker's message, checked. `undefined` from {@link readMessage} is one to drop. */
export type WorkerMessage =
  | { readonly kind: 'output'; readonly run: number; readonly items: readonly string[] }
  | { readonly kind: 'turn'; readonly run: number; readonly turn: Turn }
  | { readonly kind: 'parked'; readonly run: number; readonly image: Uint8Array; readonly base: string }
  | { readonly kind: 'misuse'; readonly run: number; readonly message: string };

export function readMessage(message: unknown): WorkerMessage | undefined {
  if (!Array.isArray(message)) return undefined;
  const [kind, run, first, ...rest] = message as unknown[];
  if (!Number.isSafeInteger(run)) return undefined;
  const number = run as number;
  switch (kind) {
    case 'output': {
      const items = [first, ...rest];
      return items.every((it) => typeof it === 'string') ? { kind, run: number, items: items as string[] } : undefined;
    }
    case 'turn': {
      const turn = readTurn(message as unknown[]);
      return turn && { kind, run: number, turn };
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

const TURN_HEAD = 5;
const CALL_FIELDS = 4;

function readTurn(message: unknown[]): Turn | undefined {
  const [, , computeMs, heapBytes, restText] = message;
  if (typeof restText !== 'string' || (message.length - TURN_HEAD) % CALL_FIELDS !== 0) return undefined;
  const calls: GuestCall[] = [];
  for (let at = TURN_HEAD; at < message.length; at += CALL_FIELDS) {
    const [seq, namespace, path, args] = message.slice(at, at + CALL_FIELDS);
    if (!isSeq(seq) || !isSeq(namespace) || typeof path !== 'string' || typeof args !== 'string') return undefined;
    calls.push({ seq, namespace, path, args });
  }
  const rest = restText === '' ? undefined : readRest(restText);
  if (rest === null) return undefined;
  return {
    computeMs: nonNegative(computeMs),
    heapBytes: nonNegative(heapBytes),
    calls,
    ...(rest ? { rest } : {}),
  };
}

function readRest(text: string): TurnRest | null {
  let given: Partial<Record<keyof TurnRest, unknown>>;
  try {
    given = JSON.parse(text) as typeof given;
  } catch {
    return null;
  }
  if (typeof given !== 'object' || given === null) return null;
  const timers = listOf(given.timers, (it) =>
    isSeq(it['seq']) ? { seq: it['seq'], delay: typeof it['delay'] === 'number' ? it['delay'] : 0 } : undefined,
  );
  const controls = listOf(given.controls, (it) =>
    isSeq(it['seq']) && typeof it['name'] === 'string' && typeof it['payload'] === 'string'
      ? { seq: it['seq'], name: it['name'], payload: it['payload'] }
      : undefined,
  );
  const end = given.end === undefined ? undefined : readEnd(given.end);
  if (!timers || !controls || !Array.isArray(given.cleared) || end === null) return null;
  return { timers, cleared: given.cleared.filter(isSeq), controls, ...(end ? { end } : {}) };
}

function readEnd(given: unknown): NonNullable<TurnRest['end']> | null {
  if (typeof given !== 'object' || given === null) return null;
  const { value, failure } = given as Record<string, unknown>;
  if (failure === undefined) return value === undefined ? {} : typeof value === 'string' ? { value } : null;
  if (typeof failure !== 'object' || failure === null) return null;
  const fields = failure as Record<keyof WorkerFailure, unknown>;
  if (!CODE_FAILURE_KINDS.includes(fields.kind as CodeFailureKind) || typeof fields.message !== 'string') return null;
  return {
    failure: {
      kind: fields.kind as CodeFailureKind,
      message: fields.message,
      ...(typeof fields.name === 'string' ? { name: fields.name } : {}),
      ...(typeof fields.stack === 'string' ? { stack: fields.stack } : {}),
      ...(isSeq(fields.line) ? { line: fields.line } : {}),
      ...(isSeq(fields.column) ? { column: fields.column } : {}),
      ...(typeof fields.hint === 'string' ? { hint: fields.hint } : {}),
      ...(isSeq(fields.callSeq) ? { callSeq: fields.callSeq } : {}),
    },
  };
}

function listOf<T>(given: unknown, read: (item: Record<string, unknown>) => T | undefined): T[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const items: T[] = [];
  for (const item of given as unknown[]) {
    const made = typeof item === 'object' && item !== null ? read(item as Record<string, unknown>) : undefined;
    if (made === undefined) return undefined;
    items.push(made);
  }
  return items;
}

function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function nonNegative(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
