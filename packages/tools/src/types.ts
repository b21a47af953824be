// The vocabulary of the tool registry: definitions, views, presentations, calls and what observers see.
import type { CodeBindingFunction, CodeBindingNamespace, CodeRuntime } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';

/** A JSON Schema of any draft; foreign ones are untrusted data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export type ToolSource = 'host' | 'plugin' | 'mcp' | 'client';
export type ToolConcurrency = 'safe' | 'exclusive';
export type PresentationMode = 'native' | 'code' | 'both';
export type TransportName = 'run_code' | 'exec' | (string & {});

/** A content block, as MCP has them. Binary data is base64. */
export type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'audio'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; title?: string; description?: string; mimeType?: string }
  | { type: 'resource'; resource: { uri: string; mimeType?: string; text?: string; blob?: string } };

/** Content that a call wants the model to see beside its result (for one, the images of sub-calls). */
export interface AdditionalContext {
  content: ToolContent[];
  /** Which call it came from. */
  callId?: string;
}

/** Who is asking. Host data may be added; caches are keyed by all of it. */
export interface ToolScope {
  agentId?: string;
  sessionId?: string;
  agentRunId?: string;
  senderId?: string;
  /** No tools at all. */
  disableTools?: boolean;
  readonly [hostData: string]: unknown;
}

/** What a person's interface may draw for a call. */
export interface CallCard {
  title: string;
  kind?: string;
  input?: { language?: string; text: string };
  details?: JsonValue;
}

export interface ResultCard {
  title?: string;
  content?: ToolContent[];
  details?: JsonValue;
}

export interface ToolDefinition<Args = any, Result = any> {
  /** As the owner calls it; any non-empty string. */
  name: string;
  description: string;
  /** An object schema. */
  parameters: JsonSchema;
  /** Describes the JSON value (not the content) of every call that does not throw. */
  output?: { schema: JsonSchema; render?(value: Result): ToolContent[] };
  /** Gives the JSON value, or `toolResult({ value, content, … })`. */
  execute(args: Args, context: ToolRunContext): Promise<unknown> | unknown;
  source?: ToolSource;
  owner?: string;
  /** Whether calls may overlap. Unset: exclusive under `ordered` dispatch, overlapping under `parallel`. */
  concurrency?: ToolConcurrency | ((args: Args) => ToolConcurrency);
  /** Read-only: may be repeated after a restart. */
  replaySafe?: boolean;
  /** Its result cannot cross as JSON: always shown natively, never in a catalog. */
  directOnly?: boolean;
  /** Callable from programs, never on the wire. */
  hidden?: boolean;
  /** A presentation control: never in a catalog, never in the native list. */
  control?: boolean;
  /** Milliseconds for one attempt. */
  timeoutMs?: number;
  title?: string;
  annotations?: ToolAnnotations;
  /** The last word on the rendered content. */
  finalizeContent?(content: ToolContent[], outcome: ToolCallOutcome): ToolContent[];
  presentCall?(args: Args): CallCard;
  presentResult?(args: Args, outcome: ToolCallOutcome): ResultCard;
}

export interface ToolAnnotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
  readonly [key: string]: unknown;
}

export interface ToolRunContext {
  readonly callId: string;
  readonly rootCallId: string;
  readonly parent?: ParentCall;
  readonly scope: ToolScope;
  /** The client's tools for this run, as the caller gave them. */
  readonly clientTools?: ClientTools;
  readonly signal: AbortSignal;
  /** A streaming update for whoever shows the call. */
  update(partial: JsonValue): void;
  /** Shows the model more than the value, after the outer result. */
  deferContext(entry: AdditionalContext): void;
}

export interface ParentCall {
  callId: string;
  rootCallId: string;
}

/** What `execute` of a tool may give instead of a bare value; made by `toolResult`. */
export interface ToolResultInit {
  value: unknown;
  content?: ToolContent[];
  /** The tool's own failure that still carries a value (MCP's `isError`). */
  isError?: boolean;
  meta?: Readonly<Record<string, JsonValue>>;
  additionalContexts?: AdditionalContext[];
}

