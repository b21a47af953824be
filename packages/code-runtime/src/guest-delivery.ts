// What settles something that a program waits for, as it crosses to the guest.
import type { CallOutcome } from './host-calls.ts';

/**
 * `[seq, value]` resolves a call; `[seq]` resolves it with nothing, fires a timer, or lets a control go on; `[seq, 0, message,
 * code, member]` rejects a call, with null for what there is not.
 */
export type GuestDelivery =
  | readonly [seq: number]
  | readonly [seq: number, value: unknown]
  | readonly [seq: number, no: 0, message: string, code: string | null, member: string | null];

/** A {@link GuestDelivery} as JSON text. Timers and controls have no outcome. */
export function deliveryText(seq: number, outcome?: CallOutcome): string {
  if (!outcome) return `[${seq}]`;
  if (outcome.ok) return outcome.json === undefined ? `[${seq}]` : `[${seq},${outcome.json}]`;
  return JSON.stringify([seq, 0, outcome.message, outcome.code ?? null, outcome.member ?? null]);
}
