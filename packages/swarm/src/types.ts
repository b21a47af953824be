// The vocabulary of the swarm: what a harness' agents service does, and what a program may ask of it.
import type { JsonValue } from '@codeseam/lossless-json';
import type { JsonSchema, ToolScope } from '@codeseam/tools';

/** One subagent to run. */
export interface AgentRequest {
  /** Equal for the same call of the same program, also after a resume: a service that has seen it gives the first answer again. */
  callId: string;
  prompt: string;
  label?: string;
  /** Which kind of agent. */
  agentId?: string;
  model?: string;
  /** The answer is to be a value of this schema. */
  schema?: JsonSchema;
  /** The part of the work that it belongs to, for people. */
  phase?: string;
  /** Of the program that asks. */
  scope: ToolScope;
}

export type AgentAnswer =
  | { status: 'completed'; runId: string; text: string; value?: JsonValue }
  | { status: 'failed' | 'aborted' | 'timeout'; runId: string; error: string };

/** What a harness provides as `agents`. */
export interface AgentsService {
  /** Rejecting counts as `failed`. */
  run(request: AgentRequest, signal: AbortSignal): Promise<AgentAnswer>;
}

export interface SwarmConfig {
  /** The only switch of the cordis plugin. */
  enabled?: boolean;
  /** Subagents at once; more wait in order. */
  maxAtOnce?: number;
  maxPerPhase?: number;
  maxPerRun?: number;
}
