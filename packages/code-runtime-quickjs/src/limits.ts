// The limits of a run on this provider: defaults, and the greatest values a config may allow.
import type { LimitRange } from '@codeseam/code-runtime';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every limit with its default and range, before a config narrows it. `wallMs` has no default: a run has none unless it asks. */
export const LIMITS = {
  /** Milliseconds that the guest itself is busy, over the whole run; waiting on the host does not count. */
  computeMs: { default: 10_000, min: 1, max: 600_000 },
  /** Milliseconds from start to end. */
  wallMs: { min: 1, max: 2_147_483_647 },
  /** Bytes of guest heap beyond what the runtime itself needs. */
  memoryLimitBytes: { default: 64 * MIB, min: MIB, max: 1024 * MIB },
  maxOutputBytes: { default: 8 * MIB, min: KIB, max: 64 * MIB },
  maxCallBytes: { default: 4 * MIB, min: 1, max: 64 * MIB },
  maxPendingCalls: { default: 16, min: 1, max: 1024 },
  maxQueuedCalls: { default: 1024, min: 0, max: 1024 },
  /** Bytes of an image as stored. */
  maxSnapshotBytes: { default: 10 * MIB, min: KIB, max: 256 * MIB },
  drainMs: { default: 1000, min: 0, max: 60_000 },
  abortGraceMs: { default: 250, min: 0, max: 60_000 },
} as const satisfies Record<string, LimitRange>;

/** The same names, narrowed by a config. */
export type RuntimeLimits = {
  readonly [Name in keyof typeof LIMITS]: Name extends 'wallMs'
    ? LimitRange
    : LimitRange & { readonly default: number };
};
