// Stage 2's result: the type tree that all printers share, and its constructors.

/** What a doc comment says, in the order it is printed. Untrusted text. */
export interface Doc {
  description?: string;
  /** Tag name without `@` -> text. */
  tags: readonly (readonly [name: string, text: string])[];
}

export interface PropertyNode {
  key: string;
  type: TypeNode;
  optional: boolean;
}

/** A set of keys that a template literal type can name: everything starting with `prefix` and ending with `suffix`. */
export interface KeyPattern {
  prefix: string;
  suffix: string;
  type: TypeNode;
}

/** A type that is declared by name because it is referenced, or recursive. */
export interface NamedType {
  /** Tells the named types of one tree apart. */
  id: number;
  /** What the name is made of: words from the place of the schema. Untrusted text. */
  words: string;
  /** The settled name; empty until names are given. */
  name: string;
  /** Set when its schema has been converted; until then the type is being built. */
  type: TypeNode | undefined;
}

export interface ObjectNode {
  kind: 'object';
  /** Required ones first, then by key. */
  properties: readonly PropertyNode[];
  patterns: readonly KeyPattern[];
  /** Type of all other keys; undefined if there are none (a closed object). */
  rest: TypeNode | undefined;
  doc?: Doc;
}

export interface TupleNode {
  kind: 'tuple';
  items: readonly { type: TypeNode; optional: boolean }[];
  rest: TypeNode | undefined;
  doc?: Doc;
}

export type PrimitiveKind = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'unknown' | 'never';

export type TypeNode =
  | { kind: PrimitiveKind; doc?: Doc }
  | { kind: 'literal'; value: string | number | boolean; doc?: Doc }
  | { kind: 'array'; items: TypeNode; doc?: Doc }
  | TupleNode
  | ObjectNode
  | { kind: 'union'; members: readonly TypeNode[]; doc?: Doc }
  | { kind: 'intersection'; members: readonly TypeNode[]; doc?: Doc }
  | { kind: 'reference'; target: NamedType; doc?: Doc };

export const UNKNOWN: TypeNode = { kind: 'unknown' };
export const NEVER: TypeNode = { kind: 'never' };
export const NULL: TypeNode = { kind: 'null' };
export const STRING: TypeNode = { kind: 'string' };
export const NUMBER: TypeNode = { kind: 'number' };
export const INTEGER: TypeNode = { kind: 'integer' };
export const BOOLEAN: TypeNode = { kind: 'boolean' };

export const OPEN_OBJECT: ObjectNode = { kind: 'object', properties: [], patterns: [], rest: UNKNOWN };

export function literal(value: string | number | boolean): TypeNode {
  return { kind: 'literal', value };
}

/** `type` with a doc comment; an empty one leaves it as it is. */
export function withDoc(type: TypeNode, doc: Doc | undefined): TypeNode {
  if (doc === undefined || (doc.description === undefined && doc.tags.length === 0)) return type;
  return { ...type, doc };
}

export function isNever(type: TypeNode): boolean {
  return type.kind === 'never';
}

/** Puts properties in their printed order: required first, then by key. */
export function sortProperties(properties: PropertyNode[]): PropertyNode[] {
  return properties.sort(
    (a, b) => Number(a.optional) - Number(b.optional) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  );
}

/** The types directly inside a type; the target of a reference is not. */
export function childTypes(type: TypeNode): TypeNode[] {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'tuple':
      return [...type.items.map((item) => item.type), ...(type.rest ? [type.rest] : [])];
    case 'object':
      return [...type.properties, ...type.patterns].map((item) => item.type).concat(type.rest ?? []);
    case 'union':
    case 'intersection':
      return [...type.members];
    default:
      return [];
  }
}

/** The same type with each type directly inside it replaced. */
export function mapChildTypes(type: TypeNode, replace: (child: TypeNode) => TypeNode): TypeNode {
  switch (type.kind) {
    case 'array':
      return { ...type, items: replace(type.items) };
    case 'tuple':
      return {
        ...type,
        items: type.items.map((item) => ({ ...item, type: replace(item.type) })),
        rest: type.rest && replace(type.rest),
      };
    case 'object':
      return {
        ...type,
        properties: type.properties.map((property) => ({ ...property, type: replace(property.type) })),
        patterns: type.patterns.map((pattern) => ({ ...pattern, type: replace(pattern.type) })),
        rest: type.rest && replace(type.rest),
      };
    case 'union':
    case 'intersection':
      return { ...type, members: type.members.map(replace) };
    default:
      return type;
  }
}

/** True if `test` holds for the type or for some type inside it, references not followed. */
export function someType(type: TypeNode, test: (type: TypeNode) => boolean): boolean {
  return test(type) || childTypes(type).some((child) => someType(child, test));
}

/** Equal for types that are printed alike, doc comments apart. Bounded by the size of the tree. */
export function typeKey(type: TypeNode): string {
  switch (type.kind) {
    case 'literal':
      return typeof type.value === 'string' ? JSON.stringify(type.value) : String(type.value);
    case 'array':
      return `[${typeKey(type.items)}*]`;
    case 'tuple':
      return `[${type.items.map((item) => typeKey(item.type) + (item.optional ? '?' : '')).join()};${type.rest ? typeKey(type.rest) : ''}]`;
    case 'object':
      return `{${type.properties.map((p) => `${JSON.stringify(p.key)}${p.optional ? '?' : ''}:${typeKey(p.type)}`).join()};${type.patterns
        .map((p) => `${JSON.stringify([p.prefix, p.suffix])}:${typeKey(p.type)}`)
        .join()};${type.rest ? typeKey(type.rest) : ''}}`;
    case 'union':
      return `(${type.members.map(typeKey).join('|')})`;
    case 'intersection':
      return `(${type.members.map(typeKey).join('&')})`;
    case 'reference':
      return `@${type.target.id}`;
    default:
      return type.kind;
  }
}
