// The life of programs: `exec` starts one, `wait` goes on with one, and everything that ends them early.
import type { JsonValue } from '@codeseam/lossless-json';
import type { ToolRunContext, ToolScope, ToolView } from '@codeseam/tools';
import type { CodeModeSettings } from './config-schema.ts';
import { type ReadWaitInput, readExecInput, readWaitInput } from './exec-input.ts';
import { ObservedShapes } from './observed-shapes.ts';
import { KeptResults } from './output/kept-results.ts';
import { checkRuntime } from './run/check-runtime.ts';
import { ExpiryClock } from './run/expiry-clock.ts';
import { failureCode, type RunFailure, runFailure } from './run/map-failure.ts';
import { ProgramRun, type RunHost } from './run/program-run.ts';
import { RunCounters } from './run/run-counters.ts';
import { runLeg } from './run/run-leg.ts';
import {
  isKeyOfSession,
  isOwner,
  isSameAgentRun,
  isSameSession,
  ownershipHash,
  ownershipOf,
  sessionKey,
} from './session-key.ts';
import { endedResult, failedResult, failedRun, waitingResult } from './shape-result.ts';
import { type ProgramParts, startProgram } from './start-program.ts';
import { MemoryRunStore } from './store/memory-run-store.ts';
import type { SuspendedRunStore, Tombstone } from './store/suspended-run-store.ts';
import { Transcript } from './transcript.ts';
import type { CodeModeErrorCode, CodeModeResult, CodeModeTelemetry } from './types.ts';
import { visibleNames } from './visible-names.ts';

interface LiveRun {
  readonly run: ProgramRun;
  readonly clock: ExpiryClock;
  /** Whether a model has ever heard of its id. */
  suspended: boolean;
}

export class ProgramService {
  readonly transcript = new Transcript();
  readonly #parts: ProgramParts;
  readonly #live = new Map<string, LiveRun>();
  #givenStore: SuspendedRunStore | undefined;
  readonly #kept = new KeptResults();
  readonly #shapes = new ObservedShapes();
  readonly #host: RunHost;
  #disposed = false;

