// Many JSON Schemas of one file -> TypeScript, with what they have in common declared once.

import { acceptsEmptyObject } from './accepts-empty-object.ts';
import { buildTypeTree, type TypeTree } from './build-tree.ts';
import { nameTypes } from './name-types.ts';
import { printDeclaration, printType } from './print-typescript.ts';
import { SchemaDocument } from './schema-document.ts';
import { shareTypes } from './share-types.ts';
import { finish, type Steps } from './steps.ts';
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
  return finish(schemasToTypeScriptInSteps(entries, options));
}

/** The same work, for a caller who does not want to be held up by a thousand schemas. */
export function* schemasToTypeScriptInSteps(
  entries: readonly SchemaEntry[],
  options: Omit<TypeScriptOptions, 'name' | 'io'> = {},
): Steps<SharedDeclarations> {
  const { taken = new Set(), layout = 'pretty', openType, indent = 0 } = options;
  const built: TypeTree[] = [];
  for (const { schema, io = 'input' } of entries) {
    built.push(buildTypeTree(new SchemaDocument(schema), io));
    yield;
  }
  const { trees, shared } = yield* shareTypes(built);
  nameTypes(shared, '', taken);
  for (const [index, tree] of trees.entries()) {
    nameTypes(tree.named, entries[index]!.name, taken);
    yield;
  }
  const style = { layout, openType };
  const types: SharedDeclarations['types'] = [];
  for (const { root, complete } of trees) {
    types.push({ type: printType(root, style, indent), complete, acceptsEmptyObject: acceptsEmptyObject(root) });
    yield;
  }
  let declarations = '';
  for (const named of [...shared, ...trees.flatMap((tree) => tree.named)]) {
    declarations += printDeclaration(named, style, indent);
    yield;
  }
  return { types, declarations };
}
