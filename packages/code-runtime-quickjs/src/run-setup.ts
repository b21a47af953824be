// What a run's surroundings are to the guest: its names and bounds, and the base image that its prelude asks for.
import { createHash } from 'node:crypto';
import type { CodePrelude } from '@codeseam/code-runtime';
import type { RunSetup } from './guest/host-functions.ts';
import type { Surroundings } from './run.ts';

/** JSON text of the guest's `RunSetup`. */
export function runSetup({ namespaces, globals, limits }: Surroundings): string {
  const errors: { name: string; property: string }[] = [];
  const indexOf = (error: { name: string; memberNameProperty: string } | undefined): number => {
    if (!error) return -1;
    const known = errors.findIndex((it) => it.name === error.name);
    return known === -1 ? errors.push({ name: error.name, property: error.memberNameProperty }) - 1 : known;
  };
  const setup: RunSetup = {
    namespaces: namespaces.map(({ global, errorClass }) => ({ global, error: indexOf(errorClass) })),
    errors,
    globals: [...globals.keys()],
    maxPendingCalls: limits.maxPendingCalls,
    maxQueuedCalls: limits.maxQueuedCalls,
    maxCallBytes: limits.maxCallBytes,
  };
  return JSON.stringify(setup);
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
