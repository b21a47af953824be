// One call of a program, as its bridge keeps it, and what is told of it.
import { CodeCallError } from '@codeseam/code-runtime';
import { freezeJson, type JsonValue, toLosslessJson } from '@codeseam/lossless-json';
import type { ToolCallError } from '../errors.ts';
import type { Observers } from '../observers.ts';
import { fillDefaults } from '../schema/fill-defaults.ts';
import type {
  DispatchStartEvent,
  LedgerEntry,
  LedgerStatus,
  ParentCall,
  Tool,
  ToolCallOutcome,
  ToolScope,
} from '../types.ts';
import type { LaneTask } from './dispatch-lane.ts';

export interface SubCall {
  readonly number: number;
  readonly callId: string;
  readonly parent: ParentCall;
  /** Absent where the program named none that exists. */
  readonly tool: Tool | undefined;
  readonly ref: string;
  /** As events show them: a snapshot, defaults filled in. */
  readonly arguments: JsonValue;
  /** What goes into the pipeline: the snapshot, or what could not be taken as one. */
  readonly given: unknown;
  readonly task: LaneTask;
  readonly abort: AbortController;
  readonly submittedAt: number;
  status: LedgerStatus;
  endedAt?: number;
  code?: string;
  started?: DispatchStartEvent;
  /** Gives the call its outcome; only the first one counts. */
  settle(outcome: ToolCallOutcome, status: LedgerStatus): void;
}

const OPEN: ReadonlySet<LedgerStatus> = new Set(['queued', 'awaiting_approval', 'pending']);

export function isOpen(sub: SubCall): boolean {
  return OPEN.has(sub.status);
}

export function nameOf(sub: SubCall): string {
  return sub.tool?.wireName ?? sub.ref;
}

/** The arguments as events show them, and as the pipeline gets them: it refuses what is not JSON, with the path. */
export function snapshotGiven(tool: Tool | undefined, args: unknown): { arguments: JsonValue; given: unknown } {
  try {
    const copy = toLosslessJson(args ?? {});
    const filled = freezeJson(tool ? fillDefaults(tool.parameters, copy) : copy);
    return { arguments: filled, given: filled };
  } catch {
    return { arguments: {}, given: args };
  }
}

export function ledgerEntry(sub: SubCall): LedgerEntry {
  return {
    callId: sub.callId,
    toolId: sub.tool?.id ?? sub.ref,
    status: sub.status,
    ms: Math.round((sub.endedAt ?? performance.now()) - sub.submittedAt),
    ...(sub.code === undefined ? {} : { code: sub.code }),
  };
}

/** How a call ended in the ledger: one that never reached its tool was abandoned. */
export function ledgerStatus(outcome: ToolCallOutcome): LedgerStatus {
  if (!outcome.isError) return 'ok';
  return outcome.code === 'ABORTED_BEFORE_DISPATCH' ? 'abandoned' : 'failed';
}

/** The outcome of a call that the bridge itself ends. */
export function refusedOutcome(sub: SubCall, error: ToolCallError): ToolCallOutcome {
  return Object.freeze({
    callId: sub.callId,
    rootCallId: sub.parent.rootCallId,
    parent: sub.parent,
    ...(sub.tool ? { toolId: sub.tool.id } : {}),
    name: nameOf(sub),
    arguments: sub.arguments,
    isError: true,
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    content: Object.freeze([Object.freeze({ type: 'text' as const, text: `Error: ${error.message}` })]),
    additionalContexts: Object.freeze([]),
    durationMs: performance.now() - sub.submittedAt,
  });
}

export function emitStart(sub: SubCall, scope: ToolScope, observers: Observers): void {
  sub.started = Object.freeze({
    callId: sub.callId,
    rootCallId: sub.parent.rootCallId,
    parentCallId: sub.parent.callId,
    toolId: sub.tool?.id ?? sub.ref,
    wireName: nameOf(sub),
    arguments: sub.arguments,
    startedAt: Date.now(),
    scope,
  });
  observers.emit('tools/dispatch-start', sub.started);
}

/** Every start has its end; a call that never started has neither. */
export function emitEnd(sub: SubCall, outcome: ToolCallOutcome, observers: Observers): void {
  if (!sub.started) return;
  const { arguments: args, isError, code, content, durationMs } = outcome;
  const ended = {
    ...sub.started,
    arguments: args,
    isError,
    ...(code === undefined ? {} : { code }),
    content,
    durationMs,
  };
  observers.emit('tools/dispatch', Object.freeze(ended));
}

/**
 * The value of a call for the program.
 *
 * @throws {CodeCallError} with message, code and tool name: the program gets it as `ToolCallError`.
 */
export function programValue(outcome: ToolCallOutcome, tool: Tool, resolveOwnErrors: boolean): JsonValue {
  if (!outcome.isError || (resolveOwnErrors && outcome.value !== undefined)) return outcome.value ?? null;
  const { message = 'failed', hint, code } = outcome;
  throw new CodeCallError(hint === undefined ? message : `${message} (${hint})`, {
    member: tool.wireName,
    ...(code === undefined ? {} : { code }),
  });
}
