// The vocabulary of the exec / wait surface: inputs, results and what a harness may ask of code mode.
import type { CodeBindingNamespace, CodeOutputItem, CodeRuntime } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import type { NamespaceRegistry, NamespaceStatus } from '@codeseam/namespaces';
import type { ClientTools, LedgerEntry, ToolRegistry, ToolScope, ToolSource } from '@codeseam/tools';
import type { SuspendedRunStore } from './store/suspended-run-store.ts';

export type CodeModeLanguage = 'javascript' | 'typescript';

export interface ExecInput {
  code: string;
  language?: CodeModeLanguage;
  /** Only read-only work: the program may be run again after a restart. */
  restartSafe?: boolean;
}

export interface WaitInput {
  runId: string;
  /** Ends the run instead. */
  cancel?: boolean;
}

export interface CodeModeCallOptions {
  scope: ToolScope;
  callId: string;
  /** Counts only while this call is open. */
  signal?: AbortSignal;
  clientTools?: ClientTools;
  onUpdate?: (update: JsonValue) => void;
}

export const CODE_MODE_ERROR_CODES = [
  'runtime_unavailable',
  'invalid_config',
  'invalid_input',
  'unsupported_language',
  'syntax_error',
  'typescript_transform_failed',
  'type_check_failed',
  'module_access_denied',
  'timeout',
  'memory_limit_exceeded',
  'stack_overflow',
  'output_limit_exceeded',
  'snapshot_limit_exceeded',
  'snapshot_expired',
  'snapshot_restore_failed',
  'too_many_pending_tool_calls',
  'too_many_suspended_runs',
  'nested_tool_failed',
  'guest_error',
  'denied',
  'aborted',
  'internal_error',
] as const;

export type CodeModeErrorCode = (typeof CODE_MODE_ERROR_CODES)[number];

export interface CodeModeTelemetry {
  catalogSize: number;
  sources: { host: number; plugin: number; mcp: number; client: number };
  searchCount: number;
  describeCount: number;
  callCount: number;
  execCount: number;
  waitCount: number;
  /** Tool ids, bounded. */
  calledTools: string[];
  /** Names on the wire. */
  visibleTools: string[];
  computeMs: number;
  snapshotBytes?: number;
}

export interface PendingToolCall {
  id: string;
  tool: string;
  args: string;
  elapsedMs: number;
  approval?: 'pending';
}

/** An output item as the model sees it; a cut one says so and where the rest is. */
export type CodeModeOutput = CodeOutputItem & { truncated?: true; ref?: string };

export interface CompletedResult {
  status: 'completed';
  /** null when nothing was returned. */
  value: JsonValue;
  output?: CodeModeOutput[];
  telemetry: CodeModeTelemetry;
  calls?: LedgerEntry[];
  replaySafe?: boolean;
  truncated?: true;
  ref?: string;
}

export interface WaitingResult {
  status: 'waiting';
  runId: string;
  reason: 'pending_tools' | 'yield';
  pendingToolCalls: PendingToolCall[];
  /** What to do about an approval that a person has yet to give. */
  hint?: string;
  output?: CodeModeOutput[];
  telemetry: CodeModeTelemetry;
  replaySafe?: boolean;
}

export interface FailedResult {
  status: 'failed';
  error: string;
  code: CodeModeErrorCode;
  hint?: string;
  line?: number;
  column?: number;
  output?: CodeModeOutput[];
  calls: LedgerEntry[];
  telemetry: CodeModeTelemetry;
}

/** Always a value, never a throw. */
export type CodeModeResult = CompletedResult | WaitingResult | FailedResult;

export interface ToolCatalogEntry {
  id: string;
  name: string;
  label?: string;
  description: string;
  source: ToolSource;
  sourceName?: string;
  input: string;
  output?: string;
  /** How a program calls an MCP tool: `MCP.github.createIssue`. */
  callPath?: string;
  /** On the last entry of a search: how many further tools match. */
  more?: number;
}

export interface CodeModeSearchResult {
  entries: ToolCatalogEntry[];
  total: number;
}

/** Adds globals to programs, under its own switch. */
export interface CodeModeExtension {
  id: string;
  globals: readonly string[];
  bindings(scope: ToolScope): CodeBindingNamespace[];
  prelude?: string;
}

