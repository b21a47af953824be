// Time limits around calls.
import { strictConfig } from '@codeseam/strict-config';
import Schema from 'schemastery';
import { compilePattern } from '../name-pattern.ts';
import { withDeadline } from '../pipeline/with-deadline.ts';
import { namesOf } from '../restrictions.ts';
import type { ToolRegistry } from '../types.ts';
import { policyPlugin } from './policy-plugin.ts';

export interface TimeoutConfig {
  /** Milliseconds for one call, by pattern; of several that match, the last. */
  limits: Readonly<Record<string, number>>;
}

export const timeoutConfig = strictConfig<TimeoutConfig, TimeoutConfig>(
  Schema.object({
    limits: Schema.dict(Schema.number().step(1).min(1).max(2_147_483_647)).default({ '*': 120_000 }),
  }) as never,
  { name: '@codeseam/tools/timeout' },
);

/** Inside of retries, so that each attempt has its time. */
const ORDER = 100;

/** Puts time limits in force; gives the undo. The programs of control tools have their own limits and are left alone. */
export function installTimeout(tools: ToolRegistry, given: TimeoutConfig): () => void {
  const limits = Object.entries(timeoutConfig(given).limits).map(([pattern, ms]) => ({
    matches: compilePattern(pattern),
    ms,
  }));
  return tools.hook(
    'around',
    async ({ tool, signal }, next) => {
      const limit = limits.findLast(({ matches }) => [...namesOf(tool), tool.wireName].some(matches));
      if (!limit || tool.control) return next();
      return withDeadline(tool.wireName, limit.ms, signal, (bounded) => next({ signal: bounded }));
    },
    { order: ORDER },
  );
}

export default policyPlugin('@codeseam/tools/timeout', timeoutConfig, installTimeout);
