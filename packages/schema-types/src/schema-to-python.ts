// JSON Schema -> Python.

import { buildTypeTree } from './build-tree.ts';
import { nameTypes } from './name-types.ts';
import { printPython } from './print-python.ts';
import { SchemaDocument } from './schema-document.ts';
import type { SchemaTypeOptions, TypeDeclarations } from './types.ts';

/**
 * The same as Python type annotations: `TypedDict`s, `Literal`, `list`, unions. Declarations need `from typing import Any, Literal, NotRequired, TypedDict`
 * (Python 3.11 or newer).
 */
export function schemaToPython(schema: unknown, options: SchemaTypeOptions): TypeDeclarations {
  const { name, io = 'input', taken = new Set() } = options;
  const tree = buildTypeTree(new SchemaDocument(schema), io);
  nameTypes(tree.named, name, taken);
  return { ...printPython(tree, { name, taken }), complete: tree.complete };
}
