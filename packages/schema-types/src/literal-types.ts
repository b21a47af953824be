// `const` and `enum` values as types.

import { unionOf } from './combine-types.ts';
import { isJsonArray, type JsonNode, UNREADABLE } from './read-schema.ts';
import {
  BOOLEAN,
  INTEGER,
  literal,
  NULL,
  NUMBER,
  OPEN_OBJECT,
  STRING,
  sortProperties,
  type TypeNode,
  UNKNOWN,
} from './type-tree.ts';

/** Values inside one constant that are spelt out; a larger one is `unknown` from there on. */
const MAX_LITERAL_DEPTH = 12;

export const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** The type that holds exactly this JSON value. */
export function literalType(value: JsonNode, depth = 0): TypeNode {
  if (value === null) return NULL;
  if (value === UNREADABLE || depth > MAX_LITERAL_DEPTH) return UNKNOWN;
  if (typeof value === 'number') return Number.isFinite(value) ? literal(value) : NUMBER;
  if (typeof value === 'string' || typeof value === 'boolean') return literal(value);
  if (isJsonArray(value)) {
    const items = value.map((item) => ({ type: literalType(item, depth + 1), optional: false }));
    return { kind: 'tuple', items, rest: undefined };
  }
  if (typeof value === 'symbol') return UNKNOWN;
  const properties = [...value.entries].map(([key, item]) => ({
    key,
    type: literalType(item, depth + 1),
    optional: false,
  }));
  return { kind: 'object', properties: sortProperties(properties), patterns: [], rest: undefined };
}

/** True if a JSON value is of one of the declared types. */
export function hasJsonType(value: JsonNode, types: readonly JsonType[]): boolean {
  const actual = value === null ? 'null' : isJsonArray(value) ? 'array' : typeof value;
  if (actual === 'symbol') return true;
  return types.includes(actual as JsonType) || (types.includes('integer') && Number.isInteger(value));
}

/**
 * The union of the listed values that the declared types allow. Where they allow none of them, schema and list disagree
 * and nothing would be valid; both are then let through, since one of them is what the author meant.
 */
export function enumType(values: readonly JsonNode[], types: readonly JsonType[] | undefined): TypeNode {
  if (types === undefined) return unionOf(values.map((value) => literalType(value)));
  const allowed = values.filter((value) => hasJsonType(value, types));
  if (allowed.length > 0) return unionOf(allowed.map((value) => literalType(value)));
  return unionOf([...values.map((value) => literalType(value)), ...types.map(plainType)]);
}

/** The widest type of one JSON type. */
export function plainType(type: JsonType): TypeNode {
  switch (type) {
    case 'string':
      return STRING;
    case 'number':
      return NUMBER;
    case 'integer':
      return INTEGER;
    case 'boolean':
      return BOOLEAN;
    case 'null':
      return NULL;
    case 'object':
      return OPEN_OBJECT;
    case 'array':
      return { kind: 'array', items: UNKNOWN };
  }
}
