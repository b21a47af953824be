// Rebuilds a message of the thread field by field. The thread is not trusted: a program may reach its port.
import { type CodeFailureKind, readSeenFailure } from '@codeseam/code-runtime';
import { type JsonValue, parseJson } from '@codeseam/lossless-json';
import type { ThreadMessage } from './messages.ts';

/** Gives the message, or `undefined` for anything that is not one. */
export function readThreadMessage(data: unknown): ThreadMessage | undefined {
  const parts = isText(data) ? readJson(data) : undefined;
  if (!Array.isArray(parts)) return undefined;
  const [kind, first, second, third, fourth] = parts;
  switch (kind) {
    case 'started':
    case 'idle':
      return { kind };
    case 'taken':
      return isText(first) ? { kind, name: first } : undefined;
    case 'output':
      return isText(first) ? { kind, item: first } : undefined;
    case 'call':
      return isCount(first) && isCount(second) && isTexts(third) && isText(fourth)
        ? { kind, seq: first, namespace: second, path: third, args: fourth }
        : undefined;
    case 'control': {
      const payload = isText(third) ? readJson(third) : undefined;
      return isCount(first) && isText(second) && payload !== undefined
        ? { kind, seq: first, name: second, payload }
        : undefined;
    }
    case 'timer':
      return isCount(first) && typeof second === 'number' ? { kind, seq: first, delay: second } : undefined;
    case 'clear':
      return isCount(first) ? { kind, seq: first } : undefined;
    case 'wait':
      return isCount(first) ? { kind, taken: first } : undefined;
    case 'done': {
      if (first === undefined) return { kind };
      const value = isText(first) ? readJson(first) : undefined;
      return value === undefined ? undefined : { kind, value };
    }
    case 'failed': {
      const failure = readSeenFailure(first);
      return failure && FAILURE_KINDS.includes(failure.kind) ? { kind, failure } : undefined;
    }
    default:
      return undefined;
  }
}

/** The value of a JSON text; `undefined` where it is none. */
function readJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A program fails in these ways; all others are for the host to see. */
const FAILURE_KINDS: readonly CodeFailureKind[] = ['exception', 'invalid-output', 'syntax'];

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