/** What is known of an owner of tools. */
export interface ToolOwnerInfo {
  title?: string;
  version?: string;
  instructions?: string;
  generation?: number;
  /** Set while it has no tools. */
  absence?: OwnerAbsence;
}

/** Why an owner has no tools at present. */
export interface OwnerAbsence {
  /** `starting`: on its way, also between two attempts; `failed`: given up for now; `empty`: there, and offers nothing. */
  state: 'starting' | 'failed' | 'empty';
  /** One line in the host's own words, short, with nothing that a server printed: a model may read it. */
  reason?: string;
}

export interface ToolOwner {
  source: ToolSource;
  owner: string;
  info: ToolOwnerInfo;
}

/** A tool as one view has it. Frozen. */
export interface Tool {
  /** `<source>:<owner>:<name>`, with `:` and `%` in parts escaped. */
  readonly id: string;
  readonly source: ToolSource;
  readonly owner: string;
  readonly name: string;
  /** Unique in the view; at most 64 characters of `[A-Za-z0-9_-]`. */
  readonly wireName: string;
  readonly title?: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly replaySafe: boolean;
  readonly directOnly: boolean;
  readonly hidden: boolean;
  readonly control: boolean;
  readonly annotations: ToolAnnotations;
}

/** What one run may use: a snapshot for discovery; a call is checked again when it is made. */
export interface ToolView {
  readonly scope: ToolScope;
  /** All visible tools, hidden and direct-only ones too, controls not; sorted by source (host, plugin, mcp, client), then id. */
  readonly tools: readonly Tool[];
  readonly owners: readonly ToolOwner[];
  readonly clientTools?: ClientTools;
  /** Equal for views with the same tools (schemas and descriptions included). */
  readonly fingerprint: string;
  /** By id, wire name, or a plain name where that is unambiguous. */
  find(ref: string): Tool | undefined;
  /** Up to three real ids near to a wrong one. */
  suggest(ref: string): string[];
}

/** The tools that a client brings for one run. */
export interface ClientTools {
  clientId: string;
  tools: readonly ToolDefinition[];
}

/** The names on the wire, in the wire's neutral form. */
export interface WireTool {
  name: string;
  description: string;
  parameters: JsonSchema;
  outputSchema?: JsonSchema;
  title?: string;
  annotations?: ToolAnnotations;
  /** Absent for control tools. */
  toolId?: string;
}

export interface PromptSection {
  id: string;
  order: number;
  render(): string;
}

export interface Presentation {
  readonly mode: PresentationMode;
  readonly transport?: TransportName;
  readonly tools: readonly WireTool[];
  readonly sections: readonly PromptSection[];
  /** An estimate of what tools and sections cost the model, in tokens. */
  readonly tokens: number;
}

/** A form in which code mode is offered. */
export interface ToolTransport {
  name: TransportName;
  /** The control tools for this view; their `execute` runs programs. Called often: must be cheap or cached by `view.fingerprint`. */
  controlTools(view: ToolView): ToolDefinition[];
  sections(view: ToolView, mode: PresentationMode): PromptSection[];
  /** Called before `controlTools` where there is time: makes ready what it needs, without holding the event loop. */
  prepare?(view: ToolView): Promise<void> | undefined;
  /** Extra fields for the hook events of a control tool's call (`toolKind`, `toolInputKind`). */
  describeCall?(name: string, args: JsonValue): Readonly<Record<string, JsonValue>>;
  /**
   * Called when a hook replaced the arguments of a control tool: gives the arguments to use where one field is an alias of
   * another (a hook that rewrites `command` means `code`).
   */
  rewriteArguments?(name: string, before: JsonValue, after: JsonValue): JsonValue | undefined;
  /** It checks the arguments of its control tools itself, and answers bad ones with a result of its own shape. */
  checksArguments?: boolean;
  /** Why this transport can offer nothing at present (no runtime); the sentence of the error. */
  problem?(scope: ToolScope): string | undefined;
  /**
   * How a program calls this tool, as one line of code: the way out of a direct call of a tool that is not shown.
   * `argumentsText` is the object of arguments of that call, as JSON (a JavaScript expression in any case).
   */
  example?(tool: Tool, argumentsText: string): string;
}

