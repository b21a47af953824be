// All namespaces of one program. What depends on the catalog alone is made once for it.
import { bindingTable, type CodeBindingNamespace } from '@codeseam/code-runtime';
import type { OpenNamespace } from '@codeseam/namespaces';
import type { Steps } from '@codeseam/schema-types';
import type { Catalog } from '../catalog/catalog.ts';
import { apiBinding } from './api-binding.ts';
import { mcpBinding } from './mcp-binding.ts';
import { namespaceBindings } from './namespace-bindings.ts';
import { resultsBinding } from './results-binding.ts';
import { toolsBinding } from './tools-binding.ts';

const byCatalog = new WeakMap<Catalog, readonly CodeBindingNamespace[]>();

/** Makes ready what every run of a catalog needs, for the runtime as well. */
export function* prepareProgram(catalog: Catalog): Steps<void> {
  yield* catalog.prepare();
  const shared = byCatalog.get(catalog) ?? (yield* sharedBindings(catalog));
  if (!byCatalog.has(catalog)) byCatalog.set(catalog, shared);
}

export function isProgramReady(catalog: Catalog): boolean {
  return byCatalog.has(catalog);
}

/** Only after `prepareProgram`. */
export function programBindings(catalog: Catalog, namespaces: readonly OpenNamespace[]): CodeBindingNamespace[] {
  return [...byCatalog.get(catalog)!, ...namespaceBindings(namespaces)];
}

function* sharedBindings(catalog: Catalog): Steps<readonly CodeBindingNamespace[]> {
  const bindings = [yield* toolsBinding(catalog), yield* mcpBinding(catalog), apiBinding(catalog), resultsBinding];
  for (const binding of bindings) {
    // Read now, so that the first `start` finds it known.
    bindingTable(binding);
    yield;
  }
  return Object.freeze(bindings);
}
