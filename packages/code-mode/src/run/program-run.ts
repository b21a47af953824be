// One program from its start to its end: the calls it makes, its output, and the legs in which the model waits for it.
import type { CodeCallContext, CodeRun, CodeRunRequest, CodeRunResult, CodeRuntime } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import {
  type ParentCall,
  type Tool,
  ToolCallError,
  type ToolCallOutcome,
  type ToolProgram,
  type ToolRegistry,
  type ToolView,
} from '@codeseam/tools';
import type { GuestProgram } from '../bindings/guest-program.ts';
import { type AbsentServer, stillMissed } from '../catalog/absent-servers.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CodeModeSettings } from '../config-schema.ts';
import { OutputCollector } from '../output/output-collector.ts';
import type { TranscriptRow } from '../types.ts';
import { type RunFailure, runFailure } from './map-failure.ts';
import { OpenCalls } from './open-calls.ts';
import { RunCounters } from './run-counters.ts';

/** What a run needs of code mode. */
export interface RunHost {
  readonly tools: ToolRegistry;
  /** Takes one of the places for suspended runs; false where there is none. */
  reserve(run: ProgramRun): boolean;
  /** The run is about to start. */
  opened(run: ProgramRun): void;
  /** The run has ended, in a leg or between two. */
  ended(run: ProgramRun, result: CodeRunResult | undefined): void;
  keep(run: ProgramRun, value: JsonValue): string | undefined;
  readKept(run: ProgramRun, ref: unknown, options: unknown): JsonValue;
  observe(run: ProgramRun, toolId: string, value: JsonValue): void;
  observedOutput(run: ProgramRun, toolId: string): string | undefined;
  record(run: ProgramRun, row: TranscriptRow): void;
}

export interface ProgramRunOptions {
  id: string;
  host: RunHost;
  view: ToolView;
  catalog: Catalog;
  /** The MCP servers that the catalog lacks because they were not there. */
  absentAtStart: readonly AbsentServer[];
  settings: CodeModeSettings;
  parent: ParentCall;
  restartSafe: boolean;
  code: string;
  visibleTools: readonly string[];
  onUpdate: ((update: JsonValue) => void) | undefined;
}

export class ProgramRun implements GuestProgram {
  readonly id: string;
  readonly view: ToolView;
  readonly catalog: Catalog;
  readonly settings: CodeModeSettings;
  readonly restartSafe: boolean;
  /** The program as it was sent, for what errors say of it. */
  readonly code: string;
  readonly visibleTools: readonly string[];
  readonly counters = new RunCounters();
  readonly output: OutputCollector;
  readonly toolProgram: ToolProgram;
  /** Whoever waits for the run right now gets its updates; nobody does while it is suspended. */
  onUpdate: ((update: JsonValue) => void) | undefined;
  /** Called at each dispatch of a tool call, by the leg. */
  onDispatch: (() => void) | undefined;
  readonly #host: RunHost;
  readonly #absentAtStart: readonly AbsentServer[];
  /** The code of each nested tool call that failed, by the runtime's call id; '' for all others. */
  readonly #toolCalls = new Map<string, string>();
  readonly #openCalls = new OpenCalls();
  readonly #controller = new AbortController();
  #codeRun: CodeRun | undefined;
  #ownFailure: RunFailure | undefined;
  readonly #notes = new Set<string>();
  #hasSlot = false;

  constructor(options: ProgramRunOptions) {
    const { id, host, view, catalog, settings, parent } = options;
    this.id = id;
    this.view = view;
    this.catalog = catalog;
    this.settings = settings;
    this.restartSafe = options.restartSafe;
    this.code = options.code;
    this.visibleTools = options.visibleTools;
    this.onUpdate = options.onUpdate;
    this.#host = host;
    this.#absentAtStart = options.absentAtStart;
    this.output = new OutputCollector({
      maxBytes: settings.maxOutputBytes,
      keep: (value) => host.keep(this, value),
      onItem: (item) => this.onUpdate?.({ output: item as unknown as JsonValue }),
    });
    this.toolProgram = host.tools.openProgram({
      view,
      parent,
      signal: this.#controller.signal,
      dispatch: 'parallel',
      maxInFlight: settings.maxPendingToolCalls,
      beforeDispatch: (tool) => this.#beforeDispatch(tool),
      onUpdate: (callId, update) => this.onUpdate?.({ callId, update }),
    });
  }

  get scope() {
    return this.view.scope;
  }

  /** Aborted when the run ends. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends a run that never started. */
  discard(failure: RunFailure): void {
    this.#ownFailure ??= failure;
    this.#end(undefined);
  }

