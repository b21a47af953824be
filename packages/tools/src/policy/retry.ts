// Further attempts for calls that failed, where a repetition can do no harm.
import { strictConfig } from '@codeseam/strict-config';
import Schema from 'schemastery';
import { ToolCallError } from '../errors.ts';
import { compilePattern, matchesAny } from '../name-pattern.ts';
import { namesOf } from '../restrictions.ts';
import type { Tool, ToolRegistry } from '../types.ts';
import { policyPlugin } from './policy-plugin.ts';

export interface RetryConfig {
  /** Attempts altogether. */
  attempts: number;
  /** Before the second attempt; doubled before each further one. */
  backoffMs: number;
  /** Tools that may be repeated although they do not say that they are replay-safe. */
  tools: readonly string[];
}

export const retryConfig = strictConfig<Partial<RetryConfig>, RetryConfig>(
  Schema.object({
    attempts: Schema.number().step(1).min(1).max(10).default(3),
    backoffMs: Schema.number().min(0).max(60_000).default(200),
    tools: Schema.array(Schema.string()).default([]),
  }) as never,
  { name: '@codeseam/tools/retry' },
);

/** Outside of time limits. */
const ORDER = 0;

/** What another attempt can mend. */
const RETRYABLE: ReadonlySet<string> = new Set(['TOOL_FAILED', 'TOOL_TIMEOUT']);

/** Puts retries in force; gives the undo. Only failures are repeated, never a result that a tool itself calls an error. */
export function installRetry(tools: ToolRegistry, given: Partial<RetryConfig> = {}): () => void {
  const config = retryConfig(given);
  const listed = config.tools.map(compilePattern);
  const mayRepeat = (tool: Tool) =>
    !tool.control && (tool.replaySafe || matchesAny(listed, [...namesOf(tool), tool.wireName]));
  return tools.hook(
    'around',
    async ({ tool, signal }, next) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await next();
        } catch (error) {
          const again = attempt < config.attempts && mayRepeat(tool) && !signal.aborted;
          if (!again || !ToolCallError.is(error) || !RETRYABLE.has(error.code)) throw error;
        }
        await pause(config.backoffMs * 2 ** (attempt - 1), signal);
      }
    },
    { order: ORDER },
  );
}

/** Ends early, and quietly, when the call is aborted: the next attempt then fails by itself. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}

export default policyPlugin('@codeseam/tools/retry', retryConfig as never, installRetry);
