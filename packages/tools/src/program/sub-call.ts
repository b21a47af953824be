// One call of a program, as its bridge keeps it, and what is told of it.
import { CodeCallError } from '@codeseam/code-runtime';
import { freezeJson, type JsonValue, toLosslessJson } from '@codeseam/lossless-json';
import type { Cancellation } from '../cancellation.ts';
import type { ToolCallError } from '../errors.ts';
import type { Observers } from '../observers.ts';
import { fillDefaults } from '../schema/fill-defaults.ts';
import { isRecord } from '../schema/schema-keywords.ts';
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

/** What stays of a call once it is over. */
export interface LedgerRow {
  readonly callId: string;
  readonly toolId: string;
  readonly submittedAt: number;
  status: LedgerStatus;
  endedAt?: number;
  code?: string;
}

export interface SubCall {
  readonly number: number;
  readonly row: LedgerRow;
  readonly callId: string;
  readonly parent: ParentCall;
  /** Absent where the program named none that exists. */
  readonly tool: Tool | undefined;
  readonly ref: string;
  /** As events show them: a snapshot, defaults filled in. */
  readonly arguments: JsonValue;
  /** What goes into the pipeline: the snapshot, or what could not be taken as one. */
  readonly given: unknown;
  /** Whether `given` is frozen JSON with its defaults filled in: it need not be copied again. */
  readonly isSnapshot: boolean;
  readonly task: LaneTask;
  readonly stop: Cancellation;
  started?: DispatchStartEvent;
  /** Gives the call its outcome; only the first one counts. */
  settle(outcome: ToolCallOutcome, status: LedgerStatus): void;
}

const OPEN: ReadonlySet<LedgerStatus> = new Set(['queued', 'awaiting_approval', 'pending']);

export function isOpen({ row }: SubCall): boolean {
  return OPEN.has(row.status);
}

export function nameOf(sub: SubCall): string {
  return sub.tool?.wireName ?? sub.ref;
}

/** The arguments as events show them, and as the pipeline gets them: it refuses what is not JSON, with the path. */
export function snapshotGiven(
  tool: Tool | undefined,
  args: unknown,
): { arguments: JsonValue; given: unknown; isSnapshot: boolean } {
  try {
    const copy = toLosslessJson(args ?? {});
    const filled = freezeJson(tool ? fillDefaults(tool.parameters, copy) : copy);
    return { arguments: filled, given: filled, isSnapshot: isRecord(filled) };
  } catch {
    return { arguments: {}, given: args, isSnapshot: false };
  }
}

export function ledgerEntry({ callId, toolId, status, submittedAt, endedAt, code }: LedgerRow): LedgerEntry {
  const ms = Math.round((endedAt ?? performance.now()) - submittedAt);
  return { callId, toolId, status, ms, ...(code === undefined ? {} : { code }) };
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
    durationMs: performance.now() - sub.row.submittedAt,
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
