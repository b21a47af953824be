// The stages after a tool ran: canonical value, rendering, postExecute hooks, the tool's last word on content.
import { freezeJson, type JsonValue, LosslessJsonError, toLosslessJson } from '@codeseam/lossless-json';
import { ToolCallError } from '../errors.ts';
import { asToolCallError, thrownMessage } from '../read-thrown.ts';
import { isRecord } from '../schema/schema-keywords.ts';
import { contentText, copyContent, copyContexts, renderValue } from '../tool-content.ts';
import type { AdditionalContext, PostExecuteDecision, ToolCallOutcome, ToolContent, ToolResultInit } from '../types.ts';
import { invalidOutput, resultWithheld, unsupportedSchema, violatingOutput } from './call-errors.ts';
import { type CallState, callView } from './call-state.ts';
import type { BodyRun } from './run-body.ts';

/** A result on its way to becoming an outcome. Each part is frozen through and through. */
export interface Draft {
  error?: ToolCallError;
  value?: JsonValue;
  content: readonly ToolContent[];
  meta?: Readonly<Record<string, JsonValue>>;
  contexts: readonly AdditionalContext[];
}

const NO_CONTEXTS: readonly AdditionalContext[] = Object.freeze([]);

function frozen<T>(part: T): T {
  return freezeJson(part as JsonValue) as T;
}

function frozenContexts(contexts: readonly AdditionalContext[]): readonly AdditionalContext[] {
  return contexts.length === 0 ? NO_CONTEXTS : frozen(contexts);
}

/** Takes what a body gave through the remaining stages. Never rejects. */
export async function settleResult(
  state: CallState,
  run: BodyRun,
  outcomeOf: (draft: Draft) => ToolCallOutcome,
): Promise<Draft> {
  let draft: Draft;
  if ('error' in run.result) {
    draft = failed(run.result.error, run.deferred);
  } else {
    try {
      draft = canonical(state, run.result.init, run.deferred);
    } catch (error) {
      draft = failed(asToolCallError(error, 'INVALID_TOOL_OUTPUT'), run.deferred);
    }
  }
  for (const hook of state.services.hooks.of('postExecute')) {
    try {
      const decision = await hook(callView(state, run.arguments), outcomeOf(draft));
      draft = applyDecision(state, draft, decision);
    } catch (error) {
      const reason = ToolCallError.is(error) ? asToolCallError(error, 'DENIED') : undefined;
      draft = failed(
        reason ?? resultWithheld(state.target.tool.wireName, `a postExecute hook failed: ${thrownMessage(error)}`),
        [],
      );
    }
  }
  return draft;
}

/** A failed call: its message is its content. */
export function failed(error: ToolCallError, contexts: readonly AdditionalContext[]): Draft {
  return {
    error,
    content: frozen(errorContent(error)),
    contexts: frozenContexts(contexts),
    ...(error.meta ? { meta: frozen(error.meta) } : {}),
  };
}

function errorContent(error: ToolCallError): ToolContent[] {
  return [{ type: 'text', text: `Error: ${error.message}${error.hint ? `\n${error.hint}` : ''}` }];
}

function canonical(state: CallState, given: ToolResultInit, deferred: AdditionalContext[]): Draft {
  const { tool, record } = state.target;
  // Read once, and each field by itself: this may be a hook's object.
  const { value, content, isError, meta, additionalContexts } = given;
  const own =
    additionalContexts === undefined
      ? []
      : contained(state, () => copyContexts(additionalContexts, 'additionalContexts', state.callId));
  const contexts = frozenContexts([...own, ...deferred]);
  const copy = canonicalValue(state, value);
  const shared = meta === undefined ? {} : { meta: frozen(contained(state, () => copyMeta(meta))) };
  if (isError === true) {
    const blocks = content === undefined ? renderValue(copy) : contained(state, () => copyContent(content, 'content'));
    const message = contentText(blocks) || `tool ${JSON.stringify(tool.wireName)} failed`;
    const error = new ToolCallError('TOOL_FAILED', thrownMessage(message), { toolName: tool.wireName });
    return { error, value: copy, content: frozen(blocks), contexts, ...shared };
  }
  checkOutput(state, copy);
  const blocks = content === undefined ? render(state, copy) : contained(state, () => copyContent(content, 'content'));
  return { value: copy, content: frozen(blocks), contexts, ...shared };

  function copyMeta(from: unknown): Readonly<Record<string, JsonValue>> {
    const copied = toLosslessJson(from, { name: 'meta' });
    if (!isRecord(copied)) throw new TypeError('meta: must be an object');
    return copied as Record<string, JsonValue>;
  }

  function render(_: CallState, rendered: JsonValue): ToolContent[] {
    const custom = record.definition.output?.render;
    if (!custom) return renderValue(rendered);
    return contained(state, () => copyContent(custom(rendered), 'the rendered content'));
  }
}

