// Rebuilds a worker's message field by field. A worker runs hostile programs, so its messages are only claims.
import type { JsonValue } from '@codeseam/lossless-json';
import type { Turn } from './messages.ts';
import { readTurn } from './turn-text.ts';

/** A worker's message, checked. `undefined` from {@link readMessage} is none that our worker sends. */
export type WorkerMessage =
  | { readonly kind: 'output'; readonly run: number; readonly items: readonly string[] }
  | { readonly kind: 'turn'; readonly run: number; readonly turn: Turn<JsonValue> }
  | { readonly kind: 'parked'; readonly run: number; readonly image: Uint8Array; readonly base: string }
  | { readonly kind: 'misuse'; readonly run: number; readonly message: string };

export function readMessage(message: unknown): WorkerMessage | undefined {
  if (typeof message === 'string') {
    const read = readTurn(message);
    return read && { kind: 'turn', ...read };
  }
  if (!Array.isArray(message) || message.length < SHORTEST || message.length > LONGEST) return undefined;
  const [kind, run, first] = message as unknown[];
  if (!Number.isSafeInteger(run)) return undefined;
  const number = run as number;
  switch (kind) {
    case 'output': {
      const items = message.slice(2) as unknown[];
      return items.every((it) => typeof it === 'string') ? { kind, run: number, items: items as string[] } : undefined;
    }
    case 'parked': {
      const base = message[3] as unknown;
      return isOwnImage(first) && typeof base === 'string' ? { kind, run: number, image: first, base } : undefined;
    }
    case 'misuse':
      return typeof first === 'string' ? { kind, run: number, message: first } : undefined;
    default:
      return undefined;
  }
}

/** Lists between these lengths are looked at: a sparse one may claim billions of items. */
const SHORTEST = 3;
const LONGEST = 200_000;

/** Whether bytes can be handed on to another thread: they fill a buffer which is not shared. */
function isOwnImage(value: unknown): value is Uint8Array<ArrayBuffer> {
  return (
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
  );
}
