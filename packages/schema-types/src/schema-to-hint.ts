// JSON Schema -> a one-line hint for an index of tools.

import { buildTypeTree } from './build-tree.ts';
import { printHint } from './print-hint.ts';
import { SchemaDocument } from './schema-document.ts';
import type { HintOptions, SchemaHint } from './types.ts';

/**
 * One line that shows the shape of a schema: required keys first, `?` for optional ones, `…` where something was cut. Descriptions
 * never appear in it.
 *
 * @example schemaToHint(schema, { maxChars: 300 })   // { text: '{ query: string; limit?: number }', complete: true }
 */
export function schemaToHint(schema: unknown, options: HintOptions = {}): SchemaHint {
  const { maxChars = 300, maxDepth = 3, maxProperties = 12, io = 'input' } = options;
  const tree = buildTypeTree(new SchemaDocument(schema), io);
  return printHint(tree, { maxChars, maxDepth, maxProperties });
}
