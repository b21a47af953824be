// One call through all of its stages.
import { freezeJson, type JsonValue } from '@codeseam/lossless-json';
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
  signal: AbortSignal;
  services: CallServices;
  gate?: CallGate;
}

/**
 * Snapshot of arguments, policy, body, canonical value, rendering, post-execute, last word, result event. Never rejects: every
 * failure is an outcome.
 */
export async function executeCall({
  request,
  target,
  signal,
  services,
  gate = NO_GATE,
}: ExecuteOptions): Promise<ToolCallOutcome> {
  const started = performance.now();
  const { callId, parent, scope } = request;
  const rootCallId = parent?.rootCallId ?? callId;
  const ref = request.id ?? request.name ?? '';
  let args: JsonValue = {};

  const outcomeOf = (draft: Draft): ToolCallOutcome =>
    freezeOutcome({
      callId,
      rootCallId,
      ...(parent ? { parent } : {}),
      ...('tool' in target && !target.transport ? { toolId: target.tool.id } : {}),
      name: 'tool' in target ? target.tool.wireName : ref,
      arguments: args,
      draft,
      durationMs: performance.now() - started,
    });
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
    signal,
    target,
    services,
    gate,
    ...(request.onUpdate ? { onUpdate: request.onUpdate } : {}),
    settled: false,
  };
  let draft: Draft;
  try {
    args = snapshotArguments(target.tool, request.arguments);
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

type OutcomeParts = Omit<ToolCallOutcome, 'isError' | 'content' | 'additionalContexts'> & { draft: Draft };

function freezeOutcome({ draft, ...parts }: OutcomeParts): ToolCallOutcome {
  const { error, value, content, meta, contexts } = draft;
  return Object.freeze({
    ...parts,
    isError: error !== undefined,
    ...(error ? { code: error.code, message: error.message, ...(error.hint ? { hint: error.hint } : {}) } : {}),
    ...(value === undefined ? {} : { value: freezeJson(value) }),
    content: freezeJson(content as unknown as JsonValue) as never,
    ...(meta ? { meta: freezeJson(meta as JsonValue) as never } : {}),
    additionalContexts: freezeJson(contexts as unknown as JsonValue) as never,
  });
}
