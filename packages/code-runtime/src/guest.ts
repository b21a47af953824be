// What the guests of all providers share: pure, without ambient needs, on built-ins captured at load.

export { argumentsProblem, argumentsText } from './guest/arguments-text.ts';
export { describeThrown, type ThrownValue } from './guest/describe-thrown.ts';
export { type GuestErrorClass, makeErrorClass } from './guest/error-class.ts';
export { fixGlobals, type GlobalsSource } from './guest/fix-globals.ts';
export { formatLog } from './guest/format-log.ts';
export { type FormatOptions, formatValue } from './guest/format-value.ts';
export * from './guest/intrinsics.ts';
export { type ConsoleLevel, makeConsole } from './guest/make-console.ts';
export { MemberNames } from './guest/member-names.ts';
export { makeNamespace, type NamespaceSource } from './guest/namespace.ts';
export { outputItemText } from './guest/output-item-text.ts';
export { inheritedText, type LabelOf } from './guest/own-data.ts';
export { PROGRAM_FILE, programFrames } from './guest/program-frames.ts';
export { timerDelay } from './guest/timer-delay.ts';
