// One server's declarations: a namespace with a function per tool.

import { docComment, pascalCase, type SchemaEntry, schemasToTypeScript } from '@codeseam/schema-types';
import type { NamedServer, NamedTool } from './paths.ts';
import { FIXED_DECLARATIONS, OPEN_TYPE, SERVER_API, SHARED_TYPE_NAMES } from './shared-declarations.ts';

/** `declare namespace MCP.<server> { … }` with all of a server's tools; types that several tools share are declared once. */
export function declareServer(server: NamedServer): string {
  return wrapNamespace(server, SERVER_API + declareTools(server.tools) + declareFixedMembers(server));
}

/** The same with one tool only. */
export function declareOneTool(server: NamedServer, tool: NamedTool): string {
  return wrapNamespace(server, declareTools([tool]));
}

function wrapNamespace(server: NamedServer, body: string): string {
  return `declare namespace MCP.${server.identifier} {\n${body}}\n`;
}

function declareTools(tools: readonly NamedTool[]): string {
  const entries = tools.flatMap(schemaEntries);
  const { types, declarations } = schemasToTypeScript(entries, {
    taken: new Set(SHARED_TYPE_NAMES),
    layout: 'compact',
    openType: OPEN_TYPE,
  });
  let next = 0;
  const functions = tools.map((tool) => {
    const input = types[next++]!.type;
    const output = tool.info.outputSchema === undefined ? undefined : types[next++]!.type;
    return declareFunction(tool, input, output);
  });
  return declarations + functions.join('');
}

function schemaEntries({ info, identifier }: NamedTool): SchemaEntry[] {
  const name = pascalCase(identifier);
  const input: SchemaEntry = { schema: info.inputSchema ?? { type: 'object' }, name };
  return info.outputSchema === undefined
    ? [input]
    : [input, { schema: info.outputSchema, name: `${name}Result`, io: 'output' }];
}

function declareFunction({ info, identifier }: NamedTool, input: string, output: string | undefined): string {
  const comment = docComment(info.description ?? info.title);
  const result = output === undefined ? 'McpToolResult' : `McpToolResult<${output}>`;
  return `${comment === '' ? '' : `${comment}\n`}function ${identifier}(input: ${input}): Promise<${result}>;\n`;
}

function declareFixedMembers(server: NamedServer): string {
  let text = '';
  for (const group of ['resources', 'prompts'] as const) {
    const members = Object.entries(FIXED_DECLARATIONS[group]).filter(
      ([name]) => (server[group] as Record<string, boolean>)[name],
    );
    if (members.length > 0) text += `namespace ${group} {\n${members.map(([, line]) => `  ${line}\n`).join('')}}\n`;
  }
  return text;
}