export const TOOL_ERROR_CODES = [
  'UNKNOWN_TOOL',
  'INVALID_ARGS',
  'INVALID_TOOL_OUTPUT',
  'UNSUPPORTED_SCHEMA',
  'DENIED',
  'APPROVAL_REQUIRED',
  'TOOL_TIMEOUT',
  'ABORTED',
  'ABORTED_BEFORE_DISPATCH',
  'TOOL_FAILED',
  'CODE_RUN_FAILED',
] as const;

export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

export interface ToolCallRequest {
  callId: string;
  /** An id, a wire name, or an unambiguous plain name; one of `id` and `name`. */
  id?: string;
  name?: string;
  arguments?: unknown;
  scope: ToolScope;
  clientTools?: ClientTools;
  parent?: ParentCall;
  signal?: AbortSignal;
  onUpdate?: (partial: JsonValue) => void;
  /** Addresses a control tool of this transport by `name`, whether it is presented or not. */
  transport?: TransportName;
  /** The host itself asks (a command line, an interface), not a model: what the mode does not show may be called too. */
  asHost?: boolean;
}

/** Which call a card is for. */
export type CardRequest = Pick<ToolCallRequest, 'id' | 'name' | 'arguments' | 'scope' | 'clientTools' | 'transport'>;

/** How a call ended. Frozen. `execute` never throws for a tool's failure. */
export interface ToolCallOutcome {
  readonly callId: string;
  readonly rootCallId: string;
  readonly parent?: ParentCall;
  /** Absent for an unknown tool and for control tools. */
  readonly toolId?: string;
  readonly name: string;
  /** As they were validated, defaults filled. */
  readonly arguments: JsonValue;
  readonly isError: boolean;
  readonly code?: ToolErrorCode;
  readonly message?: string;
  readonly hint?: string;
  /** The canonical value; beside `isError` only where the tool itself gave one (MCP's `isError`). */
  readonly value?: JsonValue;
  readonly content: readonly ToolContent[];
  readonly meta?: Readonly<Record<string, JsonValue>>;
  readonly additionalContexts: readonly AdditionalContext[];
  readonly durationMs: number;
}

/** A call as hooks see it. Arguments are frozen. */
export interface ToolCall {
  readonly callId: string;
  readonly rootCallId: string;
  readonly parent?: ParentCall;
  readonly tool: Tool;
  readonly arguments: JsonValue;
  readonly scope: ToolScope;
  readonly signal: AbortSignal;
  /** What a transport adds for its control tools: `toolKind`, `toolInputKind`. */
  readonly transportInfo?: Readonly<Record<string, JsonValue>>;
}

/** What a hook that has nothing to say returns; also that of an async function without a return. */
// biome-ignore lint/suspicious/noConfusingVoidType: it is a return type, spelled once for all hooks.
export type Nothing = undefined | void;

export type PreExecuteDecision =
  | Nothing
  | { decision: 'allow'; arguments?: unknown }
  | { decision: 'deny'; reason: string }
  | { decision: 'ask'; reason?: string };

export type PostExecuteDecision =
  | Nothing
  | { value: unknown }
  | { content: ToolContent[] }
  | { block: string; additionalContexts?: AdditionalContext[] };

