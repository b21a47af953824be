// How a program calls a tool, as one line: the way out of a direct call of a tool that code mode hides.
import type { Tool } from '@codeseam/tools';
import type { CatalogCache } from './catalog/catalog-cache.ts';

/** @param argumentsText the object of arguments, as a JavaScript expression. */
export function exampleCall(tool: Tool, argumentsText: string, catalogs: CatalogCache): string {
  const path = tool.source === 'mcp' ? catalogs.callPath(tool) : undefined;
  const callee = path === undefined ? `tools.callValue(${JSON.stringify(tool.id)}, ` : `${path}(`;
  return `await ${callee}${argumentsText})`;
}
