// The limits of a run on this provider: defaults, and the greatest values that a request may ask for.
import type { LimitRange } from '@codeseam/code-runtime';
import type { WorkerRuntimeConfig } from './config.ts';

const MEBIBYTE = 1024 * 1024;

type WithDefault = LimitRange & { readonly default: number };

export type WorkerLimitTable = {
  readonly computeMs: WithDefault;
  readonly wallMs: WithDefault;
  readonly memoryLimitBytes: WithDefault;
  readonly maxOutputBytes: WithDefault;
  readonly drainMs: WithDefault;
  readonly abortGraceMs: WithDefault;
};

/** Makes the table of a config: what it sets is the default, and the most that a request may ask for. */
export function limitTable(config: WorkerRuntimeConfig): WorkerLimitTable {
  const upTo = (value: number, min: number): WithDefault => ({ default: value, min, max: value });
  return {
    computeMs: upTo(config.computeMs, 1),
    wallMs: upTo(config.wallMs, 1),
    memoryLimitBytes: upTo(
      config.maxOldGenerationSizeMb * MEBIBYTE,
      Math.min(16, config.maxOldGenerationSizeMb) * MEBIBYTE,
    ),
    maxOutputBytes: upTo(config.maxOutputBytes, 4),
    drainMs: { default: 1_000, min: 0, max: 60_000 },
    abortGraceMs: { default: 250, min: 0, max: 60_000 },
  };
}
