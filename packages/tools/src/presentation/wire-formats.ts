// Tools of a presentation in the shapes that providers and MCP take.
import type { JsonSchema, Presentation, ToolAnnotations, WireTool } from '../types.ts';
import { providerSchema } from './provider-schema.ts';

/** An entry of `tools` of OpenAI's chat completions. */
export interface OpenAIChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** An entry of `tools` of OpenAI's responses. */
export interface OpenAIResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: false;
}

/** An entry of `tools` of Anthropic's messages. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [keyword: string]: unknown };
}

/** An entry of the result of MCP's `tools/list`. */
export interface McpTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  outputSchema?: { type: 'object'; [keyword: string]: unknown };
  annotations?: ToolAnnotations;
}

type Tools = Presentation | readonly WireTool[];

const listOf = (tools: Tools): readonly WireTool[] => ('tools' in tools ? tools.tools : tools);

/** For OpenAI's chat completions (the default), or its responses. */
export function toOpenAITools(tools: Tools, options?: { api?: 'chat' }): OpenAIChatTool[];
export function toOpenAITools(tools: Tools, options: { api: 'responses' }): OpenAIResponsesTool[];
export function toOpenAITools(
  tools: Tools,
  { api = 'chat' }: { api?: 'chat' | 'responses' } = {},
): OpenAIChatTool[] | OpenAIResponsesTool[] {
  const functions = listOf(tools).map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: { ...providerSchema(parameters) },
  }));
  return api === 'chat'
    ? functions.map((fn) => ({ type: 'function', function: fn }))
    : functions.map((fn) => ({ type: 'function', ...fn, strict: false as const }));
}

/** For Anthropic's messages. */
export function toAnthropicTools(tools: Tools): AnthropicTool[] {
  return listOf(tools).map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: { ...providerSchema(parameters), type: 'object' },
  }));
}

/** For an MCP server's `tools/list`. Output schemas that are not of objects are left out: MCP has none. */
export function toMcpTools(tools: Tools): McpTool[] {
  return listOf(tools).map(({ name, title, description, parameters, outputSchema, annotations }) => ({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: { ...parameters, type: 'object' },
    ...(isObjectSchema(outputSchema) ? { outputSchema: { ...outputSchema, type: 'object' as const } } : {}),
    ...(annotations ? { annotations } : {}),
  }));
}

function isObjectSchema(schema: JsonSchema | undefined): schema is JsonSchema {
  return schema?.['type'] === 'object';
}
