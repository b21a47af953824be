// Type aliases that would be defined as nothing but themselves.

import { intersectionOf, unionOf } from './combine-types.ts';
import { type NamedType, NEVER, type TypeNode, UNKNOWN } from './type-tree.ts';

/**
 * TypeScript refuses `type A = A | string`. Such a reference adds nothing to the value it describes (no object or array lies
 * in between), so it is dropped: from a union as `never`, from an intersection as `unknown`.
 */
export function breakAliasCycles(named: readonly NamedType[]): void {
  const state = new Map<NamedType, 'open' | 'done'>();
  for (const start of named) {
    if (state.has(start)) continue;
    const stack: { type: NamedType; targets: NamedType[] }[] = [];
    const enter = (type: NamedType) => {
      state.set(type, 'open');
      stack.push({ type, targets: directTargets(type.type) });
    };
    enter(start);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const target = top.targets.pop();
      if (target === undefined) {
        state.set(top.type, 'done');
        stack.pop();
      } else if (state.get(target) === 'open') {
        top.type.type = top.type.type && withoutDirect(top.type.type, target, UNKNOWN);
      } else if (!state.has(target)) enter(target);
    }
  }
}

/** Named types reached without passing an object, array or tuple. */
function directTargets(type: TypeNode | undefined): NamedType[] {
  if (type === undefined) return [];
  if (type.kind === 'reference') return [type.target];
  return type.kind === 'union' || type.kind === 'intersection' ? type.members.flatMap(directTargets) : [];
}

function withoutDirect(type: TypeNode, target: NamedType, neutral: TypeNode): TypeNode {
  if (type.kind === 'reference') return type.target === target ? neutral : type;
  if (type.kind === 'union') {
    const union = unionOf(type.members.map((member) => withoutDirect(member, target, NEVER)));
    return { ...union, doc: type.doc ?? union.doc };
  }
  if (type.kind === 'intersection') {
    const intersection = intersectionOf(type.members.map((member) => withoutDirect(member, target, UNKNOWN)));
    return { ...intersection, doc: type.doc ?? intersection.doc };
  }
  return type;
}
