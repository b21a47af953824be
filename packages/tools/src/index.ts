// @codeseam/tools: the tool registry, without a harness around it.
export { createToolRegistry } from './create-registry.ts';
export {
  TOOL_REGISTRY_ERROR_CODES,
  ToolCallError,
  type ToolCallErrorDetails,
  ToolRegistryError,
  type ToolRegistryErrorCode,
} from './errors.ts';
export { toolId } from './identity.ts';
export { compilePattern } from './name-pattern.ts';
export { estimateTokens } from './presentation/estimate-tokens.ts';
export { readableJson } from './readable-json.ts';
export { contentText } from './tool-content.ts';
export { isToolResult, toolResult } from './tool-result.ts';
export * from './types.ts';
