// `exec` and `wait` as the registry presents them.
import type { JsonValue } from '@codeseam/lossless-json';
import { type JsonSchema, type ToolDefinition, type ToolRunContext, toolResult } from '@codeseam/tools';
import { WAIT_DESCRIPTION } from './exec-description.ts';
import { resultContent } from './shape-result.ts';
import type { CodeModeLanguage, CodeModeResult } from './types.ts';

export interface ControlHandlers {
  exec(args: unknown, context: ToolRunContext): Promise<CodeModeResult>;
  wait(args: unknown, context: ToolRunContext): Promise<CodeModeResult>;
}

const MOST_KEPT = 64;

/** The definitions for each description: they are asked for at every call, and checked by the registry when they are new. */
export class ControlTools {
  readonly #kept = new Map<string, ToolDefinition[]>();

  constructor(readonly handlers: ControlHandlers) {}

  for(execDescription: string, languages: readonly CodeModeLanguage[]): ToolDefinition[] {
    const key = `${languages.join()} ${execDescription}`;
    let found = this.#kept.get(key);
    if (!found) {
      if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
      found = define(execDescription, languages, this.handlers);
      this.#kept.set(key, found);
    }
    return found;
  }
}

function define(
  execDescription: string,
  languages: readonly CodeModeLanguage[],
  { exec, wait }: ControlHandlers,
): ToolDefinition[] {
  return [
    {
      name: 'exec',
      description: execDescription,
      parameters: execParameters(languages),
      control: true,
      concurrency: 'safe',
      execute: async (args, context) => resultOf(await exec(args, context)),
      presentCall: (args: { code?: unknown; language?: unknown }) => ({
        title: 'Run a program',
        kind: 'execute',
        input: { language: String(args.language ?? 'javascript'), text: String(args.code ?? '') },
      }),
    },
    {
      name: 'wait',
      description: WAIT_DESCRIPTION,
      parameters: WAIT_PARAMETERS,
      control: true,
      concurrency: 'safe',
      execute: async (args, context) => resultOf(await wait(args, context)),
      presentCall: (args: { runId?: unknown; cancel?: unknown }) => ({
        title: `${args.cancel === true ? 'Cancel' : 'Go on with'} the program ${String(args.runId ?? '')}`,
        kind: 'execute',
      }),
    },
  ];
}

function resultOf(result: CodeModeResult) {
  return toolResult({
    value: result as unknown as JsonValue,
    content: resultContent(result),
    ...(result.status === 'failed' ? { isError: true } : {}),
  });
}

function execParameters(languages: readonly CodeModeLanguage[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'The program: the body of an async function.' },
      language: { type: 'string', enum: [...languages], description: 'Only needed where it is not plain.' },
      restartSafe: {
        type: 'boolean',
        description: 'Only read-only tools: the program may be run again after a restart.',
      },
    },
    required: ['code'],
  };
}

const WAIT_PARAMETERS: JsonSchema = {
  type: 'object',
  properties: {
    runId: { type: 'string' },
    cancel: { type: 'boolean', description: 'Ends the program.' },
  },
  required: ['runId'],
};
