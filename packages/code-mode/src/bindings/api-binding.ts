// The guest's `API`: the declaration files of the visible MCP servers, read without a tool call.
import { type CodeBindingNamespace, type CodeCallContext, CodeCallError } from '@codeseam/code-runtime';
import { runInSlices } from '@codeseam/tools';
import type { Catalog } from '../catalog/catalog.ts';
import { told } from './call-errors.ts';
import { programOf } from './guest-program.ts';

export function apiBinding(catalog: Catalog): CodeBindingNamespace {
  const functions = {
    async list(this: CodeCallContext, prefix?: unknown) {
      if (prefix !== undefined && prefix !== null && typeof prefix !== 'string') {
        throw new CodeCallError('API.list takes a path prefix, a string: API.list("mcp")', { code: 'INVALID_ARGS' });
      }
      await runInSlices(catalog.mcp.prepare({ files: prefix ?? '' }));
      return told(() => catalog.mcp.list(prefix ?? undefined), prefix ?? '', programOf(this));
    },
    async read(this: CodeCallContext, path?: unknown) {
      if (typeof path !== 'string') {
        const [server] = catalog.mcp.servers;
        throw new CodeCallError(
          `API.read takes the path of a file, a string: API.read(${JSON.stringify(`mcp/${server?.identifier ?? 'index'}.d.ts`)})`,
          {
            code: 'INVALID_ARGS',
          },
        );
      }
      await runInSlices(catalog.mcp.prepare({ files: path }));
      const { path: found, content, description, bytes } = told(() => catalog.mcp.read(path), path, programOf(this));
      return { path: found, content, description, bytes };
    },
  };
  return Object.freeze({ global: 'API', functions: Object.freeze(functions) });
}
