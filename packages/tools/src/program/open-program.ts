// Owns the calls of one program, also while the program is suspended: numbers, schedules, records and ends them.
import type { CodeBindingFunction, CodeBindingNamespace } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import { Cancellation, type StopSource } from '../cancellation.ts';
import { ToolCallError, ToolRegistryError } from '../errors.ts';
import type { Observers } from '../observers.ts';
import { outcomeUnknown } from '../pipeline/call-errors.ts';
import type { CallGate } from '../pipeline/call-state.ts';
import { asToolCallError } from '../read-thrown.ts';
import { isBinary } from '../tool-content.ts';
import type { ToolRecord } from '../tool-record.ts';
import type {
  AdditionalContext,
  LedgerStatus,
  OpenProgramOptions,
  Tool,
  ToolCallOutcome,
  ToolCallRequest,
  ToolProgram,
} from '../types.ts';
import { createDispatchLane } from './dispatch-lane.ts';
import {
  emitEnd,
  emitStart,
  isOpen,
  type LedgerRow,
  ledgerEntry,
  ledgerStatus,
  nameOf,
  programValue,
  refusedOutcome,
  type SubCall,
  snapshotGiven,
} from './sub-call.ts';

export interface ProgramServices {
  observers: Observers;
  /** The registry's pipeline, with a gate. */
  execute(
    request: ToolCallRequest,
    sub: { tool?: Tool; isSnapshot: boolean; stop: StopSource; gate: CallGate },
  ): Promise<ToolCallOutcome>;
  record(tool: Tool): ToolRecord | undefined;
  /** Told of every program, for the end of the registry; gives the undo. */
  opened(program: ToolProgram): () => void;
}

const NOTHING = () => {};

/**
 * Opens the dispatch bridge of one program.
 *
 * @throws {ToolRegistryError} `invalid-option` for a bound that is none.
 */