/** The value as lossless frozen JSON; a tool that gives nothing gives null. */
function canonicalValue(state: CallState, value: unknown): JsonValue {
  return contained(state, () => freezeJson(toLosslessJson(value === undefined ? null : value)));
}

function checkOutput(state: CallState, value: JsonValue): void {
  const { tool, record } = state.target;
  if (!record.output) return;
  const checked = record.output.check(value);
  if ('uncheckable' in checked) throw unsupportedSchema(tool.wireName, 'result', checked.uncheckable, true);
  if (checked.violations.length > 0) throw violatingOutput(tool.wireName, checked.violations);
}

/** Anything that goes wrong with what a tool gave is an invalid output, and says where. */
function contained<T>(state: CallState, make: () => T): T {
  try {
    return make();
  } catch (error) {
    const reason =
      error instanceof LosslessJsonError || error instanceof TypeError ? error.message : thrownMessage(error);
    throw invalidOutput(state.target.tool.wireName, reason);
  }
}

function applyDecision(state: CallState, draft: Draft, decision: PostExecuteDecision): Draft {
  if (decision === undefined || decision === null) return draft;
  const { wireName } = state.target.tool;
  if (!isRecord(decision)) throw resultWithheld(wireName, 'a postExecute hook gave no decision');
  const { value, content, block, additionalContexts } = decision as Record<string, unknown>;
  if (block !== undefined) {
    const error = new ToolCallError(
      'DENIED',
      typeof block === 'string' && block !== '' ? block : 'the result was blocked',
      {
        toolName: wireName,
      },
    );
    return failed(
      error,
      additionalContexts === undefined ? [] : copyContexts(additionalContexts, 'additionalContexts', state.callId),
    );
  }
  if (value !== undefined && content !== undefined) {
    throw resultWithheld(wireName, 'a postExecute hook replaced both value and content, where it may replace one');
  }
  if (content !== undefined) {
    const blocks = frozen(copyContent(content, 'content'));
    if (!draft.error) return { ...draft, content: blocks };
    // A program reads the message of a failure, so what was taken out of its content may not stay there.
    const error = new ToolCallError(draft.error.code, contentText(blocks) || 'failed', { toolName: wireName });
    return { error, content: blocks, contexts: draft.contexts };
  }
  if (value === undefined) throw resultWithheld(wireName, 'a postExecute hook gave none of value, content, block');
  if (draft.error) throw resultWithheld(wireName, 'a postExecute hook gave a value for a call that failed');
  const replaced = canonical(state, { value }, []);
  return { ...replaced, contexts: draft.contexts, ...(draft.meta ? { meta: draft.meta } : {}) };
}

/** The tool's last word on its content; one that fails hides the content, since it may be there to take secrets out. */
export function finalizeContent(state: CallState, draft: Draft, outcomeOf: (draft: Draft) => ToolCallOutcome): Draft {
  const finalize = state.target.record.definition.finalizeContent;
  if (!finalize) return draft;
  try {
    const content = finalize([...outcomeOf(draft).content], outcomeOf(draft));
    return { ...draft, content: frozen(copyContent(content, 'the finalized content')) };
  } catch (error) {
    return failed(
      invalidOutput(state.target.tool.wireName, `its content could not be finalized: ${thrownMessage(error)}`),
      draft.contexts,
    );
  }
}
