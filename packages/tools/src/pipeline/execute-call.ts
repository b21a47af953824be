// One call through all of its stages.
import type { JsonValue } from '@codeseam/lossless-json';
import type { StopSource } from '../cancellation.ts';
import type { ToolCallError } from '../errors.ts';
import { asToolCallError } from '../read-thrown.ts';
import type { ToolCallOutcome, ToolCallRequest } from '../types.ts';
import { applyPolicy } from './apply-policy.ts';
import {
  type CallGate,
  type CallServices,
  type CallState,
  type CallTarget,
  NO_GATE,
  snapshotArguments,
} from './call-state.ts';
import { runBody } from './run-body.ts';
import { type Draft, failed, finalizeContent, settleResult } from './settle-result.ts';

export interface ExecuteOptions {
  request: ToolCallRequest;
  /** The tool, or why there is none. */
  target: CallTarget | ToolCallError;
  stop: StopSource;
  services: CallServices;
  /** The arguments are frozen JSON with their defaults filled in. */
  isSnapshot?: boolean;
  gate?: CallGate;
}

/**
 * Snapshot of arguments, policy, body, canonical value, rendering, post-execute, last word, result event. Never rejects: every
 * failure is an outcome.
 */
export async function executeCall({
  request,
  target,
  stop,
  services,
  isSnapshot = false,
  gate = NO_GATE,
}: ExecuteOptions): Promise<ToolCallOutcome> {
  const started = performance.now();
  const { callId, parent, scope } = request;
  const rootCallId = parent?.rootCallId ?? callId;
  const ref = request.id ?? request.name ?? '';
  let args: JsonValue = {};

  const outcomeOf = ({ error, value, content, meta, contexts }: Draft): ToolCallOutcome => {
    const outcome: Writable<ToolCallOutcome> = {
      callId,
      rootCallId,
      name: 'tool' in target ? target.tool.wireName : ref,
      arguments: args,
      isError: error !== undefined,
      content,
      additionalContexts: contexts,
      durationMs: performance.now() - started,
    };
    if (parent) outcome.parent = parent;
    if ('tool' in target && !target.transport) outcome.toolId = target.tool.id;
    if (value !== undefined) outcome.value = value;
    if (meta) outcome.meta = meta;
    if (error) {
      outcome.code = error.code;
      outcome.message = error.message;
      if (error.hint) outcome.hint = error.hint;
    }
    // The parts of a draft are frozen already.
    return Object.freeze(outcome);
  };
  const finish = (draft: Draft): ToolCallOutcome => {
    const outcome = outcomeOf(draft);
    if (!gate.closed) services.observers.emit('tools/result', outcome, scope);
    return outcome;
  };
  if (!('tool' in target)) {
    args = readableArguments(request.arguments);
    return finish(failed(target, []));
  }

  const state: CallState = {
    callId,
    rootCallId,
    ...(parent ? { parent } : {}),
    scope,
    ...(request.clientTools ? { clientTools: request.clientTools } : {}),
    stop,
    target,
    services,
    gate,
    ...(request.onUpdate ? { onUpdate: request.onUpdate } : {}),
    settled: false,
  };
  let draft: Draft;
  try {
    args = isSnapshot ? (request.arguments as JsonValue) : snapshotArguments(target.tool, request.arguments);
    args = await applyPolicy(state, args);
    const run = await runBody(state, args);
    args = run.arguments;
    draft = await settleResult(state, run, outcomeOf);
  } catch (error) {
    draft = failed(asToolCallError(error, 'TOOL_FAILED'), []);
  }
  state.settled = true;
  return finish(finalizeContent(state, draft, outcomeOf));
}

/** The arguments of a call that never reaches a tool, for the record. */
function readableArguments(given: unknown): JsonValue {
  try {
    return snapshotArguments({ wireName: '', parameters: {} }, given);
  } catch {
    return {};
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
