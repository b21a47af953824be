// The guest's `MCP`: a function for each visible tool of each server, resources and prompts, and `$api`.
import {
  bindingTable,
  type CodeBinding,
  type CodeBindingFunction,
  type CodeBindingNamespace,
  type CodeCallContext,
  CodeCallError,
} from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';
import type { McpApi, McpApiServer } from '@codeseam/mcp-dts';
import type { Steps } from '@codeseam/schema-types';
import { runInSlices, toolId } from '@codeseam/tools';
import type { Catalog } from '../catalog/catalog.ts';
import { callError, invalidCall, oneObject, TOOL_CALL_ERROR, told } from './call-errors.ts';
import { programOf } from './guest-program.ts';

type Member = readonly [name: string, value: CodeBinding];

/**
 * Servers and tools by their identifiers, and by their own names too, where those are no identifier of another.
 * Frozen all through, so that a runtime reads it once for all runs with this catalog.
 */
export function* mcpBinding(catalog: Catalog): Steps<CodeBindingNamespace> {
  const api = catalog.mcp;
  const members: Member[] = [['$api', apiFunction(api)]];
  const spellings: Member[] = [];
  for (const server of api.servers) {
    const functions = serverMembers(server, api);
    // A part that was read is known in the whole.
    bindingTable({ global: 'MCP', functions });
    members.push([server.identifier, functions]);
    spellings.push([server.server, functions]);
    yield;
  }
  return Object.freeze({ global: 'MCP', functions: record(members, spellings), errorClass: TOOL_CALL_ERROR });
}

function serverMembers(server: McpApiServer, api: McpApi): Readonly<Record<string, CodeBinding>> {
  const at = `MCP.${server.identifier}`;
  const fixed = (kind: 'resources' | 'prompts', names: Record<string, boolean>): Member[] => {
    const members = Object.entries(names)
      .filter(([, exists]) => exists)
      .map(([name]) => [name, toolFunction(server.server, `$${kind}.${name}`, `${at}.${kind}.${name}`)] as Member);
    return members.length === 0 ? [] : [[kind, record(members)]];
  };
  const tools = server.tools.map(({ tool, identifier }) => ({
    tool,
    identifier,
    call: toolFunction(server.server, tool, `${at}.${identifier}`),
  }));
  return record(
    [
      ['$api', apiFunction(api, server.server)],
      ...tools.map(({ identifier, call }): Member => [identifier, call]),
      ...fixed('resources', { ...server.resources }),
      ...fixed('prompts', { ...server.prompts }),
    ],
    tools.map(({ tool, call }): Member => [tool, call]),
  );
}

function toolFunction(server: string, name: string, shown: string): CodeBindingFunction {
  const id = toolId('mcp', server, name);
  return async function (this: CodeCallContext, ...args: JsonValue[]) {
    const program = programOf(this);
    const tool = program.find(id);
    if (!tool) throw new CodeCallError(`${shown} is not there any more`, { code: 'UNKNOWN_TOOL', member: name });
    const outcome = await program.call(this, tool, oneObject(args, tool, shown));
    // A server's own failure is a value, as MCP has it; a call that did not come through is not.
    if (outcome.isError && outcome.value === undefined) throw callError(outcome, tool);
    return outcome.value ?? null;
  };
}

/** `$api(tool?, options?)` of a server, `$api(options?)` of all. */
function apiFunction(api: McpApi, server?: string): CodeBindingFunction {
  return async function (this: CodeCallContext, ...args: JsonValue[]) {
    const [first, second] = args;
    const tool = typeof first === 'string' && server !== undefined ? first : undefined;
    const options = tool === undefined && typeof first === 'object' ? first : second;
    if (first !== undefined && first !== null && tool === undefined && options !== first) {
      const at = server === undefined ? 'MCP.$api({ schema: true })' : `MCP.${server}.$api("tool", { schema: true })`;
      throw invalidCall(`$api takes ${server === undefined ? 'options' : 'a tool name and options'}: ${at}`);
    }
    const schema =
      typeof options === 'object' && options !== null && !Array.isArray(options) && options['schema'] === true;
    if (tool === undefined) await runInSlices(api.prepare({ files: `mcp/${server ?? 'index'}.d.ts` }));
    return told(() => api.header(server, tool, { schema }), server ?? '', programOf(this));
  };
}

/** A frozen record; a member may have any name, `__proto__` too. A spelling is understood where no member has that name. */
function record(members: readonly Member[], spellings: readonly Member[] = []): Readonly<Record<string, CodeBinding>> {
  const made: Record<string, CodeBinding> = {};
  for (const [name, value] of members) Object.defineProperty(made, name, { value, enumerable: true });
  for (const [name, value] of spellings) {
    if (!Object.hasOwn(made, name)) Object.defineProperty(made, name, { value });
  }
  return Object.freeze(made);
}
