// Takes up what a turn of guest code asked for.
import type { CodeControlEvent, CodeRunFailure, RunWaits } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import type { Turn } from './messages.ts';
import { LYING_THREAD } from './program-failure.ts';
import { readPath } from './read-path.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Starts the calls and timers of a turn. Its thread may lie: more than a guest could ask for fails the run.
 *
 * @param onControl told of each control that was raised.
 */
export function acceptTurn(
  waits: RunWaits,
  { calls, rest }: Turn<JsonValue>,
  { maxPendingCalls, maxQueuedCalls }: Surroundings['limits'],
  onControl: (event: CodeControlEvent) => void,
): CodeRunFailure | undefined {
  for (const { seq, namespace, path, args } of calls) {
    const members = readPath(path);
    if (!members) continue;
    if (waits.calls.size >= maxPendingCalls + maxQueuedCalls) return LYING_THREAD;
    waits.call(seq, namespace, members, args);
  }
  if (!rest) return undefined;
  for (const seq of rest.cleared) waits.timers.clear(seq);
  if (rest.end) return undefined;
  const now = Date.now();
  const cleared = new Set(rest.cleared);
  for (const { seq, delay } of rest.timers) {
    if (!cleared.has(seq) && !waits.timers.arm(seq, now + delay, now)) return LYING_THREAD;
  }
  for (const { seq, name, payload } of rest.controls) {
    const event = waits.controls.raise(seq, name, payload);
    if (event) onControl(event);
  }
  return undefined;
}
