// One namespace for one program: its nodes, and the tool and arguments behind each call.
import { freezeJson, type JsonValue, toLosslessJson } from '@codeseam/lossless-json';
import type { ToolView } from '@codeseam/tools';
import { NamespaceError } from './errors.ts';
import { findOwnedTool, type Owner } from './find-owned-tool.ts';
import type { NamespaceToolMarker } from './namespace-tool.ts';
import { pathKey, readScope } from './read-scope.ts';
import type { NamespaceDefinition, OpenNamespace } from './types.ts';

export interface OpenNamespaceOptions {
  definition: NamespaceDefinition;
  owner: Owner;
  view: ToolView;
  signal: AbortSignal;
  /** Whether this registration still stands. */
  isRegistered(): boolean;
}

/** @throws NamespaceError `invalid_scope` naming namespace and path. */
export function openNamespace(options: OpenNamespaceOptions): OpenNamespace {
  const { definition, owner, view, isRegistered } = options;
  const { id, globalName } = definition;
  const { root, calls } = readScope(runCreateScope(options), globalName, definition.requiredToolNames);
  const tools = definition.requiredToolNames.flatMap((name) => {
    const found = findOwnedTool(view, owner, name);
    return 'tool' in found ? [found.tool] : [];
  });
  return {
    id,
    globalName,
    root,
    tools,
    target(path, args) {
      const marker = calls.get(pathKey(path));
      const shown = [globalName, ...path].join('.');
      if (!marker || path.some((part) => part.includes('\0'))) {
        throw new NamespaceError('refused_call', `${shown} is not a function of namespace ${JSON.stringify(id)}`);
      }
      if (!isRegistered()) {
        throw new NamespaceError('refused_call', `${shown}: namespace ${JSON.stringify(id)} is no longer there`);
      }
      const found = findOwnedTool(view, owner, marker.tool);
      if ('reason' in found) {
        throw new NamespaceError(
          'refused_call',
          `${shown} needs the tool ${JSON.stringify(marker.tool)}: ${found.reason}`,
        );
      }
      return { tool: found.tool, arguments: mapArguments(marker, args, shown) };
    },
  };
}

function runCreateScope({ definition, view, signal }: OpenNamespaceOptions): unknown {
  const fail = (problem: string, cause?: unknown): never => {
    throw new NamespaceError(
      'invalid_scope',
      `createScope of namespace ${JSON.stringify(definition.id)} ${problem}`,
      undefined,
      { cause },
    );
  };
  let scope: unknown;
  try {
    scope = definition.createScope(Object.freeze({ ...view.scope, config: definition.config ?? {}, signal }));
  } catch (error) {
    fail(`threw: ${messageOf(error)}`, error);
  }
  if (isThenable(scope)) {
    // Its rejection is nobody else's to handle.
    void Promise.resolve(scope).catch(() => {});
    fail('is asynchronous; it must give the scope at once');
  }
  return scope;
}

function mapArguments(marker: NamespaceToolMarker, args: JsonValue[], shown: string): JsonValue {
  let mapped: unknown;
  try {
    mapped = marker.toArguments ? marker.toArguments(freezeJson(args) as JsonValue[]) : (args[0] ?? {});
  } catch (error) {
    throw new NamespaceError('invalid_arguments', `${shown}: ${messageOf(error)}`, undefined, { cause: error });
  }
  if (isThenable(mapped)) void Promise.resolve(mapped).catch(() => {});
  if (typeof mapped !== 'object' || mapped === null || Array.isArray(mapped) || isThenable(mapped)) {
    throw new NamespaceError(
      'invalid_arguments',
      marker.toArguments
        ? `${shown}: its mapper did not give an object of arguments`
        : `${shown} takes one object of arguments`,
    );
  }
  try {
    return toLosslessJson(mapped, { name: 'arguments' });
  } catch (error) {
    throw new NamespaceError('invalid_arguments', `${shown}: ${messageOf(error)}`, undefined, { cause: error });
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
