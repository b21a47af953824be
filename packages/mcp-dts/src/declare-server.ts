// One server's declarations: a namespace with a function per tool.

import { docComment, pascalCase, schemaToTypeScript, type TypeDeclarations } from '@codeseam/schema-types';
import type { NamedServer, NamedTool } from './paths.ts';
import { FIXED_DECLARATIONS, OPEN_TYPE, SERVER_API, SHARED_TYPE_NAMES } from './shared-declarations.ts';

/** Type names that are in use before a server declares its own. */
export function takenTypeNames(): Set<string> {
  return new Set(SHARED_TYPE_NAMES);
}

/** `declare namespace MCP.<server> { … }` with all of a server's tools. */
export function declareServer(server: NamedServer): string {
  const taken = takenTypeNames();
  const tools = server.tools.map((tool) => declareTool(tool, taken)).join('');
  return wrapNamespace(server, SERVER_API + tools + declareFixedMembers(server));
}

/** The same with one tool only. */
export function declareOneTool(server: NamedServer, tool: NamedTool): string {
  return wrapNamespace(server, declareTool(tool, takenTypeNames()));
}

function wrapNamespace(server: NamedServer, body: string): string {
  return `declare namespace MCP.${server.identifier} {\n${body}}\n`;
}

/** One function with its doc comment, and the types it needs. */
function declareTool(tool: NamedTool, taken: Set<string>): string {
  const { info, identifier } = tool;
  const name = pascalCase(identifier);
  const style = { taken, layout: 'compact', openType: OPEN_TYPE } as const;
  const input = schemaToTypeScript(info.inputSchema ?? { type: 'object' }, { name, ...style });
  const output: TypeDeclarations | undefined =
    info.outputSchema === undefined
      ? undefined
      : schemaToTypeScript(info.outputSchema, { name: `${name}Result`, io: 'output', ...style });
  const comment = docComment(info.description ?? info.title);
  const result = output === undefined ? 'McpToolResult' : `McpToolResult<${output.type}>`;
  return `${indented(input.declarations)}${indented(output?.declarations ?? '')}${comment === '' ? '' : `  ${comment}\n`}  function ${identifier}(input: ${input.type}): Promise<${result}>;\n`;
}

function indented(declarations: string): string {
  return declarations;
}

function declareFixedMembers(server: NamedServer): string {
  let text = '';
  for (const group of ['resources', 'prompts'] as const) {
    const members = Object.entries(FIXED_DECLARATIONS[group]).filter(
      ([name]) => (server[group] as Record<string, boolean>)[name],
    );
    if (members.length > 0)
      text += `  namespace ${group} {\n${members.map(([, line]) => `    ${line}\n`).join('')}  }\n`;
  }
  return text;
}
