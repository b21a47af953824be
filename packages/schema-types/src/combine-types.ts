// Unions and intersections of type nodes, simplified where the result is exact.

import { matchesShape } from './key-patterns.ts';
import {
  isNever,
  type KeyPattern,
  literal,
  NEVER,
  type ObjectNode,
  type PropertyNode,
  sortProperties,
  type TypeNode,
  typeKey,
  UNKNOWN,
} from './type-tree.ts';

/** Pairs tried at most when an intersection is distributed over unions. */
const MAX_PAIRS = 400;

/**
 * The union of `types`: flat, without duplicates, `unknown` absorbing all. A literal beside its own kind stays: it says
 * which values are known.
 */
export function unionOf(types: readonly TypeNode[]): TypeNode {
  const flat: TypeNode[] = [];
  const seen = new Set<string>();
  for (const type of types.flatMap((item) =>
    item.kind === 'union' && item.doc === undefined ? item.members : [item],
  )) {
    if (isNever(type)) continue;
    const key = type.kind === 'literal' ? literalKey(type.value) : typeKey(type);
    if (seen.has(key)) continue;
    seen.add(key);
    flat.push(type);
  }
  if (seen.has('unknown')) return flat.find((type) => type.kind === 'unknown') ?? UNKNOWN;
  const members = joinKinds(flat, seen);
  if (members.length === 0) return NEVER;
  return members.length === 1 ? members[0]! : { kind: 'union', members };
}

/** As `typeKey` gives it, without its cost for long strings. */
function literalKey(value: string | number | boolean): string {
  return typeof value === 'string' ? `"${value}` : String(value);
}

/** `true | false` is `boolean`, and an integer is a number. */
function joinKinds(all: TypeNode[], seen: ReadonlySet<string>): TypeNode[] {
  const members = seen.has('number') ? all.filter((type) => type.kind !== 'integer') : all;
  if (!seen.has('boolean') && !(seen.has('true') && seen.has('false'))) return members;
  const at = members.findIndex((type) => valueKind(type) === 'boolean');
  return members.flatMap((type, index) => {
    if (index === at) return [{ kind: 'boolean' as const, doc: type.doc }];
    return valueKind(type) === 'boolean' ? [] : [type];
  });
}

/**
 * The intersection of `types`: objects merged, and what has an exact form without `&` in that form. What is left of it stays an intersection, its
 * other members freed of the openness that the merged object already gives.
 */
export function intersectionOf(types: readonly TypeNode[]): TypeNode {
  // What is flattened or left out would take its comment with it.
  const doc = types.find(
    (type) => type.doc !== undefined && (type.kind === 'intersection' || type.kind === 'unknown'),
  )?.doc;
  const flat = types.flatMap((type) => (type.kind === 'intersection' ? type.members : [type]));
  const { object, others } = mergeObjects(flat.filter((type) => type.kind !== 'unknown'));
  let exact: TypeNode = object ?? UNKNOWN;
  const kept: TypeNode[] = [];
  for (const type of others) {
    const combined = intersectExactly(exact, type, { pairs: MAX_PAIRS });
    if (combined === undefined) kept.push(type);
    else exact = combined;
  }
  if (kept.length === 0) return exact.doc === undefined && doc !== undefined ? { ...exact, doc } : exact;
  const bare = exact.kind === 'object' ? kept.map(dropOpenness) : kept;
  const isCovered = exact.kind === 'unknown' || (isOpenObject(exact) && bare.every(isObjectLike));
  const members = isCovered ? bare : [exact, ...bare];
  return members.length === 1 ? members[0]! : { kind: 'intersection', members, doc };
}

function keepDoc(type: TypeNode, dropped: TypeNode): TypeNode {
  return type.doc === undefined && dropped.doc !== undefined ? { ...type, doc: dropped.doc } : type;
}

/** The intersection as a type without `&`, or undefined if there is none. */
function intersectExactly(left: TypeNode, right: TypeNode, budget: { pairs: number }): TypeNode | undefined {
  if (--budget.pairs < 0) return undefined;
  if (left.kind === 'unknown') return right;
  if (right.kind === 'unknown') return left;
  if (isNever(left) || isNever(right)) return NEVER;
  if (left.kind === 'union' || right.kind === 'union') return intersectUnions(left, right, budget);
  const kinds = [valueKind(left), valueKind(right)];
  if (kinds[0] === undefined || kinds[1] === undefined) return undefined;
  if (kinds[0] !== kinds[1]) return NEVER;
  if (left.kind === 'literal' && right.kind === 'literal') return left.value === right.value ? left : NEVER;
  if (left.kind === 'literal') return left;
  if (right.kind === 'literal') return right;
  if (left.kind === 'object' && right.kind === 'object') {
    const { object, others } = mergeObjects([left, right]);
    return others.length === 0 ? object : undefined;
  }
  if (left.kind === 'array' && right.kind === 'array') {
    const items = intersectExactly(left.items, right.items, budget);
    return items && { ...left, items, doc: left.doc ?? right.doc };
  }
  if (left.kind === 'tuple' || right.kind === 'tuple') {
    if (left.kind === 'array' && left.items.kind === 'unknown') return right;
    if (right.kind === 'array' && right.items.kind === 'unknown') return left;
    return undefined;
  }
  return right.kind === 'integer' ? keepDoc(right, left) : keepDoc(left, right);
}

