// Objects: properties, required keys, patterns and the rest, dependent keys, and refinements that only speak of presence.

import type { Inherited, SchemaBuilder } from './build-tree.ts';
import { intersectionOf, unionOf } from './combine-types.ts';
import { keyShape, matchesShape } from './key-patterns.ts';
import { isJsonArray, isJsonObject, type JsonNode, type JsonObject } from './read-schema.ts';
import {
  type KeyPattern,
  NEVER,
  type ObjectNode,
  type PropertyNode,
  sortProperties,
  type TypeNode,
  UNKNOWN,
} from './type-tree.ts';

/** Names in `propertyNames` that are spelt out as optional properties. */
const MAX_NAMED_KEYS = 64;

/** Keywords that show that an object is meant where `type` is missing. */
export const OBJECT_KEYWORDS: readonly { name: string; constrains(value: JsonNode | undefined): boolean }[] = [
  { name: 'properties', constrains: isJsonObject },
  { name: 'required', constrains: (value) => isJsonArray(value) && value.length > 0 },
  { name: 'patternProperties', constrains: (value) => isJsonObject(value) && value.entries.size > 0 },
  { name: 'additionalProperties', constrains: constrainsRest },
];

function constrainsRest(value: JsonNode | undefined): boolean {
  return value === false || (isJsonObject(value) && value.entries.size > 0);
}

/** The type of the objects that a schema allows. */
export function objectType(schema: JsonObject, builder: SchemaBuilder, context: Inherited): TypeNode {
  const shape = ownObject(schema, builder, context);
  const refinements = [...absentKeys(schema), ...dependentKeys(schema, context)];
  return refinements.length === 0 ? shape : intersectionOf([shape, ...refinements]);
}

function ownObject(schema: JsonObject, builder: SchemaBuilder, context: Inherited): ObjectNode {
  const declared = schemaMap(schema, 'properties', builder);
  const patternSchemas = schemaMap(schema, 'patternProperties', builder);
  const required = stringList(schema.entries.get('required'));
  const listed = new Set(namedKeys(schema));
  const further = restSchema(schema);
  const furtherType = further === undefined ? undefined : builder.build(further);
  const restType = listed.size > 0 ? undefined : furtherType;

  const patterns: KeyPattern[] = [];
  const inexact: TypeNode[] = [];
  for (const [pattern, value] of patternSchemas) {
    const keys = keyShape(pattern);
    const type = builder.build(value);
    if (keys !== undefined && !patterns.some((other) => overlap(other, keys))) patterns.push({ ...keys, type });
    else inexact.push(type);
  }

  const properties: PropertyNode[] = [];
  for (const key of new Set([...declared.keys(), ...required, ...listed])) {
    const value = declared.get(key);
    const matching = patterns.filter((pattern) => matchesShape(key, pattern)).map((pattern) => pattern.type);
    let type =
      value === undefined
        ? undeclaredType(matching, inexact, furtherType)
        : intersectionOf([builder.build(value), ...matching]);
    const isDefaulted = builder.io === 'input' && context.defaulted.has(key);
    const optional = !required.has(key) || isDefaulted;
    if (optional && INHERITED_MEMBERS.has(key)) type = { ...UNKNOWN, doc: type.doc };
    properties.push({ key, type, optional });
  }

  return {
    kind: 'object',
    properties: sortProperties(properties),
    patterns: patterns.filter((pattern) => pattern.prefix !== '' || pattern.suffix !== ''),
    rest: remainder(patterns, inexact, restType),
  };
}

/**
 * Members that every object has from `Object.prototype`. TypeScript compares them with an optional property of the same name,
 * and would refuse any object literal without the property unless its type is `unknown`.
 */
const INHERITED_MEMBERS = new Set([
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

function undeclaredType(matching: TypeNode[], inexact: TypeNode[], rest: TypeNode | undefined): TypeNode {
  if (matching.length > 0) return intersectionOf(matching);
  return inexact.length > 0 || rest === undefined ? UNKNOWN : rest;
}

/** Type of the keys that no property and no template names. */
function remainder(patterns: KeyPattern[], inexact: TypeNode[], rest: TypeNode | undefined): TypeNode | undefined {
  const every = patterns.find((pattern) => pattern.prefix === '' && pattern.suffix === '');
  if (every !== undefined) return every.type;
  if (inexact.length === 0) return rest;
  return rest === undefined ? unionOf(inexact) : unionOf([...inexact, rest]);
}

/** Two patterns where a key could match both; TypeScript wants their types to agree, which JSON Schema does not. */
function overlap(a: { prefix: string; suffix: string }, b: { prefix: string; suffix: string }): boolean {
  const prefixes = a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);
  const suffixes = a.suffix.endsWith(b.suffix) || b.suffix.endsWith(a.suffix);
  return prefixes && suffixes;
}

/** The schema of further keys; undefined if there may be none. */
function restSchema(schema: JsonObject): JsonNode | undefined {
  if (schema.entries.get('propertyNames') === false) return undefined;
  const additional = schema.entries.get('additionalProperties');
  if (additional !== undefined) return additional === false ? undefined : additional;
  // Keys that other applicators allow cannot be listed here without evaluating them.
  const unevaluated = schema.entries.get('unevaluatedProperties');
  const hasApplicators = IN_PLACE_APPLICATORS.some((keyword) => schema.entries.has(keyword));
  if (unevaluated === undefined || hasApplicators) return true;
  return unevaluated === false ? undefined : unevaluated;
}

const IN_PLACE_APPLICATORS = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
  'not',
];

