// Which session a scope belongs to, and which runs a wait may reach.
import { createHash } from 'node:crypto';
import type { ToolScope } from '@codeseam/tools';

/** What is kept for a session is kept under this; without a session id, the agent's run is the session. */
export function sessionKey(scope: ToolScope): string {
  const { agentId = null, sessionId = null, agentRunId = null } = scope;
  return JSON.stringify(sessionId === null ? [agentId, null, agentRunId] : [agentId, sessionId]);
}

/** The scope fields that a `wait` must share with a run. */
export type Ownership = readonly (readonly [field: string, value: unknown])[];

/** The ownership fields that a run's scope has. */
export function ownershipOf(scope: ToolScope, fields: readonly string[]): Ownership {
  return fields.flatMap((field) => (scope[field] === undefined ? [] : [[field, scope[field]] as const]));
}

/** Whether a caller shares every field; one that it lacks is not shared. */
export function isOwner(ownership: Ownership, scope: ToolScope): boolean {
  return ownership.every(([field, value]) => scope[field] === value);
}

/** For tombstones, which should not keep who it was. */
export function ownershipHash(ownership: Ownership): string {
  return createHash('sha256').update(JSON.stringify(ownership)).digest('base64url');
}

/** Whether a run's scope is the agent run that a host ends. */
export function isSameAgentRun(run: ToolScope, ended: ToolScope): boolean {
  return run.agentRunId === ended.agentRunId && agreesOn(run, ended, ['sessionId', 'agentId']);
}

/** Whether a run's scope is in the session that a host ends. */
export function isSameSession(run: ToolScope, ended: ToolScope): boolean {
  return run.sessionId === ended.sessionId && agreesOn(run, ended, ['agentId']);
}

function agreesOn(run: ToolScope, ended: ToolScope, fields: readonly ('sessionId' | 'agentId')[]): boolean {
  return fields.every((field) => ended[field] === undefined || run[field] === ended[field]);
}

/** Whether what is kept under a session key belongs to the session that a host ends. */
export function isKeyOfSession(key: string, ended: ToolScope): boolean {
  const [agentId, sessionId] = JSON.parse(key) as [unknown, unknown];
  return sessionId === (ended.sessionId ?? null) && (ended.agentId === undefined || agentId === ended.agentId);
}