function intersectUnions(left: TypeNode, right: TypeNode, budget: { pairs: number }): TypeNode | undefined {
  const lefts = left.kind === 'union' ? left.members : [left];
  const rights = right.kind === 'union' ? right.members : [right];
  const isSpread = lefts.length > 1 || rights.length > 1;
  const results: TypeNode[] = [];
  for (const a of lefts) {
    for (const b of rights) {
      // `Base & (A | B)` reads better, and stays smaller, than every pair spelt out.
      if (isSpread && a.kind === 'object' && b.kind === 'object' && !isOpenObject(a) && !isOpenObject(b))
        return undefined;
      const pair = intersectExactly(a, b, budget);
      if (pair === undefined) return undefined;
      results.push(pair);
    }
  }
  const doc = left.doc ?? right.doc;
  const union = unionOf(results);
  return doc === undefined ? union : { ...union, doc: union.doc ?? doc };
}

/** The one JSON kind that every value of a type has, or undefined if that is not known. */
export function valueKind(type: TypeNode): 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | undefined {
  switch (type.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'object':
      return type.kind;
    case 'integer':
      return 'number';
    case 'literal':
      return typeof type.value as 'string' | 'number' | 'boolean';
    case 'array':
    case 'tuple':
      return 'array';
    default:
      return undefined;
  }
}

export function isOpenObject(type: TypeNode): type is ObjectNode {
  return (
    type.kind === 'object' &&
    type.properties.length === 0 &&
    type.patterns.length === 0 &&
    type.rest?.kind === 'unknown'
  );
}

/**
 * All objects as one. The result lists the keys of all; it is closed if one of them is: a key that none lists is refused by that
 * one. (A key that only an open one lists is let through, as authors of `allOf` mean it.) Of objects with key patterns only one
 * is merged, since overlapping patterns would contradict each other.
 */
function mergeObjects(types: readonly TypeNode[]): { object: ObjectNode | undefined; others: TypeNode[] } {
  const objects: ObjectNode[] = [];
  const others: TypeNode[] = [];
  for (const type of types) {
    const isMergeable =
      type.kind === 'object' && (type.patterns.length === 0 || objects.every((object) => object.patterns.length === 0));
    if (isMergeable) objects.push(type);
    else others.push(type);
  }
  if (objects.length < 2) return { object: objects[0], others };
  const found = new Map<string, PropertyNode[]>();
  for (const property of objects.flatMap((object) => object.properties)) {
    const same = found.get(property.key);
    if (same === undefined) found.set(property.key, [property]);
    else same.push(property);
  }
  const patterns = objects.flatMap((object) => object.patterns);
  const properties = [...found.values()].map((same) => fitToPatterns(joinProperties(same), patterns));
  const rests = objects.map((object) => object.rest);
  const rest = rests.every((type) => type !== undefined) ? intersectionOf(rests) : undefined;
  const doc = objects.find((object) => object.doc !== undefined)?.doc;
  return { object: { kind: 'object', properties: sortProperties(properties), patterns, rest, doc }, others };
}

function joinProperties(same: readonly PropertyNode[]): PropertyNode {
  if (same.length === 1) return same[0]!;
  return {
    key: same[0]!.key,
    type: intersectionOf(same.map((property) => property.type)),
    optional: same.every((property) => property.optional),
  };
}

function fitToPatterns(property: PropertyNode, patterns: readonly KeyPattern[]): PropertyNode {
  const matching = patterns.filter((pattern) => matchesShape(property.key, pattern));
  return matching.length === 0
    ? property
    : { ...property, type: intersectionOf([property.type, ...matching.map((pattern) => pattern.type)]) };
}

function isObjectLike(type: TypeNode): boolean {
  if (type.kind === 'union') return type.members.every(isObjectLike);
  return type.kind === 'object';
}

function dropOpenness(type: TypeNode): TypeNode {
  if (type.kind === 'union') return { ...type, members: type.members.map(dropOpenness) };
  if (type.kind === 'object' && type.rest?.kind === 'unknown' && type.properties.length > 0)
    return { ...type, rest: undefined };
  return type;
}

/** The kinds of value a type holds, as wide types: what an index signature beside it must allow. */
export function widen(type: TypeNode): TypeNode {
  switch (type.kind) {
    case 'literal':
      return typeof type.value === 'string'
        ? { kind: 'string' }
        : typeof type.value === 'number'
          ? { kind: 'number' }
          : literal(type.value);
    case 'integer':
      return { kind: 'number' };
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'never':
    case 'reference':
      return { ...type, doc: undefined };
    case 'union':
      return unionOf(type.members.map(widen));
    default:
      return UNKNOWN;
  }
}
