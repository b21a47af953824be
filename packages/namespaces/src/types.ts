// The vocabulary of namespaces: small domain APIs that a plugin builds over tools it owns.
import type { JsonValue } from '@codeseam/lossless-json';
import type { Tool, ToolScope, ToolView } from '@codeseam/tools';

/** Turns the arguments of a namespace call into the one argument object of the tool. */
export type NamespaceArguments = (args: JsonValue[]) => unknown;

/** What `createScope` gets: who is asking, the plugin's config and the run's signal. */
export interface NamespaceScope extends ToolScope {
  readonly config: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

export interface NamespaceDefinition {
  id: string;
  /** The guest's global; also under `namespaces`. */
  globalName: string;
  description: string;
  prompt?: string | ((scope: ToolScope) => string);
  /** Names of tools that the registering plugin owns; all must be visible. */
  requiredToolNames: readonly string[];
  /** Runs once per program, synchronously: JSON values, arrays, nested objects and `namespaceTool` markers. */
  createScope(scope: NamespaceScope): unknown;
  /** Given to `createScope` as `scope.config`. */
  config?: Readonly<Record<string, unknown>>;
}

export interface NamespaceStatus {
  id: string;
  globalName: string;
  owner: string;
  visible: boolean;
  /** Required tools that are not visible or not owned by the plugin, with the reason. */
  missing: { name: string; reason: string }[];
}

/** A namespace that a view opens. */
export interface VisibleNamespace {
  id: string;
  globalName: string;
  owner: string;
  description: string;
  prompt?: string;
}

/** What a program gets for a namespace: data, and places where a tool is called. */
export type NamespaceNode =
  | { kind: 'data'; value: JsonValue }
  | { kind: 'call'; path: readonly string[] }
  | { kind: 'array'; items: readonly NamespaceNode[] }
  | { kind: 'object'; members: readonly (readonly [string, NamespaceNode])[] };

export interface OpenNamespace {
  id: string;
  globalName: string;
  root: NamespaceNode;
  /** The required tools, as this program's view has them. */
  tools: readonly Tool[];
  /** The tool and argument object of a call at this path. Throws `NamespaceError` for a forged path, a mapper's failure, a tool no longer owned. */
  target(path: readonly string[], args: JsonValue[]): { tool: Tool; arguments: JsonValue };
}

/** Whose tools a namespace may call. */
export interface NamespaceOwner {
  /** Default: the registry's own, `core`. */
  owner?: string;
  /** Which of the two an owner of this name is. Absent: either. */
  source?: 'host' | 'plugin';
}

export interface NamespaceRegistry {
  /** Refuses with the rule and the owner. Gives the undo. */
  register(definition: NamespaceDefinition, options?: NamespaceOwner): () => void;
  /** Removes all namespaces of this owner. */
  clear(owner: string): void;
  /** Every namespace and what it needs, for `inspect`. */
  status(view: ToolView): NamespaceStatus[];
  visible(view: ToolView): VisibleNamespace[];
  /** Runs `createScope` of every visible namespace. Throws `NamespaceError` naming namespace and path. */
  open(view: ToolView, signal: AbortSignal): OpenNamespace[];
  /** Names that nobody may take; code mode and its extensions add theirs. */
  reserve(names: readonly string[]): () => void;
  onChange(listener: () => void): () => void;
}
