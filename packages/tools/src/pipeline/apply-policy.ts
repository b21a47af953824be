// The stages before a tool runs: preExecute hooks, a person's approval, guards, the check of arguments.
import type { JsonValue } from '@codeseam/lossless-json';
import { thrownMessage } from '../read-thrown.ts';
import { isRecord } from '../schema/schema-keywords.ts';
import type { ApprovalQuestion, PreExecuteDecision } from '../types.ts';
import {
  abortedBeforeDispatch,
  approvalRequired,
  denied,
  invalidArguments,
  policyFailed,
  toolGone,
  unsupportedSchema,
} from './call-errors.ts';
import { abortReason, type CallState, callView, refuseIfAborted, snapshotArguments } from './call-state.ts';

/**
 * Takes a call through policy.
 *
 * @returns the arguments to run with: frozen, valid.
 * @throws {ToolCallError} `DENIED`, `APPROVAL_REQUIRED`, `INVALID_ARGS`, `UNSUPPORTED_SCHEMA`, `UNKNOWN_TOOL`, `ABORTED_BEFORE_DISPATCH`.
 */
export async function applyPolicy(state: CallState, given: JsonValue): Promise<JsonValue> {
  refuseIfAborted(state);
  const { args, ask } = await runPreExecuteHooks(state, given);
  if (ask) {
    // Nobody is asked about a call that could not run anyway.
    checkArguments(state, args);
    await askForApproval(state, args, ask.reason);
    if (!state.target.isVisible()) throw toolGone(state.target.tool.wireName);
  }
  runGuards(state, args);
  checkArguments(state, args);
  refuseIfAborted(state);
  return args;
}

async function runPreExecuteHooks(state: CallState, given: JsonValue) {
  const { tool, transport } = state.target;
  let args = given;
  const byDefault = state.services.asksByDefault(tool);
  let ask: { reason?: string } | undefined = byDefault === undefined ? undefined : { reason: byDefault };
  for (const hook of state.services.hooks.of('preExecute')) {
    let decision: PreExecuteDecision;
    try {
      decision = await hook(callView(state, args));
    } catch (error) {
      throw policyFailed(tool.wireName, 'preExecute', thrownMessage(error));
    }
    refuseIfAborted(state);
    if (decision === undefined || decision === null) continue;
    if (!isRecord(decision)) throw policyFailed(tool.wireName, 'preExecute', 'it gave no decision');
    switch (decision.decision) {
      case 'allow':
        if (decision.arguments !== undefined) {
          const replaced = snapshotArguments(tool, decision.arguments);
          const rewritten = transport?.rewriteArguments?.(tool.name, args, replaced);
          args = rewritten === undefined ? replaced : snapshotArguments(tool, rewritten);
        }
        break;
      case 'deny':
        throw denied(tool.wireName, textOf(decision.reason));
      case 'ask':
        ask ??= {};
        ask = { reason: [ask.reason, textOf(decision.reason)].filter(Boolean).join('; ') || undefined };
        break;
      default:
        throw policyFailed(tool.wireName, 'preExecute', 'its decision is none of allow, deny, ask');
    }
  }
  return { args, ask };
}

async function askForApproval(state: CallState, args: JsonValue, reason: string | undefined): Promise<void> {
  const { tool } = state.target;
  const service = state.services.approval();
  if (!service) throw approvalRequired(tool.wireName, reason);
  const question: ApprovalQuestion = {
    callId: state.callId,
    rootCallId: state.rootCallId,
    ...(state.parent ? { parent: state.parent } : {}),
    tool,
    arguments: args,
    ...(reason === undefined ? {} : { reason }),
    scope: state.scope,
  };
  state.gate.beforeApproval();
  const answer = await untilAborted(state, () => service.request(question, state.stop.signal));
  if ('failed' in answer) throw denied(tool.wireName, answer.failed);
  if (answer.decision !== 'allow') throw denied(tool.wireName, answer.reason);
  await state.gate.afterApproval();
  refuseIfAborted(state);
}

type Answer = { decision: 'allow' | 'deny'; reason?: string } | { failed: string };

/** A person may never answer: an abort ends the wait whatever the service does. */
async function untilAborted(state: CallState, request: () => Promise<unknown>): Promise<Answer> {
  const { signal } = state.stop;
  let stop = () => {};
  const cut = new Promise<never>((_, reject) => {
    stop = () => reject(abortedBeforeDispatch(state.target.tool.wireName, abortReason(state.stop)));
    signal.addEventListener('abort', stop, { once: true });
  });
  const asked = (async (): Promise<Answer> => {
    try {
      return readAnswer(await request());
    } catch (error) {
      return { failed: `the approval failed: ${thrownMessage(error)}` };
    }
  })();
  try {
    return await Promise.race([asked, cut]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function readAnswer(answer: unknown): Answer {
  const { decision, reason } = (answer ?? {}) as { decision?: unknown; reason?: unknown };
  return { decision: decision === 'allow' ? 'allow' : 'deny', ...(typeof reason === 'string' ? { reason } : {}) };
}

function runGuards(state: CallState, args: JsonValue): void {
  const { wireName } = state.target.tool;
  for (const guard of state.services.hooks.of('guard')) {
    let verdict: unknown;
    try {
      verdict = guard(callView(state, args));
    } catch (error) {
      throw policyFailed(wireName, 'guard', thrownMessage(error));
    }
    if (verdict === undefined || verdict === null) continue;
    if (verdict instanceof Promise) {
      verdict.catch(() => {});
      throw policyFailed(wireName, 'guard', 'guards are synchronous, and this one gave a promise');
    }
    const deny = isRecord(verdict) ? verdict['deny'] : undefined;
    if (typeof deny !== 'string') throw policyFailed(wireName, 'guard', 'it gave neither nothing nor { deny }');
    throw denied(wireName, deny);
  }
}

/** @throws {ToolCallError} `INVALID_ARGS` with every violation, or `UNSUPPORTED_SCHEMA`. */
export function checkArguments(state: CallState, args: JsonValue): void {
  const { tool, record, transport } = state.target;
  if (transport?.checksArguments) return;
  const checked = record.parameters.check(args);
  if ('uncheckable' in checked) throw unsupportedSchema(tool.wireName, 'arguments', checked.uncheckable, false);
  if (checked.violations.length > 0) throw invalidArguments(tool.wireName, checked.violations);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
