// The QuickJS-WASI code runtime: checks requests, keeps the live runs, and hands them to the scheduler.
import { availableParallelism } from 'node:os';
import {
  type CodeLanguage,
  type CodeRun,
  type CodeRunLimits,
  type CodeRunRequest,
  type CodeRunResult,
  type CodeRuntime,
  CodeRuntimeError,
  checkRunRequest,
  maxLimitsOf,
} from '@codeseam/code-runtime';
import { engineModule } from './engine-module.ts';
import { LIMITS, type RuntimeLimits } from './limits.ts';
import { QuickJsRun } from './run.ts';
import { Scheduler } from './scheduler.ts';

const LANGUAGES = ['typescript', 'javascript'] as const satisfies readonly CodeLanguage[];

export interface RuntimeSettings {
  readonly limits: RuntimeLimits;
  readonly workers: number;
  readonly maxQueuedRuns: number;
}

export class QuickJsRuntime implements CodeRuntime {
  readonly languages = LANGUAGES;
  readonly language = 'typescript';
  readonly isolation = 'quickjs-wasi';
  readonly resumable = true;
  readonly maxLimits: Readonly<Partial<CodeRunLimits>>;
  readonly #settings: RuntimeSettings;
  readonly #scheduler: Scheduler;
  readonly #live = new Set<QuickJsRun>();
  #lastRun = 0;
  #disposal: Promise<void> | undefined;

  constructor(settings: RuntimeSettings, module: WebAssembly.Module) {
    this.#settings = settings;
    this.maxLimits = maxLimitsOf(settings.limits);
    this.#scheduler = new Scheduler({ module, workers: settings.workers });
  }

  start(request: CodeRunRequest): CodeRun {
    if (this.#disposal) throw new CodeRuntimeError('disposed', 'this runtime was disposed');
    const { program, language, ...surroundings } = checkRunRequest(request, {
      languages: LANGUAGES,
      limits: this.#settings.limits,
    });
    const run = new QuickJsRun({ id: ++this.#lastRun, surroundings, host: this.#scheduler });
    this.#live.add(run);
    const forget = () => void this.#live.delete(run);
    run.result.then(forget, forget);
    if (this.#scheduler.waiting >= this.#settings.maxQueuedRuns) {
      run.threadDied({
        kind: 'unavailable',
        message: `${this.#scheduler.waiting} runs already wait for a thread`,
        hint: 'try again later',
      });
    } else this.#scheduler.add(run, { program, language });
    return run;
  }

  async run(request: CodeRunRequest): Promise<CodeRunResult> {
    return this.start(request).result;
  }

  dispose(): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #dispose(): Promise<void> {
    const live = [...this.#live];
    for (const run of live) run.cancel({ kind: 'abort', message: 'the runtime was disposed' });
    await Promise.allSettled(live.map((run) => run.result));
    await this.#scheduler.dispose();
  }
}

/** Makes a runtime. Its first thread is already starting when this resolves. */
export async function createQuickJsRuntime(): Promise<QuickJsRuntime> {
  return new QuickJsRuntime(
    { limits: LIMITS, workers: availableParallelism(), maxQueuedRuns: 10_000 },
    await engineModule(),
  );
}
