// What a run waits for, as plain data of a frozen run, and taken up again.
import { type CodeSettlement, callId, deliveryText, MOST_TIMERS, type RunWaits } from '@codeseam/code-runtime';
import type { FrozenState } from './frozen-run.ts';

type FrozenWaits = Pick<FrozenState, 'calls' | 'timers' | 'controls' | 'deliveries'>;

const OUTCOME_UNKNOWN: CodeSettlement = { ok: false, message: 'outcome unknown: the run was restored without it' };

export function freezeWaits({ calls, timers, controls, deliveries }: RunWaits): FrozenWaits {
  return { calls: calls.entries(), timers: timers.entries(), controls: controls.entries(), deliveries };
}

/** @param settlements by call id; a call without one rejects. */
export function thawWaits(
  waits: RunWaits,
  frozen: FrozenWaits,
  settlements: Readonly<Record<string, CodeSettlement | Promise<CodeSettlement>>>,
): void {
  for (const item of frozen.deliveries) waits.deliver(item);
  for (const { seq } of frozen.controls) waits.deliver(deliveryText(seq));
  for (const { seq, path, args, startedAt } of frozen.calls) {
    const id = callId(seq);
    const settlement = Object.hasOwn(settlements, id) ? settlements[id]! : OUTCOME_UNKNOWN;
    waits.calls.adopt({ seq, path, argsJson: args, startedAt }, settlement);
  }
  for (const [seq, dueAt] of frozen.timers.slice(0, MOST_TIMERS)) waits.timers.arm(seq, dueAt);
}
