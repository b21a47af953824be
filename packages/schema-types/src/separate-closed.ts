// Alternatives that are closed objects, told apart.

import { NEVER, type ObjectNode, type PropertyNode, sortProperties, type TypeNode } from './type-tree.ts';

/** Keys added to one alternative at most. */
const MAX_ADDED_KEYS = 6;

/**
 * TypeScript lets an object literal mix the keys of all members of a union. Where members are closed objects and no literal property tells them
 * apart, each forbids the keys of the others: `{ a: string; b?: never } | { b: string; a?: never }`.
 */
export function separateClosed(type: TypeNode): TypeNode {
  if (type.kind !== 'union') return type;
  const objects = type.members.filter((member): member is ObjectNode => member.kind === 'object');
  if (objects.length < 2 || !objects.some(isClosed) || hasDiscriminant(objects)) return type;
  const keys = new Set(objects.flatMap((object) => object.properties.map((property) => property.key)));
  return {
    ...type,
    members: type.members.map((member) =>
      member.kind === 'object' && isClosed(member) ? forbid(member, keys) : member,
    ),
  };
}

function isClosed(object: ObjectNode): boolean {
  return object.rest === undefined && object.patterns.length === 0;
}

function forbid(object: ObjectNode, keys: ReadonlySet<string>): ObjectNode {
  const own = new Set(object.properties.map((property) => property.key));
  const added = [...keys]
    .filter((key) => !own.has(key))
    .map((key): PropertyNode => ({ key, type: NEVER, optional: true }));
  if (added.length === 0 || added.length > MAX_ADDED_KEYS) return object;
  return { ...object, properties: sortProperties([...object.properties, ...added]) };
}

/** True if some required key has a literal type in every object: TypeScript then picks the member by it. */
function hasDiscriminant(objects: readonly ObjectNode[]): boolean {
  return objects[0]!.properties.some(({ key }) =>
    objects.every((object) =>
      object.properties.some((property) => property.key === key && !property.optional && isLiteral(property.type)),
    ),
  );
}

function isLiteral(type: TypeNode): boolean {
  return type.kind === 'literal' || type.kind === 'null' || (type.kind === 'union' && type.members.every(isLiteral));
}
