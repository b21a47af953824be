// The QuickJS-WASI code runtime: checks requests, keeps the live runs, and hands them to the scheduler.
import {
  type CodeLanguage,
  type CodeRun,
  type CodeRunLimits,
  type CodeRunRequest,
  type CodeRunResult,
  type CodeRuntime,
  CodeRuntimeError,
  checkRunRequest,
  checkSurroundings,
  type FrozenRun,
  maxLimitsOf,
  type ThawOptions,
} from '@codeseam/code-runtime';
import { type QuickJsRuntimeConfig, type RuntimeSettings, readConfig } from './config.ts';
import { type EngineParts, engineParts } from './engine-module.ts';
import { FrozenRunError, readFrozenRun } from './frozen-run.ts';
import type { LoadedEngine } from './loaded-engine.ts';
import { QuickJsRun } from './run.ts';
import type { RunOrigin } from './run-origin.ts';
import { runSetup } from './run-setup.ts';
import { Scheduler } from './scheduler.ts';
import type { Surroundings } from './surroundings.ts';
import { checkSettlements, thawedSurroundings } from './thaw.ts';

const LANGUAGES = ['typescript', 'javascript'] as const satisfies readonly CodeLanguage[];

/** The origin of a run that fails before anything runs. */
const NOTHING: RunOrigin = { first: { program: '', language: undefined, setup: '' } };

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

  constructor(settings: RuntimeSettings, engine: LoadedEngine) {
    this.#settings = settings;
    this.maxLimits = maxLimitsOf(settings.limits);
    this.#scheduler = new Scheduler({ engine: engine as EngineParts, workers: settings.workers });
  }

  start(request: CodeRunRequest): CodeRun {
    this.#mustLive();
    const { program, language, ...surroundings } = checkRunRequest(request, {
      languages: LANGUAGES,
      limits: this.#settings.limits,
    });
    const first = {
      program,
      language: language as 'javascript' | 'typescript' | undefined,
      setup: runSetup(surroundings),
    };
    const run = new QuickJsRun(++this.#lastRun, surroundings, this.#scheduler, { first });
    this.#keep(run);
    const { queued } = this.#scheduler;
    if (queued < this.#settings.maxQueuedRuns) this.#scheduler.ready(run);
    else
      run.turnAway({
        kind: 'unavailable',
        message: `${queued} runs already wait for a thread`,
        hint: 'try again later',
      });
    return run;
  }

  thaw(frozen: FrozenRun, options: ThawOptions): CodeRun {
    this.#mustLive();
    const { limits } = this.#settings;
    const given = checkSurroundings(options, { limits });
    const settlements = checkSettlements(options.settlements);
    let origin: RunOrigin | undefined;
    let surroundings: Surroundings = given;
    let problem = '';
    try {
      const state = readFrozenRun(frozen);
      surroundings = thawedSurroundings(state, given, options.limits ?? {}, limits);
      origin = { image: frozen.image, base: frozen.base, state, settlements };
      const { maxSnapshotBytes } = surroundings.limits;
      if (frozen.image.length > maxSnapshotBytes)
        problem = `the image has ${frozen.image.length} bytes, over maxSnapshotBytes (${maxSnapshotBytes})`;
    } catch (error) {
      if (!(error instanceof FrozenRunError)) throw error;
      problem = error.message;
    }
    const run = new QuickJsRun(
      ++this.#lastRun,
      surroundings,
      this.#scheduler,
      origin && problem === '' ? origin : NOTHING,
    );
    this.#keep(run);
    if (problem !== '') run.turnAway({ kind: 'snapshot-restore', message: problem });
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

  #mustLive(): void {
    if (this.#disposal) throw new CodeRuntimeError('disposed', 'this runtime was disposed');
  }

  #keep(run: QuickJsRun): void {
    this.#live.add(run);
    const forget = () => void this.#live.delete(run);
    run.result.then(forget, forget);
  }

  async #dispose(): Promise<void> {
    const live = [...this.#live];
    for (const run of live) run.cancel({ kind: 'abort', message: 'the runtime was disposed' });
    await Promise.allSettled(live.map((run) => run.result));
    await this.#scheduler.dispose();
  }
}

/**
 * Makes a runtime. Its first thread is already starting when this resolves.
 *
 * @throws ConfigError for a config that is not one, with every violation.
 */
export async function createQuickJsRuntime(config?: QuickJsRuntimeConfig): Promise<QuickJsRuntime> {
  return new QuickJsRuntime(readConfig(config), await engineParts());
}