export interface ToolHooks {
  preExecute(call: ToolCall): PreExecuteDecision | Promise<PreExecuteDecision>;
  /** Synchronous; may only deny. */
  guard(call: ToolCall): Nothing | { deny: string };
  /** `next` may be called again; every attempt is logged. */
  around(
    call: ToolCall,
    next: (overrides?: { arguments?: unknown; signal?: AbortSignal }) => Promise<ToolResultInit>,
  ): Promise<ToolResultInit>;
  postExecute(call: ToolCall, outcome: ToolCallOutcome): PostExecuteDecision | Promise<PostExecuteDecision>;
  present(presentation: Presentation, view: ToolView): Presentation | Promise<Presentation>;
}

export interface ApprovalQuestion {
  callId: string;
  rootCallId: string;
  parent?: ParentCall;
  tool: Tool;
  arguments: JsonValue;
  reason?: string;
  scope: ToolScope;
}

export interface ApprovalService {
  /** Rejecting counts as a denial. */
  request(question: ApprovalQuestion, signal: AbortSignal): Promise<{ decision: 'allow' | 'deny'; reason?: string }>;
}

export type LedgerStatus = 'queued' | 'awaiting_approval' | 'pending' | 'ok' | 'failed' | 'abandoned' | 'unknown';

export interface LedgerEntry {
  callId: string;
  toolId: string;
  status: LedgerStatus;
  /** From submission to the end, or so far. */
  ms: number;
  code?: string;
}

export interface DispatchStartEvent {
  callId: string;
  rootCallId: string;
  parentCallId: string;
  toolId: string;
  wireName: string;
  arguments: JsonValue;
  /** Milliseconds since the epoch. */
  startedAt: number;
  scope: ToolScope;
}

export interface DispatchEvent extends DispatchStartEvent {
  isError: boolean;
  code?: string;
  content: readonly ToolContent[];
  durationMs: number;
}

/** What observers may listen to; a listener's failure never touches the work. */
export interface ToolEvents {
  'tools/change': (change: { added: string[]; removed: string[] }) => void;
  'tools/presented': (presentation: Presentation, scope: ToolScope) => void;
  'tools/dispatch-start': (event: DispatchStartEvent) => void;
  'tools/dispatch': (event: DispatchEvent) => void;
  'tools/attempt': (event: {
    callId: string;
    toolId: string;
    attempt: number;
    isError: boolean;
    durationMs: number;
  }) => void;
  'tools/result': (outcome: ToolCallOutcome, scope: ToolScope) => void;
}

export interface OpenProgramOptions {
  view: ToolView;
  /** The outer call; sub-calls are numbered `<parent>:code:<n>`. */
  parent: ParentCall;
  /** Aborts the whole program's calls. */
  signal: AbortSignal;
  dispatch: 'ordered' | 'parallel';
  /** Calls in flight at once; more wait in order. */
  maxInFlight: number;
  /** Throws (a `ToolCallError`) to refuse a call before it is dispatched. */
  beforeDispatch?: (tool: Tool, args: JsonValue) => void;
  /** Streaming updates of sub-calls. */
  onUpdate?: (callId: string, partial: JsonValue) => void;
}

/** Owns the calls of one program, also while the program is suspended. */
export interface ToolProgram {
  /** Makes one sub-call through the whole pipeline. Never rejects. `signal` is that of the runtime's call context. */
  call(tool: Tool | string, args: unknown, context?: { signal?: AbortSignal }): Promise<ToolCallOutcome>;
  /** A host function: the tool's value, or a rejection as `ToolCallError`. */
  binding(tool: Tool, options?: { resolveOwnErrors?: boolean }): CodeBindingFunction;
  /** The `tools` namespace of `run_code`: every visible tool under its wire name. */
  bindings(): CodeBindingNamespace;
  readonly ledger: readonly LedgerEntry[];
  /** Calls not settled yet, with their arguments. */
  pending(): { callId: string; tool: Tool; arguments: JsonValue; status: LedgerStatus; elapsedMs: number }[];
  /** Calls from now on belong to this outer call; numbering goes on. */
  resume(parent: ParentCall): void;
  /** Ends what is open: unstarted calls are `abandoned`, started ones aborted and, where they do not end, `unknown`. */
  abandon(reason: string): void;
  /** Contexts deferred by sub-calls since the last time, in dispatch order. */
  takeContexts(): AdditionalContext[];
}

