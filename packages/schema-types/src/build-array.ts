// Arrays and tuples.

import type { SchemaBuilder } from './build-tree.ts';
import { isJsonArray, type JsonNode, type JsonObject } from './read-schema.ts';
import { isNever, NEVER, type TypeNode, UNKNOWN } from './type-tree.ts';

/** Places of a tuple that are spelt out. */
const MAX_TUPLE = 100;

/**
 * The type of the arrays that a schema allows. Lengths make no tuples of uniform arrays: `[T, ...T[]]` would refuse a `T[]` variable that is long
 * enough. In a tuple, places beyond `minItems` are optional, as shorter arrays are valid.
 */
export function arrayType(schema: JsonObject, builder: SchemaBuilder): TypeNode {
  const items = schema.entries.get('items');
  const prefixItems = schema.entries.get('prefixItems');
  const prefix = isJsonArray(prefixItems) ? prefixItems : isJsonArray(items) ? items : [];
  const tail = isJsonArray(items)
    ? isJsonArray(prefixItems)
      ? undefined
      : schema.entries.get('additionalItems')
    : items;
  const minItems = count(schema.entries.get('minItems')) ?? 0;
  const maxItems = count(schema.entries.get('maxItems')) ?? Number.POSITIVE_INFINITY;

  if (prefix.length === 0) {
    if (maxItems === 0) return { kind: 'array', items: NEVER };
    return { kind: 'array', items: tailType(tail, schema, builder) };
  }
  if (prefix.length > MAX_TUPLE) return { kind: 'array', items: builder.giveUp() };
  const places = prefix
    .slice(0, maxItems)
    .map((item, index) => ({ type: builder.build(item), optional: index >= minItems }));
  const rest = maxItems <= prefix.length ? NEVER : tailType(tail, schema, builder);
  return { kind: 'tuple', items: places, rest: isNever(rest) ? undefined : rest };
}

function tailType(tail: JsonNode | undefined, schema: JsonObject, builder: SchemaBuilder): TypeNode {
  if (tail !== undefined) return builder.build(tail);
  const applicators = [
    '$ref',
    '$dynamicRef',
    '$recursiveRef',
    'allOf',
    'anyOf',
    'oneOf',
    'if',
    'then',
    'else',
    'not',
    'contains',
    'dependentSchemas',
  ];
  const unevaluated = schema.entries.get('unevaluatedItems');
  if (unevaluated === undefined || applicators.some((keyword) => schema.entries.has(keyword))) return UNKNOWN;
  return builder.build(unevaluated);
}

function count(value: JsonNode | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.ceil(value) : undefined;
}