  /** Starts the program. Throws what the runtime throws for misuse. */
  start(runtime: CodeRuntime, request: Omit<CodeRunRequest, 'context' | 'onOutput' | 'signal'>): void {
    const codeRun = runtime.start({ ...request, context: this, onOutput: (item) => this.#takeOutput(item) });
    this.#codeRun = codeRun;
    this.#openCalls.watch(codeRun);
    codeRun.result.then(
      (result) => this.#end(result),
      () => this.#end(undefined),
    );
  }

  get started(): boolean {
    return this.#codeRun !== undefined;
  }

  get codeRun(): CodeRun {
    return this.#codeRun!;
  }

  /** What code mode itself ended the run for; wins over what the runtime reports. */
  get ownFailure(): RunFailure | undefined {
    return this.#ownFailure;
  }

  /** Ends the run for a reason of code mode's own; the first one stands. */
  fail(failure: RunFailure): void {
    this.#ownFailure ??= failure;
    this.#codeRun?.cancel({ kind: failure.code === 'timeout' ? 'timeout' : 'abort', message: failure.error });
  }

  /** The code of a nested tool call that failed; undefined where a host call was none. */
  toolCallCode(callId: string): string | undefined {
    return this.#toolCalls.get(callId);
  }

  /** What to tell of calls that the program did not wait for, once it has ended. */
  openCallsNote(): string | undefined {
    return this.#openCalls.note((callId) => this.toolCallCode(callId));
  }

  /** Whether a person is asked about a call right now. */
  isAwaitingApproval(): boolean {
    return this.toolProgram.pending().some(({ status }) => status === 'awaiting_approval');
  }

  // GuestProgram: what the program's functions reach.

  find(ref: string): Tool | undefined {
    return this.view.find(ref);
  }

  absentServers(): AbsentServer[] {
    return stillMissed(this.#host.tools, this.view, this.#absentAtStart);
  }

  noteOnce(text: string): void {
    if (this.#notes.has(text)) return;
    this.#notes.add(text);
    this.#takeOutput({ type: 'note', text });
  }

  get searchLimits() {
    return { default: this.settings.searchDefaultLimit, max: this.settings.maxSearchLimit };
  }

  count(what: 'search' | 'describe'): void {
    if (what === 'search') this.counters.searches++;
    else this.counters.describes++;
  }

  readKept(ref: unknown, options: unknown): JsonValue {
    return this.#host.readKept(this, ref, options);
  }

  observedOutput(toolId: string): string | undefined {
    return this.#host.observedOutput(this, toolId);
  }

  async call(context: CodeCallContext, tool: Tool, input: JsonValue): Promise<ToolCallOutcome> {
    this.#toolCalls.set(context.id, '');
    const submittedAt = performance.now();
    const submitted = this.toolProgram.call(tool, input, { signal: context.signal });
    this.onDispatch?.();
    const outcome = await submitted;
    if (outcome.isError && outcome.code) this.#toolCalls.set(context.id, outcome.code);
    this.#record(outcome, Math.round(performance.now() - submittedAt));
    if (!outcome.isError && outcome.value !== undefined) this.#host.observe(this, tool.id, outcome.value);
    return outcome;
  }

  refuseUnlessReadOnly(tools: readonly Tool[]): void {
    if (!this.restartSafe) return;
    const unsafe = tools.find((tool) => !tool.replaySafe || tool.source === 'client');
    if (!unsafe) return;
    const why = unsafe.source === 'client' ? 'belongs to the client' : 'is not declared read-only (replaySafe)';
    const error = `restartSafe programs may only call read-only tools, and ${unsafe.id} ${why}`;
    this.fail(runFailure('denied', error, 'send the program without restartSafe'));
    throw new ToolCallError('ABORTED_BEFORE_DISPATCH', error);
  }

  /** Refuses a call before anything of it happens; a run that must fail fails here, and none of its batch is made. */
  #beforeDispatch(tool: Tool): void {
    this.refuseUnlessReadOnly([tool]);
    if (!this.#ownFailure && !this.takeSlot()) this.fail(tooManyRuns(this.settings.maxSuspendedRuns));
    if (this.#ownFailure) throw new ToolCallError('ABORTED_BEFORE_DISPATCH', this.#ownFailure.error);
    this.counters.called(tool.id);
  }

  /** Takes the run's place among those that may be suspended. */
  takeSlot(): boolean {
    this.#hasSlot ||= this.#host.reserve(this);
    return this.#hasSlot;
  }

  #takeOutput(item: Parameters<OutputCollector['add']>[0]): void {
    this.output.add(item);
    if (!this.output.overflow || this.#ownFailure) return;
    this.fail(
      runFailure(
        'output_limit_exceeded',
        `the program's output has too many items for maxOutputBytes (${this.settings.maxOutputBytes} bytes)`,
      ),
    );
  }

  #record(outcome: ToolCallOutcome, ms: number): void {
    // Only a failed one may have ended in another way than its outcome says, and the ledger is long.
    const status = outcome.isError
      ? this.toolProgram.ledger.find(({ callId }) => callId === outcome.callId)?.status
      : undefined;
    this.#host.record(this, {
      callId: outcome.callId,
      parentCallId: outcome.parent?.callId ?? outcome.rootCallId,
      toolId: outcome.toolId ?? outcome.name,
      outcome: status === 'abandoned' || status === 'unknown' ? status : outcome.isError ? 'failed' : 'ok',
      ms,
    });
  }

  #end(result: CodeRunResult | undefined): void {
    this.toolProgram.abandon('the program has ended');
    this.#controller.abort(new DOMException('the program has ended', 'AbortError'));
    this.onUpdate = undefined;
    this.onDispatch = undefined;
    this.#host.ended(this, result);
  }
}

export function tooManyRuns(most: number): RunFailure {
  return runFailure('too_many_suspended_runs', `there are ${most} runs that wait already (maxSuspendedRuns)`);
}
