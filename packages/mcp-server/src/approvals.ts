// Approval questions of a session go to its client as elicitation; where that cannot answer, they wait for the host or are denied.
import type { ApprovalQuestion, ApprovalService } from '@codeseam/tools';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server';

type Decision = { decision: 'allow' | 'deny'; reason?: string };

/** What a session can do for a question. */
export interface ApprovalAsker {
  /** Whether its client can be asked now. */
  canAsk(): boolean;
  ask(
    params: ElicitRequestFormParams,
    options: { signal: AbortSignal; timeout: number; rootCallId: string },
  ): Promise<ElicitResult>;
}

/** A question that nobody has answered yet. */
export interface PendingApproval {
  callId: string;
  tool: string;
  arguments: unknown;
  reason?: string;
  sessionId?: string;
}

/** The longest that a timer can wait; the run's own time limits end a question sooner. */
const ASK_MS = 2_147_483_647;
const MAX_SHOWN = 2_000;

export class FrontApprovals implements ApprovalService {
  readonly #askers = new Map<string, ApprovalAsker>();
  readonly #unaskable: 'wait' | 'deny';
  readonly #pending = new Map<string, { question: ApprovalQuestion; decide: (decision: Decision) => void }>();

  /** @param unaskable what becomes of a program's question that the client cannot be asked. */
  constructor(unaskable: 'wait' | 'deny' = 'wait') {
    this.#unaskable = unaskable;
  }

  /** A session answers for its scope's `sessionId`. Gives the undo. */
  join(sessionId: string, asker: ApprovalAsker): () => void {
    this.#askers.set(sessionId, asker);
    return () => {
      if (this.#askers.get(sessionId) === asker) this.#askers.delete(sessionId);
    };
  }

  pending(): PendingApproval[] {
    return [...this.#pending.values()].map(({ question }) => ({
      callId: question.callId,
      tool: question.tool.id,
      arguments: question.arguments,
      ...(question.reason === undefined ? {} : { reason: question.reason }),
      ...(question.scope.sessionId === undefined ? {} : { sessionId: question.scope.sessionId }),
    }));
  }

  /** The host decides a pending question by other means. False where there is no such question. */
  decide(callId: string, decision: 'allow' | 'deny', reason?: string): boolean {
    const pending = this.#pending.get(callId);
    this.#pending.delete(callId);
    pending?.decide({ decision, ...(reason === undefined ? {} : { reason }) });
    return pending !== undefined;
  }

  async request(question: ApprovalQuestion, signal: AbortSignal): Promise<Decision> {
    const asker = question.scope.sessionId === undefined ? undefined : this.#askers.get(question.scope.sessionId);
    const canAsk = asker?.canAsk() === true;
    if (!canAsk && (this.#unaskable === 'deny' || question.parent === undefined)) {
      // Nobody would ever answer, or a plain call has no run that could wait.
      return {
        decision: 'deny',
        reason: 'it needs an approval, and this client cannot show the question (it lacks elicitation)',
      };
    }
    const { callId } = question;
    try {
      return await new Promise<Decision>((decide, reject) => {
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        this.#pending.set(callId, { question, decide });
        if (canAsk)
          asker
            .ask(form(question), { signal, timeout: ASK_MS, rootCallId: question.rootCallId })
            .then((answer) => decide(read(answer)), reject);
      });
    } finally {
      this.#pending.delete(callId);
    }
  }
}

function form({ tool, arguments: args, reason }: ApprovalQuestion): ElicitRequestFormParams {
  const text = JSON.stringify(args, null, 2);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters in all)` : text;
  const why = reason === undefined ? '' : `\nReason: ${reason}`;
  return {
    mode: 'form',
    message: `A program wants to call ${tool.id} with:\n${shown}${why}\nAllow this call?`,
    requestedSchema: {
      type: 'object',
      properties: { allow: { type: 'boolean', title: 'Allow this call', default: false } },
      required: ['allow'],
    },
  };
}

function read(answer: ElicitResult): Decision {
  if (answer.action === 'accept' && answer.content?.['allow'] === true) return { decision: 'allow' };
  return { decision: 'deny', reason: answer.action === 'cancel' ? 'the question was dismissed' : 'the person said no' };
}
