// What a run's surroundings are to a worker and to the guest: names, bounds, and the base image that its prelude asks for.
import { createHash } from 'node:crypto';
import { type CodePrelude, guestNames } from '@codeseam/code-runtime';
import type { RunSetup } from './guest/host-functions.ts';
import type { RunSurroundings, WorkerLimits } from './messages.ts';
import type { QuickJsRun } from './run.ts';
import type { Surroundings } from './surroundings.ts';
import type { WorkerThread } from './worker-thread.ts';

/** JSON text of the guest's `RunSetup`. */
export function runSetup(surroundings: Surroundings): string {
  const { maxPendingCalls, maxQueuedCalls, maxCallBytes, maxOutputBytes } = surroundings.limits;
  const setup: RunSetup = {
    ...guestNames(surroundings),
    maxPendingCalls,
    maxQueuedCalls,
    maxCallBytes,
    maxOutputBytes,
  };
  return JSON.stringify(setup);
}

/** What is left to a run, for its coming turn. */
export function limitsOf(run: QuickJsRun): WorkerLimits {
  const { limits, asksSnapshotLimit } = run.surroundings;
  return {
    computeMs: run.computeLeftMs,
    memoryLimitBytes: limits.memoryLimitBytes,
    outputBytes: run.outputLeftBytes,
    snapshotBytes: asksSnapshotLimit ? limits.maxSnapshotBytes : undefined,
  };
}

/** What a thread needs to give the run a VM, without the texts that it has already. */
export function surroundingsOf(thread: WorkerThread, run: QuickJsRun): RunSurroundings {
  const { namespaces, globals, prelude } = run.surroundings;
  return {
    run: run.id,
    base: { key: baseKey(prelude), prelude: prelude?.source, hash: undefined },
    namespaces: namespaces.map(({ global, table }) => ({
      global,
      hash: table.hash,
      ...unlessKnown(thread.knownTables, table),
    })),
    globals: [...globals].map(([name, text]) => ({ name, hash: text.hash, ...unlessKnown(thread.knownGlobals, text) })),
    limits: limitsOf(run),
  };
}

function unlessKnown(known: WorkerThread['knownTables'], { hash, text }: { hash: string; text: string }) {
  const has = known.get(hash);
  known.set(hash, true);
  return has ? {} : { text };
}

const keys = new Map<string, string>();
const MOST_KEYS = 100;

/** Identifies a prelude by its text; the id alone is the consumer's word. */
export function baseKey(prelude: CodePrelude | undefined): string {
  if (!prelude) return '';
  const known = keys.get(prelude.source);
  if (known !== undefined) return known;
  if (keys.size >= MOST_KEYS) keys.clear();
  const key = createHash('sha256').update(prelude.source).digest('base64url');
  keys.set(prelude.source, key);
  return key;
}