export interface TranscriptRow {
  callId: string;
  parentCallId: string;
  toolId: string;
  outcome: 'ok' | 'failed' | 'abandoned' | 'unknown';
  ms: number;
}

/** What observers may listen to; no inputs, outputs or secrets. */
export interface CodeModeEvents {
  'code-mode/suspended': (event: {
    runId: string;
    reason: 'pending_tools' | 'yield';
    snapshotBytes?: number;
    scope: ToolScope;
  }) => void;
  'code-mode/resumed': (event: { runId: string; scope: ToolScope }) => void;
  'code-mode/ended': (event: {
    runId: string;
    status: 'completed' | 'failed';
    code?: CodeModeErrorCode;
    scope: ToolScope;
  }) => void;
}

export interface CodeModeConfig {
  enabled?: boolean;
  runtime?: string;
  mode?: 'only';
  languages?: readonly CodeModeLanguage[];
  timeoutMs?: number;
  memoryLimitBytes?: number;
  maxOutputBytes?: number;
  maxSnapshotBytes?: number;
  maxPendingToolCalls?: number;
  snapshotTtlSeconds?: number;
  approvalTtlSeconds?: number;
  searchDefaultLimit?: number;
  maxSearchLimit?: number;
  maxSuspendedRuns?: number;
  indexMaxChars?: number;
  keptResultsBytes?: number;
  ownership?: readonly string[];
  agents?: Readonly<Record<string, Omit<CodeModeConfig, 'agents' | 'enabled'>>>;
  /** There is no check of programs against the declarations yet: anything but `off` is refused. */
  check?: 'off';
}

export interface CodeModeServices {
  tools: ToolRegistry;
  /** A runtime, or a getter that is asked when a run starts. */
  runtime: CodeRuntime | (() => CodeRuntime | undefined);
  namespaces?: NamespaceRegistry | (() => NamespaceRegistry | undefined);
  /** Where suspended runs are kept: a store, or a getter that is asked once, when the first program runs. Default: memory. */
  store?: SuspendedRunStore | (() => SuspendedRunStore | undefined);
  /** Without cordis, creating it enables it. */
  config?: CodeModeConfig;
  warn?: (message: string) => void;
}

/** What a person or a test may look at: the surface without running anything. */
export interface CodeModeInspection {
  enabled: boolean;
  /** Why code mode is idle or cannot run, where that is so. */
  problem?: string;
  catalog: ToolCatalogEntry[];
  execDescription: string;
  namespaces: NamespaceStatus[];
  files: { path: string; description: string; bytes: number }[];
}

export interface CodeMode {
  readonly config: Readonly<CodeModeConfig>;
  exec(input: ExecInput, options: CodeModeCallOptions): Promise<CodeModeResult>;
  wait(input: WaitInput, options: CodeModeCallOptions): Promise<CodeModeResult>;
  /** Runs a recorded program again, under `restartSafe`. */
  replay(input: { code: string; language?: CodeModeLanguage }, options: CodeModeCallOptions): Promise<CodeModeResult>;
  /** Ends the runs of this agent run. */
  endRun(scope: ToolScope): Promise<void>;
  /** Ends the session's runs and drops what was kept for it. */
  endSession(scope: ToolScope): Promise<void>;
  extend(extension: CodeModeExtension): () => void;
  /** Observes runs; a listener's failure never touches the work. Gives the undo. */
  on<Name extends keyof CodeModeEvents>(name: Name, listener: CodeModeEvents[Name]): () => void;
  transcript(of: string | ToolScope): TranscriptRow[];
  /** The whole of what a result of this session shows cut, by its `ref`. Throws `CodeModeError` for a ref that is not kept. */
  keptResult(ref: string, options: { scope: ToolScope }): JsonValue;
  search(
    query: string,
    options: { scope: ToolScope; clientTools?: ClientTools; limit?: number },
  ): CodeModeSearchResult | Promise<CodeModeSearchResult>;
  inspect(scope: ToolScope, options?: { clientTools?: ClientTools }): CodeModeInspection | Promise<CodeModeInspection>;
  /** Ends every run and unregisters the transport. Idempotent. */
  dispose(): Promise<void>;
}
