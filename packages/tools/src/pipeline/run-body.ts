// Runs a tool: the around hooks, and inside them one or more attempts of its body.
import { freezeJson, type JsonValue, toLosslessJson } from '@codeseam/lossless-json';
import { type StopSource, stopOf } from '../cancellation.ts';
import { ToolCallError } from '../errors.ts';
import { asToolCallError, thrownMessage } from '../read-thrown.ts';
import { isRecord } from '../schema/schema-keywords.ts';
import { copyContexts } from '../tool-content.ts';
import { isToolResult } from '../tool-result.ts';
import type { AdditionalContext, ToolResultInit, ToolRunContext } from '../types.ts';
import { checkArguments } from './apply-policy.ts';
import { aborted, policyFailed, toolFailed } from './call-errors.ts';
import { abortReason, type CallState, callView, snapshotArguments } from './call-state.ts';
import { withDeadline } from './with-deadline.ts';

export interface BodyRun {
  /** What the chain gave, or how it failed. */
  result: { init: ToolResultInit } | { error: ToolCallError };
  /** What the last attempt deferred, also when it failed. */
  deferred: AdditionalContext[];
  /** The arguments of the last attempt. */
  arguments: JsonValue;
}

interface Overrides {
  arguments?: unknown;
  signal?: AbortSignal;
}

/** Takes a call through its `around` hooks. Never rejects. */
export async function runBody(state: CallState, args: JsonValue): Promise<BodyRun> {
  const run: BodyRun = { result: { init: { value: null } }, deferred: [], arguments: args };
  let attempts = 0;
  const chain = state.services.hooks
    .of('around')
    .reduceRight<(args: JsonValue, stop: StopSource) => Promise<ToolResultInit>>(
      (inner, hook) => async (now, stop) => {
        const next = async (overrides: Overrides = {}) =>
          inner(overridden(state, now, overrides), fused(stop, overrides.signal));
        return hook(callView(state, now, stop), next);
      },
      (now, stop) => runAttempt(state, now, stop, ++attempts, run),
    );
  try {
    const init = await chain(args, state.stop);
    if (!isRecord(init)) throw policyFailed(state.target.tool.wireName, 'around', 'it gave no result object');
    run.result = { init };
  } catch (error) {
    run.result = { error: asToolCallError(error, 'TOOL_FAILED') };
  }
  if (state.stop.aborted && 'init' in run.result) {
    run.result = { error: aborted(state.target.tool.wireName, abortReason(state.stop)) };
  }
  return run;
}

/** Arguments that a hook replaced are treated as those of the caller: snapshotted, filled, checked. */
function overridden(state: CallState, now: JsonValue, overrides: Overrides): JsonValue {
  if (!isRecord(overrides) || overrides.arguments === undefined) return now;
  const replaced = snapshotArguments(state.target.tool, overrides.arguments);
  checkArguments(state, replaced);
  return replaced;
}

function fused(stop: StopSource, extra: AbortSignal | undefined): StopSource {
  return extra === undefined || extra === stop.signal ? stop : stopOf(AbortSignal.any([stop.signal, extra]));
}

async function runAttempt(
  state: CallState,
  args: JsonValue,
  stop: StopSource,
  attempt: number,
  run: BodyRun,
): Promise<ToolResultInit> {
  const { tool, record } = state.target;
  const started = performance.now();
  const deferred: AdditionalContext[] = [];
  run.deferred = deferred;
  run.arguments = args;
  let isError = true;
  try {
    const init = await withTimeout(state, stop, (bodyStop) =>
      record.definition.execute(args, runContext(state, bodyStop, deferred)),
    );
    isError = init.isError === true;
    return init;
  } finally {
    if (!state.gate.closed && state.services.observers.has('tools/attempt')) {
      const durationMs = performance.now() - started;
      state.services.observers.emit('tools/attempt', {
        callId: state.callId,
        toolId: tool.id,
        attempt,
        isError,
        durationMs,
      });
    }
  }
}

/** Runs the body under the tool's own time limit; what it throws becomes a `ToolCallError`. */
async function withTimeout(
  state: CallState,
  stop: StopSource,
  body: (stop: StopSource) => unknown,
): Promise<ToolResultInit> {
  const { tool, record } = state.target;
  const { timeoutMs } = record.definition;
  const run = (bounded: StopSource) => settled(state, bounded, () => body(bounded));
  if (timeoutMs === undefined) return run(stop);
  return withDeadline(tool.wireName, timeoutMs, stop.signal, (bounded) => run(stopOf(bounded)));
}

async function settled(state: CallState, stop: StopSource, body: () => unknown): Promise<ToolResultInit> {
  const { wireName } = state.target.tool;
  try {
    const given = await body();
    return isToolResult(given) ? { ...given } : { value: given };
  } catch (error) {
    if (ToolCallError.is(error)) throw asToolCallError(error, 'TOOL_FAILED');
    if (stop.aborted && isAbortError(error, stop.signal)) throw aborted(wireName, abortReason(stop));
    throw toolFailed(wireName, thrownMessage(error));
  }
}

function isAbortError(error: unknown, signal: AbortSignal): boolean {
  try {
    return error === signal.reason || (error as { name?: unknown } | null)?.name === 'AbortError';
  } catch {
    return false;
  }
}

function runContext(state: CallState, stop: StopSource, deferred: AdditionalContext[]): ToolRunContext {
  return Object.freeze({
    callId: state.callId,
    rootCallId: state.rootCallId,
    ...(state.parent ? { parent: state.parent } : {}),
    scope: state.scope,
    ...(state.clientTools ? { clientTools: state.clientTools } : {}),
    get signal() {
      return stop.signal;
    },
    update(partial: JsonValue) {
      if (state.settled || state.gate.closed || !state.onUpdate) return;
      try {
        state.onUpdate(freezeJson(toLosslessJson(partial, { name: 'update' })));
      } catch (error) {
        state.services.warn(`an update of ${state.target.tool.wireName} was dropped: ${thrownMessage(error)}`);
      }
    },
    deferContext(entry: AdditionalContext) {
      if (!state.settled) deferred.push(...copyContexts([entry], 'context', state.callId));
    },
  });
}
