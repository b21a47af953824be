// One object for an intersection of objects, where a language has no intersections.

import { intersectionOf } from './combine-types.ts';
import { type NamedType, type ObjectNode, OPEN_OBJECT, type TypeNode } from './type-tree.ts';

/**
 * The object that an intersection comes to, references followed. A union among its members adds its keys as optional ones. Undefined if some
 * member is no object.
 */
export function mergedObject(type: TypeNode): ObjectNode | undefined {
  return merge(type, new Set());
}

function merge(type: TypeNode, passed: ReadonlySet<NamedType>): ObjectNode | undefined {
  switch (type.kind) {
    case 'object':
      return type;
    case 'reference': {
      const { target } = type;
      if (target.type === undefined || passed.has(target)) return undefined;
      return merge(target.type, new Set([...passed, target]));
    }
    case 'union': {
      const objects = type.members.map((member) => merge(member, passed));
      return objects.every((object) => object !== undefined) ? loosest(objects) : undefined;
    }
    case 'intersection': {
      const objects = type.members.map((member) => merge(member, passed));
      if (!objects.every((object) => object !== undefined)) return undefined;
      const merged = intersectionOf(objects.map((object) => ({ ...object, doc: undefined })));
      return merged.kind === 'object' ? merged : undefined;
    }
    default:
      return undefined;
  }
}

/** The keys of all objects, required only where all of them require them. */
function loosest(objects: readonly ObjectNode[]): ObjectNode {
  const keys = new Set(objects.flatMap((object) => object.properties.map((property) => property.key)));
  const properties = [...keys].map((key) => {
    const found = objects.map((object) => object.properties.find((property) => property.key === key));
    const types = found.flatMap((property) =>
      property === undefined || property.type.kind === 'never' ? [] : [property.type],
    );
    return {
      key,
      type: types.length === 1 ? types[0]! : { kind: 'union' as const, members: types },
      optional: found.some((property) => property === undefined || property.optional),
    };
  });
  return { ...OPEN_OBJECT, properties };
}