export function openProgram(options: OpenProgramOptions, services: ProgramServices): ToolProgram {
  const { view, signal, dispatch, maxInFlight, beforeDispatch } = options;
  if (!Number.isInteger(maxInFlight) || maxInFlight < 1) {
    throw new ToolRegistryError(
      'invalid-option',
      `maxInFlight must be a whole number of at least 1, found ${String(maxInFlight)}`,
    );
  }
  const lane = createDispatchLane(dispatch, maxInFlight);
  const rows: LedgerRow[] = [];
  // In the order of submission; a call that is over leaves only its row.
  const open = new Set<SubCall>();
  const contexts: { number: number; entries: AdditionalContext[] }[] = [];
  let parent = options.parent;
  let ended: string | undefined;

  const call: ToolProgram['call'] = (ref, args, context = {}) =>
    new Promise((resolve) => {
      const sub = submit(ref, args);
      const interrupt = () => interruptCall(sub, context.signal?.aborted ? context.signal.reason : signal.reason);
      sub.settle = (outcome, status) => {
        if (!isOpen(sub)) return;
        sub.row.status = status;
        sub.row.endedAt = performance.now();
        if (outcome.code !== undefined) sub.row.code = outcome.code;
        open.delete(sub);
        context.signal?.removeEventListener('abort', interrupt);
        keepContexts(sub, outcome);
        emitEnd(sub, outcome, services.observers);
        sub.task.leave();
        resolve(outcome);
      };
      rows.push(sub.row);
      open.add(sub);
      if (ended !== undefined) refuseUnstarted(sub, ended);
      else if (signal.aborted || context.signal?.aborted) interrupt();
      else {
        context.signal?.addEventListener('abort', interrupt);
        void run(sub);
      }
    });

  const submit = (ref: Tool | string, args: unknown): SubCall => {
    const tool = typeof ref === 'string' ? view.find(ref) : ref;
    const snapshot = snapshotGiven(tool, args);
    const number = rows.length + 1;
    const callId = `${parent.callId}:code:${number}`;
    const name = typeof ref === 'string' ? ref : ref.id;
    return {
      number,
      row: { callId, toolId: tool?.id ?? name, submittedAt: performance.now(), status: 'queued' },
      callId,
      parent,
      tool,
      ref: name,
      arguments: snapshot.arguments,
      given: snapshot.given,
      isSnapshot: snapshot.isSnapshot,
      task: lane.add(isExclusive(tool, snapshot.arguments)),
      stop: new Cancellation(),
      settle: NOTHING,
    };
  };

  const run = async (sub: SubCall) => {
    if (!(await sub.task.enter()) || !isOpen(sub)) return;
    if (sub.tool && beforeDispatch) {
      try {
        beforeDispatch(sub.tool, sub.arguments);
      } catch (error) {
        sub.settle(refusedOutcome(sub, asToolCallError(error, 'DENIED')), 'failed');
        return;
      }
      // It may have ended the program.
      if (!isOpen(sub)) return;
    }
    sub.row.status = 'pending';
    emitStart(sub, view.scope, services.observers);
    const { tool, isSnapshot, stop } = sub;
    const gate = gateOf(sub);
    const outcome = await services.execute(requestOf(sub), { ...(tool ? { tool } : {}), isSnapshot, stop, gate });
    sub.settle(outcome, ledgerStatus(outcome));
  };

  const gateOf = (sub: SubCall): CallGate => ({
    beforeApproval() {
      if (!isOpen(sub)) return;
      sub.row.status = 'awaiting_approval';
      sub.task.stepAside();
    },
    async afterApproval() {
      if (!(await sub.task.enter()) || !isOpen(sub))
        throw new ToolCallError('ABORTED_BEFORE_DISPATCH', 'the program has ended');
      sub.row.status = 'pending';
    },
    get closed() {
      return !isOpen(sub);
    },
  });

  const requestOf = (sub: SubCall): ToolCallRequest => ({
    callId: sub.callId,
    id: sub.tool?.id ?? sub.ref,
    arguments: sub.given,
    scope: view.scope,
    ...(view.clientTools ? { clientTools: view.clientTools } : {}),
    parent: sub.parent,
    ...(options.onUpdate ? { onUpdate: (partial: JsonValue) => options.onUpdate?.(sub.callId, partial) } : {}),
  });

  const isExclusive = (tool: Tool | undefined, args: JsonValue): boolean => {
    const declared = tool && services.record(tool)?.definition.concurrency;
    let concurrency: unknown = declared;
    if (typeof declared === 'function') {
      try {
        concurrency = declared(args) === 'safe' ? 'safe' : 'exclusive';
      } catch {
        // Who cannot say that he is safe is not.
        concurrency = 'exclusive';
      }
    }
    return dispatch === 'ordered' ? concurrency !== 'safe' : concurrency === 'exclusive';
  };

  const keepContexts = (sub: SubCall, outcome: ToolCallOutcome) => {
    const entries = [...outcome.additionalContexts];
    if (!outcome.isError && outcome.content.some(isBinary))
      entries.unshift({ content: [...outcome.content], callId: sub.callId });
    if (entries.length > 0) contexts.push({ number: sub.number, entries });
  };

  /** Unstarted calls end at once, started ones are asked to. */
  const interruptCall = (sub: SubCall, reason: unknown) => {
    if (sub.row.status === 'queued') refuseUnstarted(sub, "the program's calls were aborted");
    else if (isOpen(sub)) sub.stop.abort(reason);
  };
  const stopAll = () => {
    for (const sub of [...open]) interruptCall(sub, signal.reason);
  };
  const refuseUnstarted = (sub: SubCall, reason: string) => {
    const error = new ToolCallError(
      'ABORTED_BEFORE_DISPATCH',
      `the call of ${JSON.stringify(nameOf(sub))} was not started: ${reason}`,
    );
    sub.settle(refusedOutcome(sub, error), 'abandoned');
  };

  const program: ToolProgram = {
    call,
    binding(tool, { resolveOwnErrors = false } = {}): CodeBindingFunction {
      return async function (this: { signal?: AbortSignal } | undefined, args: unknown) {
        const outcome = await call(tool, args, this?.signal ? { signal: this.signal } : {});
        return programValue(outcome, tool, resolveOwnErrors);
      };
    },
    bindings(): CodeBindingNamespace {
      const functions = Object.create(null) as Record<string, CodeBindingFunction>;
      for (const tool of view.tools) if (!tool.directOnly) functions[tool.wireName] = program.binding(tool);
      return { global: 'tools', functions, errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' } };
    },
    get ledger() {
      return rows.map(ledgerEntry);
    },
    pending: () =>
      [...open]
        .filter((sub): sub is SubCall & { tool: Tool } => sub.tool !== undefined)
        .map(({ callId, tool, arguments: args, row }) => ({
          callId,
          tool,
          arguments: args,
          status: row.status,
          elapsedMs: Math.round(performance.now() - row.submittedAt),
        })),
    resume(next) {
      parent = next;
    },
    abandon(reason) {
      if (ended !== undefined) return;
      ended = reason;
      lane.close();
      for (const sub of [...open]) {
        if (sub.row.status === 'pending')
          sub.settle(refusedOutcome(sub, outcomeUnknown(nameOf(sub), reason)), 'unknown' satisfies LedgerStatus);
        else refuseUnstarted(sub, reason);
        sub.stop.abort(reason);
      }
      signal.removeEventListener('abort', stopAll);
      closed();
    },
    takeContexts() {
      const taken = contexts.splice(0).sort((a, b) => a.number - b.number);
      return taken.flatMap((context) => context.entries);
    },
  };
  signal.addEventListener('abort', stopAll);
  const closed = services.opened(program);
  return program;
}
