// The marker for a place in a namespace where a tool is called.
import type { NamespaceArguments } from './types.ts';

// A registered symbol, since a plugin may bring its own copy of this package.
const MARK = Symbol.for('codeseam.namespace-tool');

/** Where a namespace calls a tool. Made by `namespaceTool`. */
export interface NamespaceToolMarker {
  readonly tool: string;
  readonly toArguments: NamespaceArguments | undefined;
}

/**
 * Marks a place in what `createScope` gives: a program that calls it calls the tool.
 *
 * @param tool one of the namespace's `requiredToolNames`.
 * @param toArguments turns the call's arguments into the tool's argument object; without it the first argument is
 *   passed on, or `{}` where there is none.
 * @example namespaceTool('github_update_issue', ([number, patch]) => ({ number, patch }))
 */
export function namespaceTool(tool: string, toArguments?: NamespaceArguments): NamespaceToolMarker {
  return Object.freeze({ [MARK]: true, tool, toArguments });
}

export function isNamespaceTool(value: unknown): value is NamespaceToolMarker {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, MARK);
}
