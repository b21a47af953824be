// Intersections of unions, kept to a size that TypeScript takes.

import { mapChildTypes, type NamedType, type TypeNode, UNKNOWN } from './type-tree.ts';

/** Members that TypeScript may have to make of one intersection; it gives up at 100,000. */
const MAX_PRODUCT = 2_000;
/** References followed in a row when widths are counted; what lies beyond is taken to be this wide. */
const MAX_DEPTH = 100;
const WIDE = 100;

/**
 * TypeScript multiplies out `(A | B) & (C | D)`. Where that would be too large, the widest unions are left out of the intersection, which accepts
 * more and is then not exact. Changes the named types in place.
 */
export function boundIntersections(root: TypeNode, named: readonly NamedType[]): { root: TypeNode; exact: boolean } {
  const widths = new WidthTable();
  let exact = true;
  const bound = (type: TypeNode): TypeNode => {
    const inner = mapChildTypes(type, bound);
    if (inner.kind !== 'intersection') return inner;
    const members = widths.fitting(inner.members, MAX_PRODUCT);
    if (members.length < inner.members.length) exact = false;
    if (members.length === 0) return { ...UNKNOWN, doc: inner.doc };
    return members.length === 1 && inner.doc === undefined ? members[0]! : { ...inner, members };
  };
  for (const item of named) item.type = item.type && bound(item.type);
  return { root: bound(root), exact };
}

class WidthTable {
  private readonly known = new Map<NamedType, number>();

  /** The narrowest members whose product stays within `limit`, in their old order. */
  fitting(members: readonly TypeNode[], limit: number): TypeNode[] {
    const kept = new Set<TypeNode>();
    let product = 1;
    const byWidth = members
      .map((member) => ({ member, width: this.width(member, 0) }))
      .sort((a, b) => a.width - b.width);
    for (const { member, width } of byWidth) {
      if (product * width > limit) break;
      product *= width;
      kept.add(member);
    }
    return members.filter((member) => kept.has(member));
  }

  /** Members of the union that a type is once its intersections are multiplied out. Literals count together as one. */
  private width(type: TypeNode, depth: number): number {
    if (depth > MAX_DEPTH) return WIDE;
    if (type.kind === 'union') {
      const wide = type.members.filter((member) => member.kind !== 'literal');
      const literals = wide.length < type.members.length ? 1 : 0;
      return wide.reduce((sum, member) => sum + this.width(member, depth + 1), literals);
    }
    if (type.kind === 'intersection')
      return type.members.reduce((product, member) => product * this.width(member, depth + 1), 1);
    return type.kind === 'reference' ? this.widthOf(type.target, depth) : 1;
  }

  private widthOf(target: NamedType, depth: number): number {
    const known = this.known.get(target);
    if (known !== undefined) return known;
    this.known.set(target, 1);
    const width = target.type === undefined ? 1 : this.width(target.type, depth + 1);
    this.known.set(target, width);
    return width;
  }
}
