// Judges a run by what a row of the corpus expects.
import { isDeepStrictEqual } from 'node:util';
import type { CodeFailureKind, CodeRunResult } from '@codeseam/code-runtime';

export interface AttackRow {
  readonly id: string;
  readonly group: string;
  readonly program: string;
  readonly expect: Expected;
  /** Where and why the row differs from the corpus. */
  readonly mended?: string;
}

export interface Expected {
  readonly outcome: 'value' | 'error' | 'limit' | 'any-safe' | 'oneOf';
  readonly of?: readonly Expected[];
  readonly value?: unknown;
  /** A pattern for the value's JSON text, or for the failure's text. */
  readonly match?: string;
  readonly matchType?: string;
  readonly lastElement?: unknown;
  readonly calls?: Readonly<Record<string, number>>;
  readonly callsMax?: number;
  readonly outputMaxBytes?: number;
  /** Milliseconds to the end of the run. */
  readonly maxMs?: number;
  /** Mebibytes by which the process may grow meanwhile. */
  readonly rssMaxMb?: number;
  readonly after?: { readonly program: string; readonly value: unknown };
}

/** What a program may fail with by itself; everything else is a limit that stopped it. */
const OWN_FAILURES: readonly CodeFailureKind[] = ['exception', 'syntax', 'module-access', 'invalid-output'];

/** Says what is not as expected, or nothing. */
export function judgeOutcome(
  expected: Expected,
  result: CodeRunResult,
  calls: Readonly<Record<string, number>>,
): string | undefined {
  if (expected.outcome === 'oneOf') {
    const misses = (expected.of ?? []).map((it) => judgeOutcome(it, result, calls));
    return misses.includes(undefined) ? undefined : `none of: ${misses.join('; ')}`;
  }
  return judgeKind(expected, result) ?? judgeCalls(expected, calls) ?? judgeOutput(expected, result);
}

function judgeKind(expected: Expected, { value, error }: CodeRunResult): string | undefined {
  const text = error ? `${error.name ?? ''}: ${error.message}` : (JSON.stringify(value) ?? 'null');
  switch (expected.outcome) {
    case 'any-safe':
      return undefined;
    case 'limit':
      return error ? undefined : `expected a limit, but got the value ${text.slice(0, 200)}`;
    case 'error':
      if (!error) return `expected an error, but got the value ${text.slice(0, 200)}`;
      if (!OWN_FAILURES.includes(error.kind))
        return `expected an error of its own, but it ended as ${error.kind} (${error.message})`;
      return matches(expected.match, text);
    default:
      return error
        ? `expected a value, but it failed as ${error.kind} (${text.slice(0, 300)})`
        : judgeValue(expected, value ?? null, text);
  }
}

function judgeValue(expected: Expected, value: unknown, text: string): string | undefined {
  if ('value' in expected && !isDeepStrictEqual(JSON.parse(JSON.stringify(value)), expected.value)) {
    return `expected ${JSON.stringify(expected.value)}, but got ${text.slice(0, 200)}`;
  }
  if (expected.matchType !== undefined && typeof value !== expected.matchType)
    return `expected a ${expected.matchType}, but got ${text.slice(0, 200)}`;
  if ('lastElement' in expected && (!Array.isArray(value) || !isDeepStrictEqual(value.at(-1), expected.lastElement))) {
    return `expected the last element ${JSON.stringify(expected.lastElement)}, but got ${text.slice(0, 200)}`;
  }
  return matches(expected.match, text);
}

function matches(pattern: string | undefined, text: string): string | undefined {
  if (pattern === undefined || new RegExp(pattern, 'i').test(text)) return undefined;
  return `expected ${pattern} in ${text.slice(0, 300)}`;
}

function judgeCalls({ calls: exact, callsMax }: Expected, calls: Readonly<Record<string, number>>): string | undefined {
  const total = Object.values(calls).reduce((sum, count) => sum + count, 0);
  if (callsMax !== undefined && total > callsMax) return `expected at most ${callsMax} calls, but saw ${total}`;
  for (const [name, count] of Object.entries(exact ?? {})) {
    if ((calls[name] ?? 0) !== count) return `expected ${count} calls of ${name}, but saw ${calls[name] ?? 0}`;
  }
  return undefined;
}

function judgeOutput({ outputMaxBytes }: Expected, result: CodeRunResult): string | undefined {
  // What the program put out, as the budget counts it: not the form in which an item comes.
  const texts = result.output.map((item) => (item.type === 'json' ? JSON.stringify(item.value) : item.text));
  const bytes = Buffer.byteLength(JSON.stringify(texts));
  return outputMaxBytes !== undefined && bytes > outputMaxBytes ? `${bytes} bytes of output` : undefined;
}

/** Whether a row may end at a limit, and so should get small ones. */
export function mayReachLimit({ outcome, of }: Expected): boolean {
  return outcome === 'limit' || outcome === 'any-safe' || (of?.some(mayReachLimit) ?? false);
}
