// A run's limits: what the request asks for, between the provider's least and greatest values, or else its defaults.
import { nearestNames } from '@codeseam/nearest-names';
import { CodeRuntimeError } from './errors.ts';
import type { CodeRunLimits } from './types.ts';

/** One limit of a provider: all three in the unit of the limit (milliseconds, bytes or a count). */
export interface LimitRange {
  /** Without one, the run has no such limit unless it asks for it. */
  readonly default?: number;
  readonly min: number;
  readonly max: number;
}

/** The limits that a provider knows. A request may still ask for others of the seam; those are checked and left out. */
export type LimitTable = { readonly [K in keyof CodeRunLimits]?: LimitRange };

/** What a run may use: defaults filled in; a limit without default and request is absent. */
export type ResolvedLimits<Table extends LimitTable> = {
  readonly [K in keyof Table & keyof CodeRunLimits]: Table[K] extends { readonly default: number }
    ? number
    : number | undefined;
};

const LIMIT_NAMES: Record<keyof CodeRunLimits, true> = {
  computeMs: true,
  wallMs: true,
  memoryLimitBytes: true,
  maxOutputBytes: true,
  maxCallBytes: true,
  maxPendingCalls: true,
  maxQueuedCalls: true,
  maxSnapshotBytes: true,
  drainMs: true,
  abortGraceMs: true,
};

/**
 * Fills in a request's limits from the provider's table.
 *
 * @throws CodeRuntimeError `invalid-limit`, naming the limit, the value and the range.
 */
export function resolveLimits<const Table extends LimitTable>(
  asked: Partial<CodeRunLimits> | undefined,
  table: Table,
): ResolvedLimits<Table> {
  const limits: Record<string, number> = {};
  for (const [name, range] of Object.entries(table) as [string, LimitRange][]) {
    if (range.default !== undefined) limits[name] = range.default;
  }
  if (asked === undefined) return limits as ResolvedLimits<Table>;
  if (typeof asked !== 'object' || asked === null) {
    throw new CodeRuntimeError('invalid-limit', 'limits must be an object of numbers');
  }
  for (const [name, value] of Object.entries(asked as Record<string, unknown>)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(LIMIT_NAMES, name)) {
      const [nearest] = nearestNames(name, Object.keys(LIMIT_NAMES));
      throw new CodeRuntimeError(
        'invalid-limit',
        `limits.${name} is not a limit${nearest ? `; did you mean ${nearest}?` : ''}`,
      );
    }
    const range = table[name as keyof CodeRunLimits];
    checkLimit(name, value, range ?? { min: 0, max: Number.MAX_SAFE_INTEGER });
    if (range) limits[name] = value as number;
  }
  return limits as ResolvedLimits<Table>;
}

function checkLimit(name: string, value: unknown, range: LimitRange): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= range.min && value <= range.max) return;
  const shown =
    typeof value === 'number' || typeof value === 'string' ? (JSON.stringify(value) ?? String(value)) : typeof value;
  throw new CodeRuntimeError(
    'invalid-limit',
    `limits.${name} is ${typeof value === 'number' ? String(value) : shown}; it must be an integer from ${range.min} to ${range.max}`,
    typeof value === 'number' && value > range.max
      ? "the greatest value is set by the runtime's configuration"
      : undefined,
  );
}

/** The greatest values of a table, as `CodeRuntime.maxLimits` shows them. */
export function maxLimitsOf(table: LimitTable): Readonly<Partial<CodeRunLimits>> {
  const entries = Object.entries(table) as [keyof CodeRunLimits, LimitRange][];
  return Object.freeze(Object.fromEntries(entries.map(([name, range]) => [name, range.max])));
}
