// Stage 2: a schema document becomes a type tree, with a named type for whatever is referenced, recursive or very deep.

import { breakAliasCycles } from './alias-cycles.ts';
import { boundIntersections } from './bound-intersections.ts';
import { arrayType } from './build-array.ts';
import { OBJECT_KEYWORDS, objectType, presenceTypes } from './build-object.ts';
import { intersectionOf, unionOf } from './combine-types.ts';
import { enumType, JSON_TYPES, type JsonType, plainType } from './literal-types.ts';
import { readDoc } from './read-doc.ts';
import { isJsonArray, isJsonObject, type JsonNode, type JsonObject } from './read-schema.ts';
import type { SchemaDocument } from './schema-document.ts';
import { separateClosed } from './separate-closed.ts';
import { type NamedType, NEVER, NULL, type TypeNode, UNKNOWN, withDoc } from './type-tree.ts';
import type { SchemaSide } from './types.ts';

/** Inline levels before a type is declared by name instead, so that no stage recurses deeper. */
const MAX_INLINE_DEPTH = 30;
/** Times that one and the same object is spelt out before its type gets a name. JSON has no shared objects; hosts may. */
const MAX_COPIES = 8;
/** Schemas converted at most; what lies beyond is `unknown`. */
const MAX_SCHEMAS = 100_000;

export interface TypeTree {
  root: TypeNode;
  /** In the order they were first referenced. */
  named: readonly NamedType[];
  complete: boolean;
}

/** What the builders of objects and arrays need of the tree that is being built. */
export interface SchemaBuilder {
  readonly io: SchemaSide;
  build(schema: JsonNode, inherited?: Inherited): TypeNode;
  /** Notes that something could not be read and became `unknown`. */
  giveUp(): TypeNode;
}

/** What the schema around an `allOf`, `anyOf` or `oneOf` member says about the same value. */
export interface Inherited {
  /** Keys that have a default, and so may be left out on input whatever `required` says. */
  defaulted: ReadonlySet<string>;
  /** True if the value is known to be an object. */
  isObject: boolean;
}

const NOTHING_INHERITED: Inherited = { defaulted: new Set(), isObject: false };

export function buildTypeTree(document: SchemaDocument, io: SchemaSide): TypeTree {
  return new TreeBuilder(document, io).run();
}

class TreeBuilder implements SchemaBuilder {
  readonly io: SchemaSide;
  private readonly document: SchemaDocument;
  private readonly targets: ReadonlySet<JsonNode>;
  private readonly named = new Map<JsonNode, NamedType>();
  private readonly queue: { node: JsonObject; named: NamedType }[] = [];
  private readonly open = new Set<JsonNode>();
  private readonly copies = new Map<JsonNode, number>();
  private hasIntersections = false;
  private schemas = 0;
  private complete: boolean;

  constructor(document: SchemaDocument, io: SchemaSide) {
    this.document = document;
    this.io = io;
    this.complete = !document.truncated;
    this.targets = document.referenceTargets();
  }

  run(): TypeTree {
    const root = this.build(this.document.root);
    for (let next = 0; next < this.queue.length; next++) {
      const { node, named } = this.queue[next]!;
      named.type ??= this.convert(node, NOTHING_INHERITED);
    }
    const named = [...this.named.values()];
    breakAliasCycles(named);
    if (!this.hasIntersections) return { root, named, complete: this.complete };
    const bounded = boundIntersections(root, named);
    return { root: bounded.root, named, complete: this.complete && bounded.exact };
  }

  giveUp(): TypeNode {
    this.complete = false;
    return UNKNOWN;
  }

  build(schema: JsonNode, inherited: Inherited = NOTHING_INHERITED): TypeNode {
    if (schema === true) return UNKNOWN;
    if (schema === false) return NEVER;
    if (!isJsonObject(schema)) return this.giveUp();
    if (this.targets.has(schema) || this.named.has(schema)) return this.reference(schema);
    const copies = this.copies.get(schema) ?? 0;
    if (this.open.has(schema) || this.open.size >= MAX_INLINE_DEPTH || copies >= MAX_COPIES)
      return this.reference(schema);
    this.copies.set(schema, copies + 1);
    const type = this.convert(schema, inherited);
    const named = this.named.get(schema);
    if (named === undefined) return type;
    // A cycle of objects led back here while the type was being built.
    named.type = type;
    return { kind: 'reference', target: named };
  }

  private convert(schema: JsonObject, inherited: Inherited): TypeNode {
    if (++this.schemas > MAX_SCHEMAS) return this.giveUp();
    this.open.add(schema);
    try {
      return this.combine(schema, inherited);
    } finally {
      this.open.delete(schema);
    }
  }

  private combine(schema: JsonObject, inherited: Inherited): TypeNode {
    const parts: TypeNode[] = [];
    const reference = this.referencePart(schema);
    if (reference !== undefined) parts.push(reference);
    if (reference === undefined || !this.document.refStandsAlone || !schema.entries.has('$ref')) {
      const types = this.declaredTypes(schema);
      const isObject =
        inherited.isObject ||
        (types === undefined ? infersObject(schema) : types.length === 1 && types[0] === 'object');
      const context = { defaulted: withDefaults(inherited.defaulted, schema), isObject };
      parts.push(this.ownPart(schema, types, context));
      for (const member of this.members(schema, 'allOf')) parts.push(this.build(member, context));
      for (const keyword of ['anyOf', 'oneOf']) {
        const members = this.members(schema, keyword);
        if (members.length === 0) continue;
        const exclusive = keyword === 'oneOf' && isObject ? presenceTypes(members, context.defaulted) : undefined;
        parts.push(exclusive ?? unionOf(members.map((member) => this.build(member, context))));
      }
    }
    const constraints = parts.filter((part) => part.kind !== 'unknown');
    const type = constraints.length === 1 ? separateClosed(constraints[0]!) : intersectionOf(constraints);
    if (type.kind === 'intersection') this.hasIntersections = true;
    const isNullable = schema.entries.get('nullable') === true;
    return withDoc(isNullable ? unionOf([type, NULL]) : type, readDoc(schema));
  }

