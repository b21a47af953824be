// What the stages of one call share.
import { freezeJson, type JsonValue, LosslessJsonError, toLosslessJson } from '@codeseam/lossless-json';
import type { StopSource } from '../cancellation.ts';
import type { HookLists } from '../hooks.ts';
import type { Observers } from '../observers.ts';
import { thrownMessage } from '../read-thrown.ts';
import { fillDefaults } from '../schema/fill-defaults.ts';
import { isRecord } from '../schema/schema-keywords.ts';
import type { ToolRecord } from '../tool-record.ts';
import type { ApprovalService, ClientTools, ParentCall, Tool, ToolCall, ToolScope, ToolTransport } from '../types.ts';
import { abortedBeforeDispatch, unreadableArguments } from './call-errors.ts';

export interface CallServices {
  readonly hooks: HookLists;
  readonly observers: Observers;
  approval(): ApprovalService | undefined;
  /** Why a person is asked even if no hook wants it. */
  asksByDefault(tool: Tool): string | undefined;
  warn(message: string): void;
}

/** The tool that a call is for. */
export interface CallTarget {
  readonly tool: Tool;
  readonly record: ToolRecord;
  /** Asked again after every wait: a view is only a snapshot. */
  isVisible(): boolean;
  /** For a control tool: the transport that it belongs to. */
  readonly transport?: ToolTransport;
}

/** What a program's dispatch bridge needs to know of a call while it goes through its stages. */
export interface CallGate {
  /** The call waits for a person from here on, and holds no slot. */
  beforeApproval(): void;
  /** Resolves when the call has a slot again; rejects when it is abandoned. */
  afterApproval(): Promise<void>;
  /** The program has ended: nothing may be told to anybody any more. */
  readonly closed: boolean;
}

export const NO_GATE: CallGate = { beforeApproval() {}, afterApproval: async () => {}, closed: false };

export interface CallState {
  readonly callId: string;
  readonly rootCallId: string;
  readonly parent?: ParentCall;
  readonly scope: ToolScope;
  readonly clientTools?: ClientTools;
  readonly stop: StopSource;
  readonly target: CallTarget;
  readonly services: CallServices;
  readonly gate: CallGate;
  readonly onUpdate?: (partial: JsonValue) => void;
  /** Set once the outcome is decided: late updates and contexts are dropped. */
  settled: boolean;
}

/** The call as hooks see it. */
export function callView(state: CallState, args: JsonValue, stop = state.stop): ToolCall {
  const { tool, transport } = state.target;
  const info = transport?.describeCall?.(tool.name, args);
  return Object.freeze({
    callId: state.callId,
    rootCallId: state.rootCallId,
    ...(state.parent ? { parent: state.parent } : {}),
    tool,
    arguments: args,
    scope: state.scope,
    get signal() {
      return stop.signal;
    },
    ...(info ? { transportInfo: info } : {}),
  });
}

/**
 * Takes a frozen snapshot of arguments, top-level defaults filled in.
 *
 * @throws {ToolCallError} `INVALID_ARGS`, with the path of what is not JSON.
 */
export function snapshotArguments(tool: Pick<Tool, 'wireName' | 'parameters'>, given: unknown): JsonValue {
  let copy: JsonValue;
  try {
    copy = toLosslessJson(given ?? {}, { name: 'arguments' });
  } catch (error) {
    throw unreadableArguments(tool.wireName, error instanceof LosslessJsonError ? error.message : thrownMessage(error));
  }
  if (!isRecord(copy)) {
    const found = Array.isArray(copy) ? 'an array' : `a ${typeof copy}`;
    throw unreadableArguments(
      tool.wireName,
      `expected one object, found ${found}${typeof copy === 'string' ? '; parse JSON text first' : ''}`,
    );
  }
  return freezeJson(fillDefaults(tool.parameters, copy));
}

export function refuseIfAborted(state: CallState): void {
  if (state.stop.aborted) throw abortedBeforeDispatch(state.target.tool.wireName, abortReason(state.stop));
}

/** Why something was aborted, where whoever did it said so. */
export function abortReason({ reason }: StopSource): string | undefined {
  if (typeof reason === 'string') return reason;
  // The reason that `abort()` fills in says nothing.
  if (reason instanceof DOMException && reason.name === 'AbortError') return undefined;
  return reason === undefined ? undefined : thrownMessage(reason);
}
