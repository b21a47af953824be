// @codeseam/ai-sdk: a view of the tool registry for the AI SDK.
export type { CodeseamOutput } from './model-output.ts';
export { type PayloadGuard, type PresentedToolSet, type ToolSetOptions, toToolSet } from './to-tool-set.ts';
