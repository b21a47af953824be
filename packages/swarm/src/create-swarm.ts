// Adds `agents`, `phase` and `log` to the programs of code mode.
import type { CodeMode } from '@codeseam/code-mode';
import type { CodeCallContext } from '@codeseam/code-runtime';
import { type JsonValue, toLosslessJson } from '@codeseam/lossless-json';
import type { JsonSchema, ToolScope } from '@codeseam/tools';
import { AgentSlots } from './agent-slots.ts';
import { swarmConfig } from './config.ts';
import guest from './guest.ts?bundle=guest';
import type { AgentAnswer, AgentRequest, AgentsService, SwarmConfig } from './types.ts';

export interface SwarmServices {
  codeMode: CodeMode;
  /** A service, or a getter that is asked at each call. */
  agents: AgentsService | (() => AgentsService | undefined);
  config?: SwarmConfig;
}

/** What crosses to the guest for one subagent. */
type Answer = { ok: true; value: JsonValue } | { ok: false; message: string; runId: string; status: string };

const OPTIONS = ['label', 'agentId', 'model', 'schema', 'phase'];

/**
 * Creating it switches it on.
 *
 * @returns the undo.
 * @throws {ConfigError} for limits out of range.
 */
export function createSwarm({ codeMode, agents, config }: SwarmServices): () => void {
  const limits = swarmConfig(config);
  const service = typeof agents === 'function' ? agents : () => agents;
  let programs = 0;
  return codeMode.extend({
    id: 'swarm',
    globals: ['agents', 'phase', 'log', 'SwarmAgentError', 'swarm'],
    prelude: `(${guest}\n).install(host);`,
    bindings(scope) {
      const program = `${scope.agentRunId ?? scope.sessionId ?? 'program'}:${++programs}`;
      const slots = new AgentSlots(limits);
      const known = new Map<string, Promise<Answer>>();
      return [
        {
          global: 'swarm',
          functions: {
            run(this: CodeCallContext, prompt: unknown, options: unknown) {
              // The same call of the same program is one subagent, however often it is delivered.
              let answer = known.get(this.id);
              if (!answer) {
                answer = runAgent(
                  service(),
                  slots,
                  readRequest(`${program}:${this.id}`, prompt, options, scope),
                  this.signal,
                );
                known.set(this.id, answer);
              }
              return answer;
            },
          },
        },
      ];
    },
  });
}

async function runAgent(
  service: AgentsService | undefined,
  slots: AgentSlots,
  read: AgentRequest | { problem: string },
  signal: AbortSignal,
): Promise<Answer> {
  if ('problem' in read) return failed(read.problem, '', 'invalid');
  if (!service) return failed('there is no agents service', '', 'unavailable');
  const over = slots.count(read.phase ?? '');
  if (over) return failed(over, '', 'limit');
  await slots.enter();
  try {
    if (signal.aborted) return failed('the program has ended', '', 'aborted');
    return readAnswer(await service.run(read, signal), read);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error), '', 'failed');
  } finally {
    slots.leave();
  }
}

function readRequest(
  callId: string,
  prompt: unknown,
  options: unknown,
  scope: ToolScope,
): AgentRequest | { problem: string } {
  if (typeof prompt !== 'string' || prompt.trim() === '')
    return { problem: 'agents.run takes a prompt, a text: agents.run("Read a.txt and say what is in it")' };
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return { problem: `the second argument of agents.run is an object of ${OPTIONS.join(', ')}` };
  const { label, agentId, model, schema, phase, ...rest } = options as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    return {
      problem: `agents.run has no option ${JSON.stringify(unknown.slice(0, 80))}; there are ${OPTIONS.join(', ')}`,
    };
  for (const [name, value] of Object.entries({ label, agentId, model, phase })) {
    if (value !== undefined && typeof value !== 'string') return { problem: `${name} of agents.run must be a text` };
  }
  if (schema !== undefined && (typeof schema !== 'object' || schema === null))
    return { problem: 'schema of agents.run must be a JSON Schema' };
  return {
    callId,
    prompt,
    ...(label === undefined ? {} : { label: label as string }),
    ...(agentId === undefined ? {} : { agentId: agentId as string }),
    ...(model === undefined ? {} : { model: model as string }),
    ...(schema === undefined ? {} : { schema: schema as JsonSchema }),
    ...(phase === undefined ? {} : { phase: phase as string }),
    scope,
  };
}

/** A harness' answer is rebuilt: it crosses to the guest. */
function readAnswer(answer: AgentAnswer, { schema }: AgentRequest): Answer {
  const runId = String(answer?.runId ?? '');
  if (answer?.status !== 'completed')
    return failed(String(answer?.error ?? 'the agent failed'), runId, String(answer?.status ?? 'failed'));
  if (schema === undefined) return { ok: true, value: String(answer.text) };
  if (answer.value === undefined) return failed('the agent gave no value of the schema', runId, 'failed');
  return { ok: true, value: toLosslessJson(answer.value, { name: 'value' }) };
}

function failed(message: string, runId: string, status: string): Answer {
  return { ok: false, message, runId, status };
}
