// The surroundings of a thawed run: the names of its start, the functions and data that the thaw gives for them.
import { createHash } from 'node:crypto';
import {
  type CheckedNamespace,
  type CodeRunLimits,
  CodeRuntimeError,
  type CodeSettlement,
  type GlobalText,
} from '@codeseam/code-runtime';
import type { FrozenState } from './frozen-run.ts';
import type { RuntimeLimits } from './limits.ts';
import type { Surroundings } from './surroundings.ts';

/** What stands for a global that the thaw does not give: reading it throws. One that the program has read before is in its image. */
const MISSING: GlobalText = globalOf('');

/**
 * Joins a frozen run's names with what its thaw gives. Limits that the thaw does not set are those of the start, as far as
 * the runtime allows them.
 */
export function thawedSurroundings(
  state: FrozenState,
  given: Surroundings,
  asked: Partial<CodeRunLimits>,
  ranges: RuntimeLimits,
): Surroundings {
  const byGlobal = new Map(given.namespaces.map((it) => [it.global, it]));
  const namespaces = state.namespaces.map(({ global, table }): CheckedNamespace => {
    const functions = byGlobal.get(global)?.table;
    return { global, table: { ...globalOf(table), find: (path) => functions?.find(path) } };
  });
  const limits: Record<string, number | undefined> = { ...given.limits };
  for (const [name, value] of Object.entries(state.limits)) {
    const limit = name as keyof RuntimeLimits;
    if (asked[limit] === undefined) limits[name] = Math.min(Math.max(value, ranges[limit].min), ranges[limit].max);
  }
  return {
    ...given,
    namespaces,
    globals: new Map(state.globals.map((name) => [name, given.globals.get(name) ?? MISSING])),
    limits: limits as Surroundings['limits'],
  };
}

/** @throws CodeRuntimeError where the settlements are no record, or one is of no call's id. */
export function checkSettlements(value: unknown): Record<string, CodeSettlement | Promise<CodeSettlement>> {
  if (typeof value !== 'object' || value === null) {
    throw new CodeRuntimeError('invalid-request', 'settlements must be a record from call ids to settlements');
  }
  // An id of a call that is settled already is none of the caller's mistakes: it may have settled just before the freeze.
  const odd = Object.keys(value).find((id) => !CALL_ID.test(id));
  if (odd === undefined) return value as Record<string, CodeSettlement>;
  throw new CodeRuntimeError(
    'invalid-request',
    `settlements: "${odd}" is not the id of a call`,
    "take the ids from the frozen run's calls",
  );
}

const CALL_ID = /^call-[1-9][0-9]*$/;

function globalOf(text: string): GlobalText {
  return { text, hash: createHash('sha256').update(text).digest('base64url') };
}
