// Finds the tool that a call means, or the error that says why there is none.
import { losslessJsonText } from '@codeseam/lossless-json';
import { nearestNames } from '@codeseam/nearest-names';
import type { ViewBuilder } from '../build-view.ts';
import { type ToolCallError, ToolRegistryError } from '../errors.ts';
import type { ResolvedMode } from '../presentation/resolve-mode.ts';
import { type ToolRecord, toolOf } from '../tool-record.ts';
import type { Tool, ToolCallRequest, ToolScope, ToolTransport, ToolView } from '../types.ts';
import { notCalledDirectly, unknownTool } from './call-errors.ts';
import type { CallTarget } from './call-state.ts';

/** Longer arguments are not repeated to whoever sent them. */
const MAX_EXAMPLE_ARGUMENTS = 500;

export interface ResolverContext {
  views: ViewBuilder;
  modeOf(scope: ToolScope): ResolvedMode;
  transports: ReadonlyMap<string, ToolTransport>;
  controlsOf(transport: ToolTransport, view: ToolView): ToolRecord[];
}

export interface CallResolver {
  /** Throws a `ToolRegistryError` only for a request that is none. */
  (request: ToolCallRequest): CallTarget | ToolCallError;
  /** For a tool that a program found in its view: whether it may be called is asked anew. */
  tool(tool: Tool, request: ToolCallRequest): CallTarget | ToolCallError;
}

/** Creates the function that resolves calls. */
export function createCallResolver(context: ResolverContext): CallResolver {
  const controlTargets = new WeakMap<ToolRecord, CallTarget>();

  const controlTarget = (transport: ToolTransport, view: ToolView, name: string): CallTarget | undefined => {
    const record = context.controlsOf(transport, view).find((control) => control.name === name);
    if (!record) return undefined;
    const known = controlTargets.get(record);
    if (known) return known;
    const tool = Object.freeze({ ...toolOf(record, name), control: true });
    const target: CallTarget = {
      tool,
      record,
      isVisible: () => context.transports.get(transport.name) === transport,
      transport,
    };
    controlTargets.set(record, target);
    return target;
  };

  const resolve = (request: ToolCallRequest): CallTarget | ToolCallError => {
    checkRequest(request);
    const { scope, clientTools, parent } = request;
    const ref = request.id ?? request.name!;
    const view = context.views.view(scope, clientTools);
    if (request.transport !== undefined) {
      const transport = context.transports.get(request.transport);
      return (transport && controlTarget(transport, view, ref)) ?? unknownTool(ref, []);
    }
    if (parent) return catalogTarget(context, request, view);
    const mode = context.modeOf(scope);
    const transport = mode.transport === undefined ? undefined : context.transports.get(mode.transport);
    if (request.id === undefined && transport && view.tools.length > 0) {
      const control = controlTarget(transport, view, ref);
      if (control) return control;
    }
    const found = view.find(ref);
    const target = found && toolTarget(context, request, found);
    if (!target) {
      // A model knows wire names; programs go by ids.
      const controls =
        transport && view.tools.length > 0 ? context.controlsOf(transport, view).map((control) => control.name) : [];
      const near = view.suggest(ref).map((id) => view.find(id)!.wireName);
      return unknownTool(ref, [...nearestNames(ref, controls), ...near].slice(0, 3));
    }
    if (request.asHost === true) return target;
    const { tool } = target;
    if (mode.mode === 'code' && !tool.directOnly)
      return notCalledDirectly(tool.wireName, exampleCall(context, transport, view, tool, request.arguments));
    return tool.hidden ? unknownTool(ref, []) : target;
  };
  return Object.assign(resolve, {
    tool: (tool: Tool, request: ToolCallRequest) =>
      toolTarget(context, request, tool) ?? catalogTarget(context, request),
  });
}

function toolTarget(
  context: ResolverContext,
  { scope, clientTools }: ToolCallRequest,
  tool: Tool,
): CallTarget | undefined {
  const record = context.views.visibleRecord(tool.id, scope, clientTools);
  if (!record) return undefined;
  return { tool, record, isVisible: () => context.views.visibleRecord(tool.id, scope, clientTools) !== undefined };
}

function catalogTarget(
  context: ResolverContext,
  request: ToolCallRequest,
  view = context.views.view(request.scope, request.clientTools),
): CallTarget | ToolCallError {
  const ref = request.id ?? request.name!;
  const tool = view.find(ref);
  return (tool && toolTarget(context, request, tool)) ?? unknownTool(ref, view.suggest(ref));
}

function exampleCall(
  context: ResolverContext,
  transport: ToolTransport | undefined,
  view: ToolView,
  tool: Tool,
  given: unknown,
): string {
  const text = argumentsText(given);
  const call = transport?.example?.(tool, text) ?? `await tools[${JSON.stringify(tool.wireName)}](${text})`;
  const control = transport && context.controlsOf(transport, view)[0]?.name;
  return control === undefined ? call : `${control}({ "code": ${JSON.stringify(`return ${call}`)} })`;
}

/** The arguments of a call as a program writes them. */
function argumentsText(given: unknown): string {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return '{}';
  try {
    const text = losslessJsonText(given);
    return text.length <= MAX_EXAMPLE_ARGUMENTS ? text : '{ /* the same arguments */ }';
  } catch {
    return '{}';
  }
}

/** @throws {ToolRegistryError} `invalid-option` for a request that is none. */
export function checkRequest(request: ToolCallRequest): void {
  if (typeof request?.callId !== 'string' || request.callId === '') {
    throw new ToolRegistryError('invalid-option', 'a call needs a `callId`');
  }
  if ((request.id === undefined) === (request.name === undefined)) {
    throw new ToolRegistryError('invalid-option', 'a call needs one of `id` and `name`');
  }
  if (typeof (request.id ?? request.name) !== 'string') {
    throw new ToolRegistryError('invalid-option', 'the `id` or `name` of a call must be a string');
  }
  if (typeof request.scope !== 'object' || request.scope === null) {
    throw new ToolRegistryError('invalid-option', 'a call needs a `scope` (an empty object is one)');
  }
}
