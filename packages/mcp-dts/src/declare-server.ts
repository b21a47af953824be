// One server's declarations: a namespace with a function per tool.

import {
  cutText,
  docComment,
  docText,
  finish,
  pascalCase,
  type SchemaEntry,
  type Steps,
  schemasToTypeScriptInSteps,
} from '@codeseam/schema-types';
import type { NamedServer, NamedTool } from './paths.ts';
import { FIXED_DECLARATIONS, OPEN_TYPE, SERVER_API, SHARED_TYPE_NAMES } from './shared-declarations.ts';

/** `declare namespace MCP.<server> { … }` with all of a server's tools; types that several tools share are declared once. */
export function* declareServer(server: NamedServer): Steps<string> {
  const { title, version, instructions } = server.catalog;
  const comment = docComment([title, version].filter(Boolean).join(' '), instructions);
  const body = SERVER_API + (yield* declareTools(server.tools, 'compact')) + declareFixedMembers(server);
  return `${comment === '' ? '' : `${comment}\n`}${inNamespace(server, body)}`;
}

/** The same with one tool only, complete in itself but for `McpToolResult`, and laid out for reading. */
export function declareOneTool(server: NamedServer, tool: NamedTool): string {
  return `// McpToolResult is { content, structuredContent?, isError? }; see mcp/index.d.ts.\n${inNamespace(server, finish(declareTools([tool], 'pretty')))}`;
}

function inNamespace(server: NamedServer, body: string): string {
  return `declare namespace MCP.${server.identifier} {\n${body}}\n`;
}

function* declareTools(tools: readonly NamedTool[], layout: 'compact' | 'pretty'): Steps<string> {
  const { types, declarations } = yield* schemasToTypeScriptInSteps(tools.flatMap(schemaEntries), {
    taken: new Set(SHARED_TYPE_NAMES),
    layout,
    openType: layout === 'compact' ? OPEN_TYPE : undefined,
  });
  let next = 0;
  let functions = '';
  for (const tool of tools) {
    const input = types[next++]!;
    const output = tool.info.outputSchema === undefined ? undefined : types[next++]!;
    const parameter = `input${input.acceptsEmptyObject ? '?' : ''}: ${input.type}`;
    functions += declareFunction(tool, parameter, output?.type);
    yield;
  }
  return declarations + functions;
}

function schemaEntries({ info, identifier }: NamedTool): SchemaEntry[] {
  const name = pascalCase(identifier);
  const input: SchemaEntry = { schema: info.inputSchema ?? { type: 'object' }, name };
  if (info.outputSchema === undefined) return [input];
  return [input, { schema: info.outputSchema, name: `${name}Result`, io: 'output' }];
}

function declareFunction({ info, identifier }: NamedTool, parameter: string, output: string | undefined): string {
  const about = [info.description, info.title].find((text) => typeof text === 'string' && text.trim() !== '');
  const comment = docComment(about);
  const result = output === undefined ? 'McpToolResult' : `McpToolResult<${output}>`;
  return `${comment === '' ? '' : `${comment}\n`}function ${identifier}(${parameter}): Promise<${result}>;\n`;
}

function declareFixedMembers(server: NamedServer): string {
  let text = '';
  for (const group of ['resources', 'prompts'] as const) {
    const isThere: Record<string, boolean> = server[group];
    const members = Object.entries(FIXED_DECLARATIONS[group]).filter(([name]) => isThere[name] === true);
    if (members.length > 0) text += `namespace ${group} {\n${members.map(([, line]) => `  ${line}\n`).join('')}}\n`;
  }
  return text;
}

/** One line for a list of files: how many tools, and the first of them. */
export function describeServerFile(server: NamedServer): string {
  const count = server.tools.length;
  const parts = [`${count} ${count === 1 ? 'tool' : 'tools'}`];
  for (const group of ['resources', 'prompts'] as const)
    if (Object.values(server[group]).includes(true)) parts.push(group);
  const title =
    server.catalog.title === undefined ? '' : ` (${cutText(docText(server.catalog.title).replace(/\s+/g, ' '), 60)})`;
  const names = server.tools.slice(0, 6).map((tool) => tool.identifier);
  const list = names.length === 0 ? '' : `: ${names.join(', ')}${names.length < count ? ', …' : ''}`;
  return `MCP.${server.identifier}${title}, ${parts.join(', ')}${list}`;
}
