// Keeps oversized results out of the conversation: the model gets the beginning, and a tool to read on with.
import { randomUUID } from 'node:crypto';
import { cutText } from '@codeseam/lossless-json';
import { strictConfig } from '@codeseam/strict-config';
import Schema from 'schemastery';
import { ToolCallError } from '../errors.ts';
import { contentText } from '../tool-content.ts';
import type { ToolRegistry, ToolScope } from '../types.ts';
import { policyPlugin } from './policy-plugin.ts';

export interface SpillConfig {
  /** Text of a result beyond this is kept back (UTF-8 bytes). */
  maxBytes: number;
  /** What is kept for reading on, for each session; the oldest goes first. */
  keepBytes: number;
}

export const spillConfig = strictConfig<Partial<SpillConfig>, SpillConfig>(
  Schema.object({
    maxBytes: Schema.number().step(1).min(256).max(16_777_216).default(32_768),
    keepBytes: Schema.number().step(1).min(0).max(268_435_456).default(8_388_608),
  }) as never,
  { name: '@codeseam/tools/spill' },
);

interface Kept {
  ref: string;
  session: string;
  text: string;
}

/** After all other hooks: what they leave is what the model would get. */
const ORDER = 1_000;

/**
 * Puts the policy in force; gives the undo. It looks at direct calls only (what a program calls stays in the program) and leaves
 * `exec` and `wait` alone, which cut their own output.
 */
export function installSpill(tools: ToolRegistry, given: Partial<SpillConfig> = {}): () => void {
  const { maxBytes, keepBytes } = spillConfig(given);
  const kept: Kept[] = [];
  const keep = (session: string, text: string): string => {
    const ref = randomUUID();
    kept.push({ ref, session, text });
    const own = kept.filter((entry) => entry.session === session);
    let bytes = own.reduce((sum, entry) => sum + Buffer.byteLength(entry.text), 0);
    for (const entry of own) {
      if (bytes <= keepBytes) break;
      bytes -= Buffer.byteLength(entry.text);
      kept.splice(kept.indexOf(entry), 1);
    }
    return ref;
  };

  const undoHook = tools.hook(
    'postExecute',
    ({ parent, tool, scope, transportInfo }, outcome) => {
      if (parent || tool.name === READ_ON.name || transportInfo?.['toolKind'] === 'code_mode_exec') return undefined;
      const text = contentText(outcome.content);
      if (Buffer.byteLength(text) <= maxBytes) return undefined;
      const head = cutText(text, maxBytes);
      const ref = keep(sessionOf(scope), text);
      const note = `… (${text.length - head.length} of ${text.length} characters kept back; read on with ${READ_ON.name}({ "ref": "${ref}", "offset": ${head.length} }))`;
      const others = outcome.content.filter((block) => block.type !== 'text' && block.type !== 'resource');
      return { content: [{ type: 'text', text: `${head}\n${note}` }, ...others] };
    },
    { order: ORDER },
  );
  const undoTool = tools.register({
    ...READ_ON,
    execute({ ref, offset, limit }, { scope }) {
      const entry = kept.find((candidate) => candidate.ref === ref && candidate.session === sessionOf(scope));
      if (!entry)
        throw new ToolCallError(
          'TOOL_FAILED',
          `nothing is kept under ${JSON.stringify(ref)}; the oldest results go first`,
        );
      const text = cutText(entry.text.slice(offset, offset + limit), maxBytes);
      const next = offset + text.length;
      return next < entry.text.length ? `${text}\n… (go on at offset ${next} of ${entry.text.length})` : text;
    },
  });
  return () => {
    undoHook();
    undoTool();
    kept.length = 0;
  };
}

const READ_ON = {
  name: 'read_result',
  description: 'Reads on in a result that was too long to be shown whole, by the `ref` that it was shown with.',
  parameters: {
    type: 'object',
    properties: {
      ref: { type: 'string' },
      offset: { type: 'integer', minimum: 0, default: 0, description: 'Characters to skip.' },
      limit: { type: 'integer', minimum: 1, default: 20_000, description: 'Characters to read at most.' },
    },
    required: ['ref'],
    additionalProperties: false,
  },
  concurrency: 'safe',
  replaySafe: true,
  // The model needs it where it got the cut result: in the conversation, whatever the mode.
  directOnly: true,
} as const;

function sessionOf({ agentId, sessionId }: ToolScope): string {
  return JSON.stringify([agentId ?? null, sessionId ?? null]);
}

export default policyPlugin('@codeseam/tools/spill', spillConfig as never, installSpill);
