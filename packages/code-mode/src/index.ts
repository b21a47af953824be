export { convenienceNames } from './catalog/convenience-names.ts';
export { mcpCatalogs } from './catalog/mcp-catalogs.ts';
export { createCodeMode, RESERVED_NAMES } from './create-code-mode.ts';
export { CODE_MODE_ERRORS, type CodeModeErrorInfo, docsOf } from './error-codes.ts';
export { CodeModeError } from './errors.ts';
export { MemoryRunStore } from './store/memory-run-store.ts';
export type {
  Claim,
  SuspendedProgram,
  SuspendedRunRecord,
  SuspendedRunStore,
  Tombstone,
} from './store/suspended-run-store.ts';
export * from './types.ts';
