// What the guests of all providers share: pure, without ambient needs, on built-ins captured at load.
export { formatLog } from './guest/format-log.ts';
export { type FormatOptions, formatValue } from './guest/format-value.ts';
export { type ConsoleLevel, makeConsole } from './guest/make-console.ts';
export { makeNamespace, type NamespaceSource } from './guest/namespace.ts';
export type { LabelOf } from './guest/own-data.ts';
