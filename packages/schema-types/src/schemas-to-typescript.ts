// Many JSON Schemas of one file -> TypeScript, with what they have in common declared once.

import { acceptsEmptyObject } from './accepts-empty-object.ts';
import { buildTypeTree } from './build-tree.ts';
import { nameTypes } from './name-types.ts';
import { printDeclaration, printType } from './print-typescript.ts';
import { SchemaDocument } from './schema-document.ts';
import { shareTypes } from './share-types.ts';
import type { SchemaSide, TypeScriptOptions } from './types.ts';

export interface SchemaEntry {
  schema: unknown;
  /** As in `schemaToTypeScript`. */
  name: string;
  io?: SchemaSide;
}

export interface SharedDeclarations {
  /** A type expression for each schema, in order. */
  types: { type: string; complete: boolean; acceptsEmptyObject: boolean }[];
  /** All that they need. */
  declarations: string;
}

/** The same types as `schemaToTypeScript` gives, for a whole file at once: equal parts of different schemas become one named type. */
export function schemasToTypeScript(
  entries: readonly SchemaEntry[],
  options: Omit<TypeScriptOptions, 'name' | 'io'> = {},
): SharedDeclarations {
  const { taken = new Set(), layout = 'pretty', openType, indent = 0 } = options;
  const built = entries.map(({ schema, io = 'input' }) => buildTypeTree(new SchemaDocument(schema), io));
  const { trees, shared } = shareTypes(built);
  nameTypes(shared, '', taken);
  for (const [index, tree] of trees.entries()) nameTypes(tree.named, entries[index]!.name, taken);
  const style = { layout, openType };
  const named = [...shared, ...trees.flatMap((tree) => tree.named)];
  return {
    types: trees.map((tree) => ({
      type: printType(tree.root, style, indent),
      complete: tree.complete,
      acceptsEmptyObject: acceptsEmptyObject(tree.root),
    })),
    declarations: named.map((item) => printDeclaration(item, style, indent)).join(''),
  };
}
