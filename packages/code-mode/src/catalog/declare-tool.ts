// The whole declaration of one tool, for a program that asks with `tools.describe`.
import { docComment, schemaToTypeScript } from '@codeseam/schema-types';
import type { Tool } from '@codeseam/tools';
import type { Catalog } from './catalog.ts';
import { inputHint, outputHint } from './tool-hints.ts';

export interface ToolDeclaration {
  declaration: string;
  /** One line: what a call takes. */
  input: string;
  /** One line: what it gives, where that is known. */
  output?: string;
}

export function declareTool(tool: Tool, catalog: Catalog): ToolDeclaration {
  const output = outputHint(tool);
  const hints = { input: inputHint(tool), ...(output === undefined ? {} : { output }) };
  if (tool.source === 'mcp') {
    if (tool.hidden) return { ...hints, declaration: catalog.mcp.header(tool.owner).header };
    return { ...hints, declaration: catalog.mcp.header(tool.owner, tool.name).header };
  }
  const taken = new Set<string>();
  const input = schemaToTypeScript(tool.parameters, { name: `${tool.name}Input`, io: 'input', taken });
  const result = tool.outputSchema
    ? schemaToTypeScript(tool.outputSchema, { name: `${tool.name}Result`, io: 'output', taken })
    : { type: 'unknown', declarations: '' };
  const optional = isOptional(tool) ? '?' : '';
  const member = catalog.memberOf(tool.id);
  const id = JSON.stringify(tool.id);
  const call =
    member === undefined ? `tools.callValue(${id}, input)` : `tools.${member}(input), or tools.callValue(${id}, input)`;
  const parts = [
    input.declarations,
    result.declarations,
    `// ${call}`,
    docComment(tool.description),
    `(input${optional}: ${input.type}) => Promise<${result.type}>`,
  ];
  return { ...hints, declaration: parts.filter((part) => part !== '').join('\n') };
}

function isOptional(tool: Tool): boolean {
  const { required } = tool.parameters as { required?: unknown };
  return !Array.isArray(required) || required.length === 0;
}
