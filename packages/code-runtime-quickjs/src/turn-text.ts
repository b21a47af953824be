// The end of a turn as one string: most turns are a call or two, and a string crosses threads at a third of the cost of a list.
//
// A line of whole numbers: run, busy microseconds, heap bytes, the length of the rest; then for each call its number, namespace, and
// the lengths of path and arguments. After the line the texts themselves: the rest, then path and arguments of each call.
import { readSeenFailure } from '@codeseam/code-runtime';
import { type JsonValue, parseJson } from '@codeseam/lossless-json';
import type { GuestCall, Turn, TurnRest } from './messages.ts';

const HEAD_NUMBERS = 4;
const CALL_NUMBERS = 4;

/** Writes the end of a turn. */
export function writeTurn(run: number, { computeMs, heapBytes, calls, rest }: Turn): string {
  const restText = rest ? JSON.stringify(rest) : '';
  let head = `${run} ${Math.round(computeMs * 1000)} ${heapBytes} ${restText.length}`;
  let texts = restText;
  for (const { seq, namespace, path, args } of calls) {
    head += ` ${seq} ${namespace} ${path.length} ${args.length}`;
    texts += path + args;
  }
  return `${head}\n${texts}`;
}

/** Reads what {@link writeTurn} wrote, as a claim: every field is rebuilt. `undefined` where it is not one. */
export function readTurn(text: string): { run: number; turn: Turn<JsonValue> } | undefined {
  const headEnd = text.indexOf('\n');
  const numbers = text.slice(0, Math.max(headEnd, 0)).split(' ').map(Number);
  if (headEnd === -1 || (numbers.length - HEAD_NUMBERS) % CALL_NUMBERS !== 0) return undefined;
  const [run, computeUs, heapBytes, restLength] = numbers as [number, number, number, number];
  if (!isSeq(run) || !isSeq(restLength)) return undefined;
  let at = headEnd + 1;
  const take = (length: number): string => {
    at += length;
    return text.slice(at - length, at);
  };
  const restText = take(restLength);
  const calls: GuestCall[] = [];
  for (let index = HEAD_NUMBERS; index < numbers.length; index += CALL_NUMBERS) {
    const seq = numbers[index]!;
    const namespace = numbers[index + 1]!;
    const pathLength = numbers[index + 2]!;
    const argsLength = numbers[index + 3]!;
    if (!isSeq(seq) || !isSeq(namespace) || !isSeq(pathLength) || !isSeq(argsLength)) return undefined;
    calls.push({ seq, namespace, path: take(pathLength), args: take(argsLength) });
  }
  // Lengths that do not add up to the text's are of something else.
  if (at !== text.length) return undefined;
  const rest = restText === '' ? undefined : readRest(restText);
  if (rest === null) return undefined;
  return {
    run,
    turn: {
      computeMs: nonNegative(computeUs) / 1000,
      heapBytes: nonNegative(heapBytes),
      calls,
      ...(rest ? { rest } : {}),
    },
  };
}

function readRest(text: string): TurnRest<JsonValue> | null {
  try {
    const given = JSON.parse(text) as Partial<Record<keyof TurnRest, unknown>>;
    if (typeof given !== 'object' || given === null) return null;
    const timers = listOf(given.timers, (it) =>
      isSeq(it['seq']) ? { seq: it['seq'], delay: typeof it['delay'] === 'number' ? it['delay'] : 0 } : undefined,
    );
    const controls = listOf(given.controls, (it) =>
      isSeq(it['seq']) && typeof it['name'] === 'string' && typeof it['payload'] === 'string'
        ? { seq: it['seq'], name: it['name'], payload: parseJson(it['payload']) }
        : undefined,
    );
    const end = given.end === undefined ? undefined : readEnd(given.end);
    if (!timers || !controls || !Array.isArray(given.cleared) || end === null) return null;
    return { timers, cleared: given.cleared.filter(isSeq), controls, ...(end ? { end } : {}) };
  } catch {
    // Something in it is no JSON.
    return null;
  }
}

/** @throws where its value is no JSON. */
function readEnd(given: unknown): NonNullable<TurnRest<JsonValue>['end']> | null {
  if (typeof given !== 'object' || given === null) return null;
  const { value, failure } = given as Record<string, unknown>;
  if (failure === undefined) {
    if (value === undefined) return {};
    return typeof value === 'string' ? { value: parseJson(value) } : null;
  }
  const seen = readSeenFailure(failure);
  return seen ? { failure: seen } : null;
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

function nonNegative(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0;
}