  constructor(parts: ProgramParts) {
    this.#parts = parts;
    this.#host = {
      tools: parts.tools,
      reserve: (run) => this.#reserve(run),
      opened: (run) => void this.#live.set(run.id, { run, clock: this.#clockOf(run), suspended: false }),
      ended: (run, result) =>
        this.#ended(run, run.ownFailure?.code ?? (result?.error && failureCode(result.error, run))),
      keep: (run, value) => this.#kept.keep(sessionKey(run.scope), value, run.settings.keptResultsBytes),
      readKept: (run, ref, options) => this.#kept.read(sessionKey(run.scope), ref, options),
      observe: (run, toolId, value) => this.#observe(run, toolId, value),
      observedOutput: (run, toolId) => this.#shapes.get(sessionKey(run.scope), toolId),
      record: (run, row) => this.transcript.add(sessionKey(run.scope), run.scope, run.id, row),
    };
  }

  /** Why no program can run for these settings; the sentence of the error. */
  runtimeProblem(settings: CodeModeSettings): string | undefined {
    const checked = checkRuntime(this.#parts.runtime, settings);
    return 'failure' in checked ? checked.failure.error : undefined;
  }

  async exec(args: unknown, view: ToolView, context: ToolRunContext): Promise<CodeModeResult> {
    const settings = this.#parts.settingsOf(view);
    const deadlineAt = Date.now() + settings.timeoutMs;
    const refuse = (failure: RunFailure) => failedResult(failure, this.#idleTelemetry(view));
    const read = readExecInput(args, settings);
    if (!read.ok) return refuse(read.failure);
    const checked = checkRuntime(this.#parts.runtime, settings);
    if ('failure' in checked) return refuse(checked.failure);
    if (this.#disposed) return refuse(runFailure('runtime_unavailable', 'code mode is shut down'));
    const started = await startProgram(this.#parts, this.#host, {
      ...read.input,
      runtime: checked.runtime,
      view,
      settings,
      context,
    });
    if (!started.ok) return started.run ? failedRun(started.run, started.failure) : refuse(started.failure);
    const { run } = started;
    run.counters.execs++;
    return this.#leg(run, context, { deadlineAt, suspendAtFirstCall: run.restartSafe, go() {}, first: true });
  }

  async wait(args: unknown, view: ToolView, context: ToolRunContext): Promise<CodeModeResult> {
    const refuse = (failure: RunFailure) => failedResult(failure, this.#idleTelemetry(view));
    const read = readWaitInput(args);
    if (!read.ok) return refuse(read.failure);
    let claimed: ProgramRun | RunFailure;
    try {
      claimed = await this.#claim(read.input, view);
    } catch (error) {
      claimed = storeFailure(error);
    }
    if (!(claimed instanceof ProgramRun)) return refuse(claimed);
    const run = claimed;
    run.counters.waits++;
    if (read.input.cancel) return this.#cancel(run);
    this.#live.get(run.id)?.clock.stop();
    run.onUpdate = (update) => context.update(update);
    run.toolProgram.resume({ callId: context.callId, rootCallId: context.rootCallId });
    this.#parts.observers.emit('code-mode/resumed', { runId: run.id, scope: run.scope });
    return this.#leg(run, context, {
      deadlineAt: Date.now() + run.settings.timeoutMs,
      suspendAtFirstCall: false,
      go: () => run.codeRun.release(),
      first: false,
    });
  }

  /** The run to go on with, or why there is none. */
  async #claim({ runId, cancel }: ReadWaitInput, view: ToolView): Promise<ProgramRun | RunFailure> {
    const known = await this.#store.find(runId);
    if (known && !isOwner(known.ownership, view.scope)) return unknownRun(runId);
    const claim = await this.#store.claim(runId);
    if (claim.state === 'unknown') return unknownRun(runId);
    if (claim.state === 'gone') {
      const { reason, fields, ownership } = claim.tombstone;
      if (ownershipHash(ownershipOf(view.scope, fields)) !== ownership) return unknownRun(runId);
      return goneRun(runId, reason);
    }
    // What a store of another hand gives back is not trusted: only a run that lives here can go on, and only with its owner.
    const run = this.#live.get(runId)?.run;
    if (run === undefined || claim.record.program !== run) {
      return runFailure(
        'snapshot_restore_failed',
        `run ${runId} cannot go on: what its store gave back is not the program that was suspended`,
      );
    }
    if (!isOwner(ownershipOf(run.scope, run.settings.ownership), view.scope)) return unknownRun(runId);
    if (claim.state === 'in_use' && !cancel) {
      return runFailure(
        'invalid_input',
        `run ${runId} is being resumed by another wait`,
        'await that one; send one wait at a time for a run',
      );
    }
    return run;
  }

  async endRun(scope: ToolScope): Promise<void> {
    await this.#endAll('the agent run has ended', (run) => isSameAgentRun(run.scope, scope));
    if (scope.sessionId === undefined) this.#drop((session) => session === sessionKey(scope));
  }

  async endSession(scope: ToolScope): Promise<void> {
    await this.#endAll('the session has ended', (run) => isSameSession(run.scope, scope));
    this.#drop((session) => isKeyOfSession(session, scope));
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.#endAll('code mode is shut down', () => true);
    this.#drop(() => true);
  }

  async #leg(
    run: ProgramRun,
    context: ToolRunContext,
    leg: { deadlineAt: number; suspendAtFirstCall: boolean; go(): void; first: boolean },
  ): Promise<CodeModeResult> {
    let progress = leg.first;
    const unwatch = run.codeRun.onState((state) => {
      if (state === 'running') progress = true;
    });
    const end = await runLeg(run, { ...leg, signal: context.signal });
    unwatch();
    for (const entry of run.toolProgram.takeContexts()) context.deferContext(entry);
    run.onUpdate = undefined;
    if (end.kind === 'ended') return endedResult(run, end.result);
    if (end.kind === 'broken') {
      const reason = end.error instanceof Error ? end.error.message : String(end.error);
      return failedRun(run, run.ownFailure ?? runFailure('internal_error', `the runtime lost the program: ${reason}`));
    }
    return this.#suspend(run, end.reason, progress);
  }

  async #suspend(run: ProgramRun, reason: 'pending_tools' | 'yield', progress: boolean): Promise<CodeModeResult> {
    const { id: runId, scope, settings, catalog, counters } = run;
    const live = this.#live.get(runId);
    if (!live) return failedRun(run, run.ownFailure ?? runFailure('aborted', 'the run has ended'));
    live.suspended = true;
    try {
      await this.#store.save({
        runId,
        scope,
        ownership: ownershipOf(scope, settings.ownership),
        catalogKey: catalog.key,
        program: run,
      });
    } catch (error) {
      live.suspended = false;
      run.fail(storeFailure(error));
      await run.codeRun.result.catch(() => {});
    }
    // It may have ended while it was stored, too.
    if (!this.#live.has(runId)) return failedRun(run, run.ownFailure ?? runFailure('aborted', 'the run has ended'));
    live.clock.start(progress);
    const { snapshotBytes } = counters;
    this.#parts.observers.emit('code-mode/suspended', {
      runId,
      reason,
      scope,
      ...(snapshotBytes === undefined ? {} : { snapshotBytes }),
    });
    return waitingResult(run, reason);
  }

  async #cancel(run: ProgramRun): Promise<CodeModeResult> {
    run.fail(runFailure('aborted', 'the run was cancelled by wait'));
    await run.codeRun.result.catch(() => {});
    return failedRun(run, run.ownFailure!);
  }

  #clockOf(run: ProgramRun): ExpiryClock {
    const { snapshotTtlSeconds, approvalTtlSeconds } = run.settings;
    return new ExpiryClock({
      ttlMs: snapshotTtlSeconds * 1000,
      approvalTtlMs: approvalTtlSeconds * 1000,
      isAwaitingApproval: () => run.isAwaitingApproval(),
      onExpired: () =>
        run.fail(
          runFailure('snapshot_expired', `the run waited longer than snapshotTtlSeconds (${snapshotTtlSeconds})`),
        ),
    });
  }

  #ended(run: ProgramRun, code: CodeModeErrorCode | undefined): void {
    const live = this.#live.get(run.id);
    if (!live) return;
    this.#live.delete(run.id);
    live.clock.stop();
    const reason = code === 'snapshot_expired' || code === 'aborted' ? code : undefined;
    const ownership = ownershipOf(run.scope, run.settings.ownership);
    const tombstone: Tombstone | undefined =
      live.suspended && reason !== undefined
        ? {
            reason,
            session: sessionKey(run.scope),
            fields: ownership.map(([field]) => field),
            ownership: ownershipHash(ownership),
            until: Date.now() + run.settings.snapshotTtlSeconds * 1000,
          }
        : undefined;
    this.#tell((store) => store.end(run.id, tombstone));
    this.#parts.observers.emit('code-mode/ended', {
      runId: run.id,
      status: code ? 'failed' : 'completed',
      ...(code ? { code } : {}),
      scope: run.scope,
    });
  }

  /** What was cut in a result of the session, whole. @throws CodeModeError `invalid_input` for an unknown ref. */
  keptResult(ref: string, scope: ToolScope): JsonValue {
    return this.#kept.read(sessionKey(scope), ref, undefined);
  }

  #observe(run: ProgramRun, toolId: string, value: JsonValue): void {
    if (run.find(toolId)?.outputSchema === undefined) this.#shapes.observe(sessionKey(run.scope), toolId, value);
  }

  async #endAll(why: string, which: (run: ProgramRun) => boolean): Promise<void> {
    const runs = [...this.#live.values()].map(({ run }) => run).filter(which);
    for (const run of runs) run.fail(runFailure('aborted', why));
    await Promise.allSettled(runs.map((run) => run.codeRun.result));
  }

  #drop(isDropped: (session: string) => boolean): void {
    this.#kept.drop(isDropped);
    this.#shapes.drop(isDropped);
    this.transcript.drop(isDropped);
    this.#tell((store) => store.dropTombstones(isDropped));
  }

  /** Asked for when it is first needed: a plugin that provides one may be mounted after code mode. */
  get #store(): SuspendedRunStore {
    this.#givenStore ??= this.#parts.store() ?? new MemoryRunStore();
    return this.#givenStore;
  }

  #reserve(run: ProgramRun): boolean {
    try {
      return this.#store.reserve(run.id, run.settings.maxSuspendedRuns);
    } catch (error) {
      run.fail(storeFailure(error));
      return false;
    }
  }

  /** What a store is told of, it may fail at: the work goes on without it. */
  #tell(what: (store: SuspendedRunStore) => void | Promise<void>): void {
    const store = this.#givenStore;
    if (!store) return;
    const failed = (error: unknown) => this.#parts.warn(storeFailure(error).error);
    try {
      void Promise.resolve(what(store)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #idleTelemetry(view: ToolView): CodeModeTelemetry {
    const { size, sources } = this.#parts.catalogs.for(view);
    const visibleTools = visibleNames(this.#parts.tools, view);
    return new RunCounters().telemetry({ catalogSize: size, sources: { ...sources }, visibleTools, computeMs: 0 });
  }
}

function unknownRun(runId: string): RunFailure {
  return runFailure(
    'invalid_input',
    `${JSON.stringify(runId.slice(0, 80))} is no run that waits here`,
    'runId must be that of an exec or wait that answered `waiting` in this run of the agent; one that has completed or failed is over',
  );
}

function storeFailure(error: unknown): RunFailure {
  const reason = error instanceof Error ? error.message : String(error);
  return runFailure('internal_error', `the store of suspended runs failed: ${reason}`);
}

function goneRun(runId: string, reason: 'snapshot_expired' | 'aborted'): RunFailure {
  return reason === 'aborted'
    ? runFailure('aborted', `run ${runId} was ended`, 'start a new exec')
    : runFailure('snapshot_expired', `run ${runId} waited too long and has expired`);
}
