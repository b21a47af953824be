// The config of the provider: a default and a lower maximum for each limit, and the size of the pool.
import { availableParallelism } from 'node:os';
import type { LimitRange } from '@codeseam/code-runtime';
import { ConfigError, type ConfigViolation, type StrictConfig, strictConfig } from '@codeseam/strict-config';
import z from 'schemastery';
import { LIMITS, type RuntimeLimits } from './limits.ts';

/** A limit's default, or its default and the greatest value that a request may ask for. */
export type LimitConfig = number | { default?: number; max?: number };

export type QuickJsRuntimeConfig = { [Name in keyof typeof LIMITS]?: LimitConfig } & {
  /** Threads that run programs. Default: the available cores. */
  workers?: number;
  /** Runs that may wait for a thread; one more fails as `unavailable`. */
  maxQueuedRuns?: number;
};

/** A config with everything filled in. */
export interface RuntimeSettings {
  readonly limits: RuntimeLimits;
  readonly workers: number;
  readonly maxQueuedRuns: number;
}

const NAME = 'code-runtime-quickjs';
const MOST_WORKERS = 64;
const MOST_QUEUED_RUNS = 1_000_000;

function limitSchema({ min, max, default: usual }: LimitRange): z<LimitConfig> {
  const value = () => z.natural().min(min).max(max);
  return z
    .union([value(), z.object({ default: value(), max: value() })])
    .description(`From ${min} to ${max}; ${usual === undefined ? 'none' : usual} unless set.`);
}

const schema = z.object({
  ...Object.fromEntries(Object.entries(LIMITS).map(([name, range]) => [name, limitSchema(range)])),
  workers: z.natural().min(1).max(MOST_WORKERS).description('Threads; as many as there are cores unless set.'),
  maxQueuedRuns: z.natural().max(MOST_QUEUED_RUNS).default(10_000).description('Runs that may wait for a thread.'),
}) as unknown as z<QuickJsRuntimeConfig, QuickJsRuntimeConfig & { maxQueuedRuns: number }>;

/** Checks a config; as a plugin's `Config`, too. */
export const quickJsRuntimeConfig: StrictConfig<
  QuickJsRuntimeConfig,
  QuickJsRuntimeConfig & { maxQueuedRuns: number }
> = strictConfig(schema, { name: NAME });

/**
 * Reads a config.
 *
 * @throws ConfigError with every violation: unknown keys with the nearest known one, values out of range, a default above its maximum.
 */
export function readConfig(config: QuickJsRuntimeConfig | undefined): RuntimeSettings {
  const { workers, maxQueuedRuns, ...given } = quickJsRuntimeConfig(config);
  const violations: ConfigViolation[] = [];
  const limits: Record<string, LimitRange> = {};
  for (const [name, range] of Object.entries(LIMITS) as [keyof typeof LIMITS, LimitRange][]) {
    limits[name] = narrow(name, range, given[name], violations);
  }
  if (violations.length > 0) throw new ConfigError(violations, NAME);
  return {
    limits: limits as unknown as RuntimeLimits,
    workers: workers ?? Math.min(availableParallelism(), MOST_WORKERS),
    maxQueuedRuns,
  };
}

function narrow(
  name: string,
  range: LimitRange,
  given: LimitConfig | undefined,
  violations: ConfigViolation[],
): LimitRange {
  if (given === undefined) return range;
  if (typeof given === 'number') return { ...range, default: given };
  const max = given.max ?? range.max;
  const usual = given.default ?? (range.default === undefined ? undefined : Math.min(range.default, max));
  if (usual !== undefined && usual > max) {
    violations.push({
      path: `${name}.default`,
      message: `${usual} is above ${name}.max (${max})`,
      value: usual,
      allowed: `a whole number from ${range.min} to ${max}`,
    });
  }
  return { min: range.min, max, ...(usual === undefined ? {} : { default: usual }) };
}