export interface ToolsConfig {
  mode?: PresentationMode;
  transport?: TransportName;
  /** At least 1; default 10. */
  maxParallelSubCalls?: number;
  toolOrder?: readonly string[];
  /**
   * Ids or names, with `*`: MCP tools that run without asking although their server calls them destructive. Others ask
   * where there is an approval service.
   */
  trust?: readonly string[];
}

/** What the registry asks of its surroundings, resolved when it is needed. */
export interface ToolRegistryServices {
  runtime?: () => CodeRuntime | undefined;
  approval?: () => ApprovalService | undefined;
  /** Where warnings go (an unknown name in `toolOrder`, an observer that throws). Default: nowhere. */
  warn?: (message: string) => void;
}

/** Registers tools for one owner. */
export interface ToolRegistrar {
  register(definition: ToolDefinition): () => void;
  /** Replaces all tools of this registrar at once: one `tools/change`. Nothing changes when one is refused. */
  replace(definitions: readonly ToolDefinition[]): void;
  /** Updates what is known of the owner. */
  describe(info: ToolOwnerInfo): void;
  /** Removes all its tools. Idempotent. */
  dispose(): void;
}

export interface ToolRestriction {
  /** Ids or names; `*` matches within one, so `mcp:github:*` is a server. */
  allow?: readonly string[];
  deny?: readonly string[];
  /** Absent: every scope. */
  when?: (scope: ToolScope) => boolean;
}

export interface ToolRegistry {
  readonly config: Readonly<ToolsConfig>;
  register(definition: ToolDefinition): () => void;
  registrar(identity: { source: ToolSource; owner: string; info?: ToolOwnerInfo }): ToolRegistrar;
  restrict(restriction: ToolRestriction): () => void;
  view(scope: ToolScope, options?: { clientTools?: ClientTools }): ToolView;
  /** The same, made without holding the event loop: for thousands of tools. */
  prepareView(scope: ToolScope, options?: { clientTools?: ClientTools }): Promise<ToolView>;
  /**
   * Owners that have said why they have no tools (`info.absence`), as of now, sorted by source and name. One that the
   * restrictions of this scope keep out is not told; under an `allow` list, one that no pattern names is not told either.
   */
  absentOwners(scope: ToolScope): ToolOwner[];
  present(view: ToolView): Promise<Presentation>;
  /** How `present` would fill mode and transport for this scope; says why where nothing can be presented. */
  presentationOf(scope: ToolScope): { mode: PresentationMode; transport?: TransportName; problem?: string };
  presentAs(
    mode: PresentationMode,
    options: { transport?: TransportName; when: (scope: ToolScope) => boolean },
  ): () => void;
  registerTransport(transport: ToolTransport): () => void;
  /** Replaces a section of the same id for matching scopes. */
  section(section: PromptSection, options?: { when?: (scope: ToolScope) => boolean }): () => void;
  execute(request: ToolCallRequest): Promise<ToolCallOutcome>;
  hook<Stage extends keyof ToolHooks>(stage: Stage, fn: ToolHooks[Stage], options?: { order?: number }): () => void;
  on<Name extends keyof ToolEvents>(name: Name, listener: ToolEvents[Name]): () => void;
  openProgram(options: OpenProgramOptions): ToolProgram;
  /** What an interface may draw for a call before and while it runs. Never throws; a tool without a card gets a plain one. */
  callCard(request: CardRequest): CallCard;
  /** What an interface may draw for a result; by default its content. Never throws. */
  resultCard(request: CardRequest, outcome: ToolCallOutcome): ResultCard;
  checkPayload(
    tools: readonly unknown[],
    presentation: Presentation,
    options?: { allowTypes?: readonly string[] },
  ): void;
  /** Aborts open calls and drops every registration. Idempotent. */
  dispose(): Promise<void>;
}
