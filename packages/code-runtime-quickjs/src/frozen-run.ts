// A frozen run as plain data: packs what the host keeps of a run beside its image, and reads it back with suspicion.
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type CodeOutputItem, callId, type FrozenRun, readOutputItem } from '@codeseam/code-runtime';
import { type JsonValue, parseJson, stringifyJson } from '@codeseam/lossless-json';
import { LIMITS } from './limits.ts';

/** The format of images and state, and the engine whose memory they hold. */
export const FROZEN_VERSION = 'codeseam-quickjs/1 quickjs-wasi/3.7.0';
/** Text of tables may inflate to this much. */
const LARGEST_TABLES = 256 * 1024 * 1024;

/** What a frozen run holds beside its image. */
export interface FrozenState {
  readonly calls: readonly {
    readonly seq: number;
    readonly path: readonly string[];
    readonly args: string;
    readonly startedAt: number;
  }[];
  /** `[seq, dueAt]`. */
  readonly timers: readonly (readonly [number, number])[];
  readonly controls: readonly { readonly seq: number; readonly name: string; readonly payload: JsonValue }[];
  /** Settled while held, as JSON texts of `GuestDelivery` items, in order. */
  readonly deliveries: readonly string[];
  readonly output: readonly CodeOutputItem[];
  readonly usage: {
    readonly computeMs: number;
    readonly wallMs: number;
    readonly heapBytes: number;
    readonly calls: number;
  };
  readonly limits: Readonly<Record<string, number>>;
  /** The names of the start: each namespace and the text of its table. */
  readonly namespaces: readonly { readonly global: string; readonly table: string }[];
  readonly globals: readonly string[];
}

/** A frozen run that cannot be brought back, and why. */
export class FrozenRunError extends Error {
  override readonly name = 'FrozenRunError';
}

/** Packs a run. `base` is the hash of the base image that `image` is a difference from. */
export function packFrozenRun(image: Uint8Array, base: string, state: FrozenState): FrozenRun {
  const { namespaces, output, ...rest } = state;
  const tables = deflateRawSync(JSON.stringify(namespaces)).toString('base64');
  const text = stringifyJson({ ...rest, output, tables } as unknown as JsonValue);
  const calls = state.calls.map(({ seq, path }) => ({ id: callId(seq), path: [...path] }));
  return { version: FROZEN_VERSION, base, image, state: `${digest(base, image, text)} ${text}`, calls };
}

/**
 * Reads a frozen run.
 *
 * @throws FrozenRunError where it is damaged, or of another format or engine.
 */
export function readFrozenRun(frozen: FrozenRun): FrozenState {
  const { version, base, image, state } = (frozen ?? {}) as Partial<FrozenRun>;
  if (version !== FROZEN_VERSION)
    throw new FrozenRunError(
      `the run was frozen by another version (${shown(version)}); this one is ${FROZEN_VERSION}`,
    );
  if (typeof base !== 'string' || !(image instanceof Uint8Array) || typeof state !== 'string') throw damaged();
  const space = state.indexOf(' ');
  const text = state.slice(space + 1);
  if (space === -1 || state.slice(0, space) !== digest(base, image, text)) throw damaged();
  try {
    return readState(parseJson(text));
  } catch {
    throw damaged();
  }
}

function digest(base: string, image: Uint8Array, text: string): string {
  const hash = createHash('sha256').update(FROZEN_VERSION).update('\0').update(base).update('\0');
  return hash.update(`${image.length}\0`).update(image).update(text).digest('base64url');
}

function damaged(): FrozenRunError {
  return new FrozenRunError('the frozen run is damaged');
}

function shown(version: unknown): string {
  return typeof version === 'string' ? JSON.stringify(version.slice(0, 80)) : typeof version;
}

// ---- Reading; whatever is wrong throws, and becomes one error ----

function readState(value: JsonValue): FrozenState {
  const state = record(value);
  const usage = record(state['usage']);
  const tables = inflateRawSync(Buffer.from(text(state['tables']), 'base64'), { maxOutputLength: LARGEST_TABLES });
  return {
    calls: list(state['calls'], (it) => {
      const call = record(it);
      return {
        seq: count(call['seq']),
        path: list(call['path'], text),
        args: text(call['args']),
        startedAt: number(call['startedAt']),
      };
    }),
    timers: list(state['timers'], (it) => {
      const [seq, dueAt] = list(it, number);
      return [count(seq), number(dueAt)] as const;
    }),
    controls: list(state['controls'], (it) => {
      const control = record(it);
      return { seq: count(control['seq']), name: text(control['name']), payload: control['payload'] ?? null };
    }),
    deliveries: list(state['deliveries'], text),
    output: list(state['output'], outputItem),
    usage: {
      computeMs: number(usage['computeMs']),
      wallMs: number(usage['wallMs']),
      heapBytes: number(usage['heapBytes']),
      calls: count(usage['calls']),
    },
    limits: readLimits(record(state['limits'])),
    namespaces: list(JSON.parse(tables.toString()) as JsonValue, (it) => {
      const namespace = record(it);
      return { global: text(namespace['global']), table: text(namespace['table']) };
    }),
    globals: list(state['globals'], text),
  };
}

function readLimits(given: Record<string, JsonValue>): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const name of Object.keys(LIMITS)) if (given[name] !== undefined) limits[name] = number(given[name]);
  return limits;
}

function outputItem(value: JsonValue): CodeOutputItem {
  const item = readOutputItem(value);
  if (!item) throw damaged();
  return item;
}

function record(value: unknown): Record<string, JsonValue> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged();
  return value as Record<string, JsonValue>;
}

function list<T>(value: unknown, read: (item: JsonValue) => T): T[] {
  if (!Array.isArray(value)) throw damaged();
  return (value as JsonValue[]).map(read);
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw damaged();
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw damaged();
  return value;
}

function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw damaged();
  return value as number;
}