  /** What `type`, `const`, `enum` and the keywords of objects and arrays say. */
  private ownPart(schema: JsonObject, types: readonly JsonType[] | undefined, context: Inherited): TypeNode {
    const values = schema.entries.get('enum');
    const parts: TypeNode[] = [];
    if (schema.entries.has('const')) parts.push(enumType([schema.entries.get('const')!], types));
    if (isJsonArray(values) && values.length > 0) parts.push(enumType(values, types));
    if (parts.length > 0) return intersectionOf(parts);
    const kinds = types ?? inferredTypes(schema, context);
    if (kinds.length === 0) return UNKNOWN;
    return unionOf(
      kinds.map((kind) => {
        if (kind === 'object') return objectType(schema, this, context);
        return kind === 'array' ? arrayType(schema, this) : plainType(kind);
      }),
    );
  }

  private members(schema: JsonObject, keyword: string): readonly JsonNode[] {
    const members = schema.entries.get(keyword);
    if (members === undefined) return [];
    if (isJsonArray(members)) return members;
    this.giveUp();
    return [];
  }

  /** The valid names in `type`; undefined if there is none. */
  private declaredTypes(schema: JsonObject): JsonType[] | undefined {
    const type = schema.entries.get('type');
    if (type === undefined) return undefined;
    const names: readonly JsonNode[] = isJsonArray(type) ? type : [type];
    const valid = JSON_TYPES.filter((name) => names.includes(name));
    if (valid.length > 0 && valid.length === new Set(names).size) return names as JsonType[];
    this.giveUp();
    return undefined;
  }

  private referencePart(schema: JsonObject): TypeNode | undefined {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = schema.entries.get(keyword);
      if (reference === undefined) continue;
      if (typeof reference !== 'string') return this.giveUp();
      const target = this.document.follow(reference, keyword, schema);
      if (target === undefined) return this.giveUp();
      return this.build(target);
    }
    return undefined;
  }

  private reference(schema: JsonObject): TypeNode {
    let named = this.named.get(schema);
    if (named === undefined) {
      named = { id: this.named.size, words: this.wordsFor(schema), name: '', type: undefined };
      this.named.set(schema, named);
      if (!this.open.has(schema)) this.queue.push({ node: schema, named });
    }
    return { kind: 'reference', target: named };
  }

  /** `#/$defs/Node` -> `Node`; anything else by the last few words of its place; the root is `Root`. */
  private wordsFor(schema: JsonObject): string {
    const path = this.document.pathOf(schema);
    if (path.length === 0) return 'Root';
    const container = path.at(-2);
    const isDefinition = container === '$defs' || container === 'definitions' || container === 'schemas';
    return isDefinition
      ? path.at(-1)!
      : path
          .filter((word) => !STRUCTURAL.has(word))
          .slice(-3)
          .join(' ');
  }
}

const STRUCTURAL = new Set([
  'properties',
  'items',
  '$defs',
  'definitions',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
]);

function infersObject(schema: JsonObject): boolean {
  return OBJECT_KEYWORDS.some((keyword) => keyword.constrains(schema.entries.get(keyword.name)));
}

/**
 * Tool schemas often leave `type` out beside `properties` or `items` and mean objects and arrays, although JSON Schema then lets any other kind of
 * value pass. A keyword that says nothing (`additionalProperties: true`) infers nothing.
 */
function inferredTypes(schema: JsonObject, context: Inherited): JsonType[] {
  const items = schema.entries.get('items');
  const isArray =
    isJsonArray(schema.entries.get('prefixItems')) ||
    isJsonArray(items) ||
    items === false ||
    (isJsonObject(items) && items.entries.size > 0);
  const isObject = infersObject(schema);
  if (isArray) return isObject ? ['object', 'array'] : ['array'];
  return isObject || (context.isObject && schema.entries.has('not')) ? ['object'] : [];
}

function withDefaults(inherited: ReadonlySet<string>, schema: JsonObject): ReadonlySet<string> {
  const own = defaultedKeys(schema);
  return own.length === 0 ? inherited : new Set([...inherited, ...own]);
}

/** Keys with a default in `properties`, those of inline `allOf` members included. */
function defaultedKeys(schema: JsonObject, depth = 0): string[] {
  const keys: string[] = [];
  const properties = schema.entries.get('properties');
  if (isJsonObject(properties)) {
    for (const [key, value] of properties.entries)
      if (isJsonObject(value) && value.entries.has('default')) keys.push(key);
  }
  const members = schema.entries.get('allOf');
  if (isJsonArray(members) && depth < 5) {
    for (const member of members) if (isJsonObject(member)) keys.push(...defaultedKeys(member, depth + 1));
  }
  return keys;
}