/** The keys that `propertyNames` lists, if it lists them. */
function namedKeys(schema: JsonObject): string[] {
  const names = schema.entries.get('propertyNames');
  if (!isJsonObject(names)) return [];
  const constant = names.entries.get('const');
  const values: JsonNode | undefined = constant === undefined ? names.entries.get('enum') : [constant];
  if (!isJsonArray(values) || values.length > MAX_NAMED_KEYS) return [];
  return [...stringList(values)];
}

/** `not: { required: [key] }`, alone or as `anyOf` of such: the key must be absent. */
function absentKeys(schema: JsonObject): ObjectNode[] {
  const not = schema.entries.get('not');
  if (!isJsonObject(not)) return [];
  const anyOf = not.entries.size === 1 ? not.entries.get('anyOf') : undefined;
  const members = isJsonArray(anyOf) ? anyOf : [not];
  const keys = members.flatMap((member) => {
    const list = requiredOnly(member);
    return list?.length === 1 ? list : [];
  });
  return keys.length === 0 ? [] : [presence([], keys)];
}

/** `dependentRequired`, and `dependencies` that list keys: either the key is absent, or the others are there. */
function dependentKeys(schema: JsonObject, context: Inherited): TypeNode[] {
  const modern = schema.entries.get('dependentRequired');
  const dependent = isJsonObject(modern) ? modern : schema.entries.get('dependencies');
  if (!isJsonObject(dependent)) return [];
  const rules = [...dependent.entries].flatMap(([key, list]) => {
    const needed = [...stringList(list)].filter((name) => name !== key && !context.defaulted.has(name));
    return needed.length > 0 && !INHERITED_MEMBERS.has(key)
      ? [unionOf([presence([], [key]), presence(needed, [])])]
      : [];
  });
  return rules.length <= 4 ? rules : [];
}

/**
 * `oneOf` whose members only require keys: exactly one of them may hold, so each forbids the single key of the others.
 * Undefined if some member says more than that.
 */
export function presenceTypes(members: readonly JsonNode[], defaulted: ReadonlySet<string>): TypeNode | undefined {
  const lists = members.map(requiredOnly);
  const keys = new Set(lists.flatMap((list) => (list?.length === 1 ? list : [])));
  if (
    keys.size < 2 ||
    keys.size !== members.length ||
    [...keys].some((key) => defaulted.has(key) || INHERITED_MEMBERS.has(key))
  )
    return undefined;
  const all = [...keys];
  return unionOf(
    all.map((key) =>
      presence(
        [key],
        all.filter((other) => other !== key),
      ),
    ),
  );
}

function requiredOnly(schema: JsonNode): string[] | undefined {
  if (!isJsonObject(schema) || schema.entries.size !== 1 || !schema.entries.has('required')) return undefined;
  return [...stringList(schema.entries.get('required'))];
}

/** An open object where some keys are there and others are not. */
function presence(present: string[], absent: string[]): ObjectNode {
  const properties: PropertyNode[] = [
    ...present.map((key) => ({ key, type: UNKNOWN, optional: false })),
    ...absent.map((key) => ({ key, type: NEVER, optional: true })),
  ];
  return { kind: 'object', properties: sortProperties(properties), patterns: [], rest: UNKNOWN };
}

function schemaMap(schema: JsonObject, keyword: string, builder: SchemaBuilder): ReadonlyMap<string, JsonNode> {
  const value = schema.entries.get(keyword);
  if (isJsonObject(value)) return value.entries;
  if (value !== undefined) builder.giveUp();
  return new Map();
}

function stringList(value: JsonNode | undefined): Set<string> {
  return new Set(isJsonArray(value) ? value.filter((item): item is string => typeof item === 'string') : []);
}
