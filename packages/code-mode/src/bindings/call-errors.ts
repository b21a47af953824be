// Sentences that a program gets for calls that cannot be made: what was wrong, and how it is done.
import { CodeCallError } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import { McpDtsError } from '@codeseam/mcp-dts';
import { runInSlices, type Tool, type ToolCallOutcome } from '@codeseam/tools';
import { explainAbsence } from '../catalog/absent-servers.ts';
import { nearTools } from '../catalog/near-calls.ts';
import { parameterNames } from '../catalog/search/tool-search.ts';
import { inputHint } from '../catalog/tool-hints.ts';
import type { GuestProgram } from './guest-program.ts';

/** The guest class of every failed call, and where it holds the tool. */
export const TOOL_CALL_ERROR = { name: 'ToolCallError', memberNameProperty: 'toolName' } as const;

export function invalidCall(message: string, member?: string): CodeCallError {
  return new CodeCallError(message, { code: 'INVALID_ARGS', ...(member === undefined ? {} : { member }) });
}

/** A failed outcome as the rejection of a program's call. */
export function callError(outcome: ToolCallOutcome, tool: Tool, toolName = tool.name): CodeCallError {
  const parts = [outcome.message ?? 'the call failed', outcome.hint ?? ''];
  if (outcome.code === 'INVALID_ARGS')
    parts.push(strangers(outcome, tool, parts.join(' ')), `It takes ${inputHint(tool)}`);
  const said = parts
    .filter((part) => part !== '')
    .reduce((text, part) => `${text}${/[.!?]$/.test(text) ? '' : '.'} ${part}`);
  return new CodeCallError(said, { ...(outcome.code === undefined ? {} : { code: outcome.code }), member: toolName });
}

/** The keys of a call that its tool does not know, where that is not said already. */
function strangers({ arguments: given }: ToolCallOutcome, tool: Tool, said: string): string {
  const known = parameterNames(tool);
  if (typeof given !== 'object' || given === null || known.length === 0) return '';
  const unknown = Object.keys(given).filter(
    (key) => !known.includes(key) && !said.includes(`${JSON.stringify(key)} is not a known key`),
  );
  if (unknown.length === 0) return '';
  const shown = unknown.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 60)));
  return `${shown.join(', ')} ${unknown.length === 1 ? 'is no key' : 'are no keys'} of it`;
}

/** The one object that a tool takes. @throws CodeCallError for anything else, showing its keys. */
export function oneObject(args: readonly JsonValue[], tool: Tool, shown: string): JsonValue {
  const [input] = args;
  if (args.length <= 1 && (input === undefined || input === null)) return {};
  if (args.length === 1 && typeof input === 'object' && !Array.isArray(input)) return input as JsonValue;
  const given = args.length > 1 ? `${args.length} arguments` : Array.isArray(input) ? 'an array' : `a ${typeof input}`;
  throw invalidCall(`${shown} takes one object, not ${given}: ${shown}(${inputHint(tool)})`, tool.name);
}

/** Why a ref of `tools.call` and its kin names nothing that they call. */
export async function notCallable(ref: unknown, program: GuestProgram): Promise<CodeCallError> {
  if (typeof ref !== 'string') {
    return invalidCall(
      'the first argument must be a tool id, a string: tools.callValue("host:core:read_file", { path: "a.txt" })',
    );
  }
  const shown = JSON.stringify(ref.slice(0, 120));
  const tool = program.find(ref);
  if (tool?.source === 'mcp') {
    const path = program.catalog.callPath(tool);
    if (path)
      return new CodeCallError(`${shown} is an MCP tool: call ${path}({ … })`, { code: 'UNKNOWN_TOOL', member: ref });
  }
  if (tool?.directOnly) {
    return new CodeCallError(`${shown} cannot be called from a program; call the tool ${tool.wireName} directly`, {
      code: 'UNKNOWN_TOOL',
      member: ref,
    });
  }
  await runInSlices(program.catalog.prepareCalls());
  const spelled = program.catalog.calls.spelled(ref);
  if (spelled !== undefined) {
    const told = `${shown} is an MCP tool, and called as a function: await ${spelled}({ … })`;
    return new CodeCallError(told, { code: 'UNKNOWN_TOOL', member: ref.slice(0, 120) });
  }
  const absence = explainAbsence(ref, program.absentServers());
  if (absence) {
    const told = `there is no tool ${shown} now: ${absence.said}; ${absence.hint}`;
    return new CodeCallError(told, { code: 'UNKNOWN_TOOL', member: ref.slice(0, 120) });
  }
  const near = (await runInSlices(nearTools(ref.slice(0, 200), program.catalog))).map((it) => showCall(it, program));
  const how = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'await tools.search("what you need") finds tools';
  return new CodeCallError(`there is no tool ${shown}; ${how}`, { code: 'UNKNOWN_TOOL', member: ref.slice(0, 120) });
}

/** How a suggested tool is called. */
function showCall(tool: Tool, program: GuestProgram): string {
  return program.catalog.callPath(tool) ?? JSON.stringify(tool.id);
}

/**
 * Runs a look-up of declarations; its error crosses with its hint in the message, since only that crosses.
 *
 * @param asked the path or server that is looked for.
 */
export function told<T>(lookUp: () => T, asked: string, program: GuestProgram): T {
  try {
    return lookUp();
  } catch (error) {
    if (!(error instanceof McpDtsError)) throw error;
    const absence = explainAbsence(asked, program.absentServers());
    if (absence) throw new CodeCallError(`${error.message} ${absence.said}; ${absence.hint}`, { code: 'INVALID_ARGS' });
    throw new CodeCallError(error.hint ? `${error.message} ${error.hint}` : error.message, { code: 'INVALID_ARGS' });
  }
}
