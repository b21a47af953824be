// The worker-thread code runtime: checks requests and keeps the live runs.
import {
  type CodeLanguage,
  type CodeRun,
  type CodeRunLimits,
  type CodeRunRequest,
  type CodeRunResult,
  type CodeRuntime,
  CodeRuntimeError,
  checkRunRequest,
  followSignal,
  maxLimitsOf,
} from '@codeseam/code-runtime';
import { type WorkerRuntimeConfig, workerRuntimeConfig } from './config.ts';
import { limitTable, type WorkerLimitTable } from './limits.ts';
import { WorkerRun } from './worker-run.ts';

const LANGUAGES = ['typescript', 'javascript'] as const satisfies readonly CodeLanguage[];

export class WorkerRuntime implements CodeRuntime {
  readonly languages = LANGUAGES;
  readonly language = 'typescript';
  readonly isolation = 'worker-thread';
  readonly resumable = false;
  readonly maxLimits: Readonly<Partial<CodeRunLimits>>;
  readonly #limits: WorkerLimitTable;
  readonly #live = new Set<WorkerRun>();
  #disposal: Promise<void> | undefined;

  constructor(config: WorkerRuntimeConfig) {
    this.#limits = limitTable(config);
    this.maxLimits = maxLimitsOf(this.#limits);
  }

  start(request: CodeRunRequest): CodeRun {
    if (this.#disposal) {
      throw new CodeRuntimeError('disposed', 'this runtime was disposed', 'start the run on a live runtime');
    }
    const checked = checkRunRequest(request, { languages: LANGUAGES, limits: this.#limits });
    const run = new WorkerRun(checked);
    this.#live.add(run);
    const unfollow = followSignal(checked.signal, (message) => run.cancel({ kind: 'abort', message }));
    const forget = () => {
      unfollow();
      this.#live.delete(run);
    };
    run.result.then(forget, forget);
    return run;
  }

  async run(request: CodeRunRequest): Promise<CodeRunResult> {
    return this.start(request).result;
  }

  dispose(): Promise<void> {
    this.#disposal ??= this.#end();
    return this.#disposal;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #end(): Promise<void> {
    const live = [...this.#live];
    for (const run of live) run.cancel({ kind: 'abort', message: 'the runtime was disposed' });
    await Promise.allSettled(live.map((run) => run.ended));
  }
}

/**
 * Makes a runtime that gives each run a fresh worker thread. For trusted programs: a thread contains mistakes, it is no
 * boundary.
 *
 * @throws ConfigError for a bad or unknown field.
 */
export function createWorkerRuntime(config?: Partial<WorkerRuntimeConfig>): WorkerRuntime {
  return new WorkerRuntime(workerRuntimeConfig(config));
}
