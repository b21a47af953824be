// @codeseam/tools: the tool registry, without a harness around it.
export { createToolRegistry } from './create-registry.ts';
export { defineTool, type TypedToolDefinition } from './define-tool.ts';
export {
  TOOL_REGISTRY_ERROR_CODES,
  ToolCallError,
  type ToolCallErrorDetails,
  ToolRegistryError,
  type ToolRegistryErrorCode,
} from './errors.ts';
export { toolId } from './identity.ts';
export type { FromSchema, InferArguments, InferValue, SchemaLike } from './infer-schema.ts';
export { mcpValueSchema, structuredSchemaOf } from './mcp-value.ts';
export { compilePattern } from './name-pattern.ts';
export { estimateTokens } from './presentation/estimate-tokens.ts';
export {
  type AnthropicTool,
  type McpTool,
  type OpenAIChatTool,
  type OpenAIResponsesTool,
  toAnthropicTools,
  toMcpTools,
  toOpenAITools,
} from './presentation/wire-formats.ts';
export { readableJson } from './readable-json.ts';
export { runInSlices, STEP } from './run-in-slices.ts';
export { contentText } from './tool-content.ts';
export { isToolResult, toolResult } from './tool-result.ts';
export * from './types.ts';
