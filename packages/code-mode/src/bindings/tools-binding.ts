// The guest's `tools`: search, describe, call, callValue, and a function for each tool whose name allows it.
import type { CodeBindingFunction, CodeBindingNamespace, CodeCallContext } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import type { Steps } from '@codeseam/schema-types';
import { runInSlices, STEP, type Tool, toolId } from '@codeseam/tools';
import { listAbsent } from '../catalog/absent-servers.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { declareTool } from '../catalog/declare-tool.ts';
import { outputHint } from '../catalog/tool-hints.ts';
import type { ToolCatalogEntry } from '../types.ts';
import { callError, invalidCall, notCallable, oneObject, TOOL_CALL_ERROR } from './call-errors.ts';
import { type GuestProgram, programOf } from './guest-program.ts';

/** Frozen, so that a runtime reads it once for all runs with this catalog. */
export function* toolsBinding(catalog: Catalog): Steps<CodeBindingNamespace> {
  const functions: Record<string, CodeBindingFunction> = { call, callValue, describe, search };
  const nameOf = new Map(catalog.own.map(({ id, name }) => [id, name]));
  const spellings: [string, CodeBindingFunction][] = [];
  let at = 0;
  for (const [name, id] of catalog.names) {
    if (at++ % STEP === 0) yield;
    const value = memberFunction(name, id);
    Object.defineProperty(functions, name, { value, enumerable: true });
    const own = nameOf.get(id)!;
    if (own !== name) spellings.push([own, value]);
  }
  // `tools['read-file']` is understood as well.
  for (const [own, value] of spellings) {
    if (!Object.hasOwn(functions, own)) Object.defineProperty(functions, own, { value });
  }
  return Object.freeze({ global: 'tools', functions: Object.freeze(functions), errorClass: TOOL_CALL_ERROR });
}

function memberFunction(name: string, id: string): CodeBindingFunction {
  return async function (this: CodeCallContext, ...args: JsonValue[]) {
    const program = programOf(this);
    const tool = program.find(id);
    if (!tool) throw await notCallable(id, program);
    return resultOf(this, program, tool, oneObject(args, tool, `tools.${name}`));
  };
}

async function callValue(this: CodeCallContext, ref: unknown, ...args: JsonValue[]): Promise<unknown> {
  const program = programOf(this);
  const tool = findOwn(ref, program);
  if (!tool) throw await notCallable(ref, program);
  return resultOf(this, program, tool, oneObject(args, tool, `tools.callValue(${JSON.stringify(tool.id)}, …)`));
}

async function call(this: CodeCallContext, ref: unknown, ...args: JsonValue[]): Promise<unknown> {
  const program = programOf(this);
  const tool = findOwn(ref, program);
  if (!tool) throw await notCallable(ref, program);
  const outcome = await program.call(this, tool, oneObject(args, tool, `tools.call(${JSON.stringify(tool.id)}, …)`));
  if (outcome.isError && outcome.value === undefined) throw callError(outcome, tool);
  return {
    tool: { id: tool.id, name: tool.name, source: tool.source, sourceName: tool.owner },
    result: {
      value: outcome.value ?? null,
      content: outcome.content,
      ...(outcome.meta === undefined ? {} : { meta: outcome.meta }),
      ...(outcome.isError ? { isError: true } : {}),
    },
  };
}

async function resultOf(
  context: CodeCallContext,
  program: GuestProgram,
  tool: Tool,
  input: JsonValue,
): Promise<unknown> {
  const outcome = await program.call(context, tool, input);
  if (outcome.isError) throw callError(outcome, tool);
  return outcome.value ?? null;
}

/** Also by the name of its function in `tools`. */
function findOwn(ref: unknown, program: GuestProgram): Tool | undefined {
  if (typeof ref !== 'string') return undefined;
  const tool = program.find(ref) ?? program.find(program.catalog.names.get(ref) ?? '');
  return tool && tool.source !== 'mcp' && !tool.directOnly ? tool : undefined;
}

/** Also an MCP tool, by the path that a program calls it with. */
async function findAny(ref: string, program: GuestProgram): Promise<Tool | undefined> {
  const found = program.find(ref);
  if (found) return found;
  await runInSlices(program.catalog.prepareCalls());
  const path = program.catalog.calls.spelled(ref)?.split('.').slice(1);
  const target = path && program.catalog.mcp.resolve(path);
  return target && program.find(toolId('mcp', target.server, target.tool));
}

async function search(this: CodeCallContext, query: unknown, options?: unknown): Promise<ToolCatalogEntry[]> {
  const program = programOf(this);
  if (typeof query !== 'string') {
    throw invalidCall('tools.search takes a string: tools.search("send an email", { limit: 5 })', 'search');
  }
  const limit = readLimit(options, program);
  program.count('search');
  const missing = listAbsent(program.absentServers());
  if (missing !== undefined) program.noteOnce(missing);
  const { tools, total } = (await program.catalog.search()).find(query, limit);
  const entries: ToolCatalogEntry[] = tools.map((tool) => withObserved(program.catalog.entry(tool), tool, program));
  const last = entries.at(-1);
  if (last && total > entries.length) last.more = total - entries.length;
  return entries;
}

function readLimit(options: unknown, program: GuestProgram): number {
  const { default: fallback, max } = program.searchLimits;
  if (options === undefined || options === null) return fallback;
  const example = `tools.search("…", { limit: ${fallback} })`;
  if (typeof options !== 'object' || Array.isArray(options))
    throw invalidCall(`the second argument of tools.search is an object: ${example}`, 'search');
  const { limit, ...rest } = options as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw invalidCall(
      `tools.search has no option ${JSON.stringify(unknown.slice(0, 80))}; there is limit: ${example}`,
      'search',
    );
  if (limit === undefined || limit === null) return fallback;
  if (!Number.isInteger(limit) || (limit as number) < 1) {
    throw invalidCall(`limit of tools.search must be a whole number from 1 to ${max}: ${example}`, 'search');
  }
  return Math.min(limit as number, max);
}

async function describe(this: CodeCallContext, ref: unknown): Promise<unknown> {
  const program = programOf(this);
  const tool = findOwn(ref, program) ?? (typeof ref === 'string' ? await findAny(ref, program) : undefined);
  if (!tool || tool.directOnly) throw await notCallable(ref, program);
  program.count('describe');
  const entry = withObserved(program.catalog.entry(tool), tool, program);
  const { declaration, input, output } = declareTool(tool, program.catalog);
  return {
    ...entry,
    description: tool.description,
    input,
    ...(output === undefined ? {} : { output }),
    parameters: tool.parameters,
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    declaration,
  };
}

function withObserved(entry: ToolCatalogEntry, tool: Tool, program: GuestProgram): ToolCatalogEntry {
  if (tool.outputSchema && outputHint(tool) !== undefined) return entry;
  const observed = program.observedOutput(tool.id);
  return observed === undefined ? entry : { ...entry, output: `${observed} (observed)` };
}
