export { NamespaceError, type NamespaceErrorCode } from './errors.ts';
export { createNamespaceRegistry, type NamespaceRegistryOptions } from './namespace-registry.ts';
export { type NamespaceToolMarker, namespaceTool } from './namespace-tool.ts';
export { CODE_MODE_NAMES } from './reserved-names.ts';
export * from './types.ts';
