// A view of the registry as a ToolSet, and the proof that nothing else is sent.
import {
  type ClientTools,
  contentText,
  type JsonSchema,
  type Presentation,
  ToolCallError,
  type ToolCallOutcome,
  type ToolRegistry,
  type ToolScope,
  type WireTool,
} from '@codeseam/tools';
import { jsonSchema, type ToolSet, tool } from 'ai';
import { type CodeseamOutput, toModelOutput } from './model-output.ts';

export interface ToolSetOptions {
  /** Who is asking; all calls are made under it. */
  scope: ToolScope;
  /** The tools that a client brings for this run. */
  clientTools?: ClientTools;
  /** Types of provider-hosted tools (`web_search_preview`, for one) that may be sent beside these. */
  allowTypes?: readonly string[];
  /** Streaming updates of calls. */
  onUpdate?: (callId: string, partial: unknown) => void;
}

export interface PresentedToolSet {
  /** For `generateText`, `streamText` and agents: `tools`. */
  tools: ToolSet;
  /** The prompt sections of the mode, to be part of `system`; empty in native mode and over `exec`. */
  system: string;
  /** For `wrapLanguageModel`: refuses to send a request whose tools are not exactly these. */
  middleware: PayloadGuard;
  presentation: Presentation;
}

/** A language model middleware, of AI SDK 5 and 6 alike. */
export interface PayloadGuard {
  readonly specificationVersion: 'v3';
  transformParams<Params extends { tools?: readonly unknown[] }>(options: { params: Params }): Promise<Params>;
}

/**
 * Presents what a scope may use, in the mode that holds for it, as the AI SDK takes it.
 *
 * @throws {ToolRegistryError} `presentation` where nothing can be presented.
 * @example
 * const { tools, system, middleware } = await toToolSet(registry, { scope: { sessionId } });
 * await generateText({ model: wrapLanguageModel({ model, middleware }), tools, system, prompt, stopWhen: stepCountIs(10) });
 */
export async function toToolSet(registry: ToolRegistry, options: ToolSetOptions): Promise<PresentedToolSet> {
  const { scope, clientTools, allowTypes = [] } = options;
  const presentation = await registry.present(await registry.prepareView(scope, clientTools ? { clientTools } : {}));
  const call = callThrough(registry, presentation, options);
  const tools: ToolSet = {};
  for (const wire of presentation.tools) {
    tools[wire.name] = tool({
      description: wire.description,
      inputSchema: jsonSchema<unknown>(wire.parameters as JsonSchema as never),
      ...(wire.title === undefined ? {} : { title: wire.title }),
      execute: (input: unknown, { toolCallId, abortSignal }) => call(wire, toolCallId, input, abortSignal),
      toModelOutput: toModelOutput as never,
    });
  }
  return {
    tools,
    system: presentation.sections.map((section) => section.render()).join('\n\n'),
    middleware: {
      specificationVersion: 'v3',
      async transformParams({ params }) {
        registry.checkPayload(
          (params.tools ?? []).map((entry) => withoutHostedName(entry, allowTypes)),
          presentation,
          { allowTypes },
        );
        return params;
      },
    },
    presentation,
  };
}

function callThrough(registry: ToolRegistry, presentation: Presentation, options: ToolSetOptions) {
  const { scope, clientTools, onUpdate } = options;
  return async (
    wire: WireTool,
    callId: string,
    input: unknown,
    signal: AbortSignal | undefined,
  ): Promise<CodeseamOutput> => {
    const outcome = await registry.execute({
      callId,
      // A control tool has no id: it is its transport's.
      ...(wire.toolId === undefined ? { name: wire.name, transport: presentation.transport! } : { id: wire.toolId }),
      arguments: input,
      scope,
      ...(clientTools ? { clientTools } : {}),
      ...(signal ? { signal } : {}),
      ...(onUpdate ? { onUpdate: (partial) => onUpdate(callId, partial) } : {}),
    });
    if (outcome.isError) throw failure(outcome);
    const contexts = outcome.additionalContexts.flatMap((context) => context.content);
    return { value: outcome.value ?? null, content: [...outcome.content, ...contexts] };
  };
}

/** The SDK makes an error result of what is thrown, and the model reads its message. */
function failure(outcome: ToolCallOutcome): ToolCallError {
  const contexts = outcome.additionalContexts.flatMap((context) => context.content);
  const text = contentText([...outcome.content, ...contexts]).replace(/^Error: /, '');
  return new ToolCallError(outcome.code ?? 'TOOL_FAILED', text || (outcome.message ?? 'the tool failed'), {
    toolName: outcome.name,
  });
}

/** Provider-hosted tools have names here, and go by type: `{ type: 'provider', id: 'openai.web_search_preview', name }`. */
function withoutHostedName(entry: unknown, allowTypes: readonly string[]): unknown {
  const { type, id } = (entry ?? {}) as { type?: unknown; id?: unknown };
  if (type === 'function' || typeof id !== 'string') return entry;
  const hosted = id.slice(id.indexOf('.') + 1);
  return allowTypes.includes(hosted) ? { type: hosted } : entry;
}
