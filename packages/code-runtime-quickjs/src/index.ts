export { createQuickJsRuntime, type QuickJsRuntime } from './runtime.ts';
