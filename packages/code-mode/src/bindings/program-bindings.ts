// All namespaces of one program. What depends on the catalog alone is made once for it.
import type { CodeBindingNamespace } from '@codeseam/code-runtime';
import type { OpenNamespace } from '@codeseam/namespaces';
import type { Catalog } from '../catalog/catalog.ts';
import { apiBinding } from './api-binding.ts';
import { mcpBinding } from './mcp-binding.ts';
import { namespaceBindings } from './namespace-bindings.ts';
import { resultsBinding } from './results-binding.ts';
import { toolsBinding } from './tools-binding.ts';

const byCatalog = new WeakMap<Catalog, readonly CodeBindingNamespace[]>();

export function programBindings(catalog: Catalog, namespaces: readonly OpenNamespace[]): CodeBindingNamespace[] {
  let shared = byCatalog.get(catalog);
  if (!shared) {
    shared = Object.freeze([toolsBinding(catalog), mcpBinding(catalog), apiBinding(catalog), resultsBinding]);
    byCatalog.set(catalog, shared);
  }
  return [...shared, ...namespaceBindings(namespaces)];
}
