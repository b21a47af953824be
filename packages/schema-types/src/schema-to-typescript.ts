// JSON Schema -> TypeScript.

import { buildTypeTree } from './build-tree.ts';
import { nameTypes } from './name-types.ts';
import { printDeclaration, printType } from './print-typescript.ts';
import { SchemaDocument } from './schema-document.ts';
import type { TypeDeclarations, TypeScriptOptions } from './types.ts';

/**
 * The TypeScript type of the values that a JSON Schema (drafts 4 to 2020-12, OpenAPI 3) accepts. It accepts every valid value and refuses as
 * many others as TypeScript can. Pure; never throws, never fetches; ends on cyclic and huge input.
 *
 * @example
 * schemaToTypeScript({ type: 'object', properties: { q: { type: 'string' } }, required: ['q'], additionalProperties: false }, { name: 'Search' })
 * // { type: '{\n  q: string;\n}', declarations: '', complete: true }
 */
export function schemaToTypeScript(schema: unknown, options: TypeScriptOptions): TypeDeclarations {
  const { name, io = 'input', taken = new Set(), layout = 'pretty', openType, indent = 0 } = options;
  const tree = buildTypeTree(new SchemaDocument(schema), io);
  nameTypes(tree.named, name, taken);
  const style = { layout, openType };
  return {
    type: printType(tree.root, style, indent),
    declarations: tree.named.map((named) => printDeclaration(named, style, indent)).join(''),
    complete: tree.complete,
  };
}
