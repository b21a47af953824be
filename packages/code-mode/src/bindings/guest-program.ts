// What the functions of a program reach of its run: given to the runtime as `context`, so that one table of functions
// serves every run with the same catalog.
import type { CodeCallContext } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import type { Tool, ToolCallOutcome } from '@codeseam/tools';
import type { AbsentServer } from '../catalog/absent-servers.ts';
import type { Catalog } from '../catalog/catalog.ts';

export interface GuestProgram {
  readonly catalog: Catalog;
  /** By id, wire name or unambiguous plain name; also what programs may not call. */
  find(ref: string): Tool | undefined;
  /** One nested call through the whole pipeline. Rejects only where the run itself is to end. */
  call(context: CodeCallContext, tool: Tool, input: JsonValue): Promise<ToolCallOutcome>;
  /** Refuses a namespace call, and ends the run, where it may only read and a tool of the namespace does more. */
  refuseUnlessReadOnly(tools: readonly Tool[]): void;
  /** MCP servers that were not there when the program began, as they are now. */
  absentServers(): AbsentServer[];
  /** Adds a line to the output, once for a program. */
  noteOnce(text: string): void;
  /** Counts a search or a description. */
  count(what: 'search' | 'describe'): void;
  readonly searchLimits: { readonly default: number; readonly max: number };
  /** The shape of a tool's results as seen in this session, where its schema does not say. */
  observedOutput(toolId: string): string | undefined;
  readKept(ref: unknown, options: unknown): JsonValue;
}

/** The run that a host function is called for. */
export function programOf(context: CodeCallContext): GuestProgram {
  return context.context as GuestProgram;
}
