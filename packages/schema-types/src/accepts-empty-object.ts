// Whether `{}` is a value of a type: then a call may leave its argument out.

import type { NamedType, TypeNode } from './type-tree.ts';

/** References followed in a row; beyond, the answer is no. */
const MAX_DEPTH = 50;

export function acceptsEmptyObject(type: TypeNode, passed: readonly NamedType[] = []): boolean {
  switch (type.kind) {
    case 'unknown':
      return true;
    case 'object':
      return type.properties.every((property) => property.optional);
    case 'union':
      return type.members.some((member) => acceptsEmptyObject(member, passed));
    case 'intersection':
      return type.members.every((member) => acceptsEmptyObject(member, passed));
    case 'reference': {
      const { target } = type;
      if (target.type === undefined || passed.includes(target) || passed.length > MAX_DEPTH) return false;
      return acceptsEmptyObject(target.type, [...passed, target]);
    }
    default:
      return false;
  }
}
