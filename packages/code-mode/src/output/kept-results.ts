// What was too large to show, kept for `results.read` in a later program of the same session.
import { type JsonValue, jsonBytes } from '@codeseam/lossless-json';
import { nearestNames } from '@codeseam/nearest-names';
import { CodeModeError } from '../errors.ts';

interface Kept {
  readonly value: JsonValue;
  readonly bytes: number;
}

interface Session {
  readonly kept: Map<string, Kept>;
  bytes: number;
  next: number;
}

export interface ReadOptions {
  offset?: number;
  limit?: number;
}

/** Values by session and ref, within a byte budget per session; the oldest go first. */
export class KeptResults {
  readonly #sessions = new Map<string, Session>();

  /**
   * @param value JSON that nobody changes any more.
   * @returns its ref, or `undefined` where it is larger than the whole budget.
   */
  keep(session: string, value: JsonValue, maxBytes: number): string | undefined {
    const bytes = jsonBytes(value, maxBytes);
    if (bytes > maxBytes) return undefined;
    const held = this.#sessions.get(session) ?? { kept: new Map<string, Kept>(), bytes: 0, next: 1 };
    this.#sessions.set(session, held);
    for (const [ref, oldest] of held.kept) {
      if (held.bytes + bytes <= maxBytes) break;
      held.kept.delete(ref);
      held.bytes -= oldest.bytes;
    }
    const ref = `result-${held.next++}`;
    held.kept.set(ref, { value, bytes });
    held.bytes += bytes;
    return ref;
  }

  /**
   * A kept value, or a part of it: characters of a string, items of an array, members of an object.
   *
   * @throws CodeModeError `invalid_input` for an unknown ref or bad options.
   */
  read(session: string, ref: unknown, options: unknown): JsonValue {
    const kept = this.#sessions.get(session)?.kept;
    const found = typeof ref === 'string' ? kept?.get(ref) : undefined;
    if (!found) throw unknownRef(ref, [...(kept?.keys() ?? [])]);
    const range = readRange(options);
    return range ? slice(found.value, range.offset, range.limit) : found.value;
  }

  /** Whether anything is kept for a session. */
  has(session: string): boolean {
    return (this.#sessions.get(session)?.kept.size ?? 0) > 0;
  }

  drop(isDropped: (session: string) => boolean): void {
    for (const session of this.#sessions.keys()) if (isDropped(session)) this.#sessions.delete(session);
  }

  clear(): void {
    this.#sessions.clear();
  }
}

function unknownRef(ref: unknown, refs: string[]): CodeModeError {
  const shown = typeof ref === 'string' ? JSON.stringify(ref.slice(0, 80)) : `a ${ref === null ? 'null' : typeof ref}`;
  const near = typeof ref === 'string' ? nearestNames(ref, refs) : [];
  return new CodeModeError(
    'invalid_input',
    `results.read: ${shown} is not a kept result of this session`,
    refs.length === 0
      ? 'nothing is kept; a result that was cut says its ref, and old ones are dropped'
      : `kept are: ${(near.length > 0 ? near : refs.slice(-5)).join(', ')}`,
  );
}

function readRange(options: unknown): { offset: number; limit: number } | undefined {
  if (options === undefined || options === null) return undefined;
  const bad = (what: string) =>
    new CodeModeError(
      'invalid_input',
      `results.read: ${what}`,
      'for one: results.read("result-1", { offset: 1000, limit: 500 })',
    );
  if (typeof options !== 'object' || Array.isArray(options)) throw bad('the second argument must be { offset, limit }');
  const { offset = 0, limit = Number.MAX_SAFE_INTEGER, ...rest } = options as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw bad(`unknown option ${JSON.stringify(unknown.slice(0, 80))}; there are offset and limit`);
  for (const [name, value] of [
    ['offset', offset],
    ['limit', limit],
  ] as const) {
    if (!Number.isSafeInteger(value) || (value as number) < 0) throw bad(`${name} must be a whole number from 0`);
  }
  return { offset: offset as number, limit: limit as number };
}

function slice(value: JsonValue, offset: number, limit: number): JsonValue {
  const end = offset + limit;
  if (typeof value === 'string') return sliceText(value, offset, end);
  if (Array.isArray(value)) return value.slice(offset, end);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).slice(offset, end));
  return value;
}

/** By UTF-16 code units, as the guest counts; a pair that an edge would split goes to the part where it starts. */
function sliceText(text: string, offset: number, end: number): string {
  const inPair = (index: number) =>
    index > 0 && index < text.length && isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
  return text.slice(offset + (inPair(offset) ? 1 : 0), end + (inPair(end) ? 1 : 0));
}

const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000;
