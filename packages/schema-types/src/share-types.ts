// Types that several schemas have in common, declared once.

import type { TypeTree } from './build-tree.ts';
import { shareProperties } from './share-properties.ts';
import type { Steps } from './steps.ts';
import { type Doc, mapChildTypes, type NamedType, type PropertyNode, type TypeNode } from './type-tree.ts';

/** Rough length of a name where it is used, and of what a declaration adds around its type. */
const NAME_CHARS = 10;
const DECLARATION_CHARS = 12;
/** Objects and unions that are shorter stay where they are, and so do all other types, unless they are documented at such length. */
const MIN_CHARS = 30;
const LONG_DOC_CHARS = 200;

/** Types looked at between two yields. */
const TYPES_PER_STEP = 100;

/** A type or a documented type, all equal ones together. */
interface Unique {
  id: number;
  /** One of them; for a bare type, without its doc comment. */
  type: TypeNode;
  /** Set for a documented type: the same without its comment. */
  bare: Unique | undefined;
  children: readonly Unique[];
  /** Places it stands in, equal parents counted once. */
  uses: number;
  /** Rough length of its printed form. */
  chars: number;
  /** The property it was first found under. */
  key: string;
  shared: NamedType | undefined;
  /** True if it is shared or a shared type is inside it. */
  holdsShared: boolean;
}

/**
 * Types that stand in more than one place, with the same doc comment or with different ones, become named types where that makes the whole
 * shorter. The roots stay as they are. Two types are the same if they are printed the same, comments inside them included.
 */
export function* shareTypes(ungrouped: readonly TypeTree[]): Steps<{ trees: TypeTree[]; shared: NamedType[] }> {
  const table = new UniqueTypes();
  const { trees, groups } = yield* shareProperties(ungrouped, (property) => table.textOf(property));
  for (const group of groups) table.addChildren(group.type!);
  for (const tree of trees) {
    table.addChildren(tree.root);
    for (const named of tree.named) if (named.type !== undefined) table.addChildren(named.type);
    yield;
  }
  const shared = yield* table.pickShared();
  const rewritten: TypeTree[] = [];
  for (const tree of trees) {
    for (const named of tree.named) named.type = named.type && table.rewriteInside(named.type);
    rewritten.push({ ...tree, root: table.rewriteInside(tree.root) });
    yield;
  }
  for (const group of groups) group.type = table.rewriteInside(group.type!);
  return { trees: rewritten, shared: [...shared, ...groups] };
}

class UniqueTypes {
  private readonly all: Unique[] = [];
  private readonly bareByText = new Map<string, Unique>();
  private readonly documented = new Map<Unique, Map<string, Unique>>();
  private readonly ofType = new Map<TypeNode, Unique>();
  private readonly namedIds = new Map<NamedType, number>();
  private readonly replaced = new Map<Unique, TypeNode>();

  /** Counts the types inside a type that itself stays where it is, and so do the members of an intersection. */
  addChildren(type: TypeNode): void {
    if (type.kind === 'intersection') {
      for (const member of type.members) this.addChildren(member);
      return;
    }
    const children = new Set<Unique>();
    describe(type, '', this.namedId, (inner, key) => {
      const unique = this.intern(inner, key);
      children.add(unique);
      return unique.id;
    });
    for (const unique of children) unique.uses++;
  }

  /** Equal for properties that are printed alike, comments included. */
  textOf({ key, optional, type }: PropertyNode): string {
    return `${JSON.stringify(key)}${optional ? '?' : ''}${this.intern(type, key).id}`;
  }

  /** The one that stands for a type, its own doc comment included. */
  private intern(type: TypeNode, key: string): Unique {
    const known = this.ofType.get(type);
    if (known !== undefined) return known;
    const bare = this.internBare(type, key);
    const unique = type.doc === undefined ? bare : this.internDocumented(type, type.doc, bare, key);
    this.ofType.set(type, unique);
    return unique;
  }

  private internBare(type: TypeNode, key: string): Unique {
    const children: Unique[] = [];
    const text = describe(type, key, this.namedId, (inner, under) => {
      const child = this.intern(inner, under);
      children.push(child);
      return child.id;
    });
    const known = this.bareByText.get(text);
    if (known !== undefined) return known;
    const chars = children.reduce((sum, child) => sum + child.chars, printedChars(type));
    const plain = type.doc === undefined ? type : { ...type, doc: undefined };
    const unique = this.enter({ type: plain, bare: undefined, children, chars, key });
    this.bareByText.set(text, unique);
    return unique;
  }

  private internDocumented(type: TypeNode, doc: Doc, bare: Unique, key: string): Unique {
    const byDoc = this.documented.get(bare) ?? new Map<string, Unique>();
    this.documented.set(bare, byDoc);
    const text =
      doc.tags.length === 0 ? (doc.description ?? '') : `${doc.description ?? ''}\n@${JSON.stringify(doc.tags)}`;
    const known = byDoc.get(text);
    if (known !== undefined) return known;
    const unique = this.enter({ type, bare, children: [bare], chars: bare.chars + docChars(doc), key });
    byDoc.set(text, unique);
    return unique;
  }

  private enter(start: Pick<Unique, 'type' | 'bare' | 'children' | 'chars' | 'key'>): Unique {
    const unique: Unique = { ...start, id: this.all.length, uses: 0, shared: undefined, holdsShared: false };
    this.all.push(unique);
    for (const child of unique.children) child.uses++;
    return unique;
  }

  private readonly namedId = (named: NamedType): number => {
    const known = this.namedIds.get(named) ?? this.namedIds.size;
    this.namedIds.set(named, known);
    return known;
  };

  *pickShared(): Steps<NamedType[]> {
    const picked: Unique[] = [];
    // What is inside a type comes before it, and a bare type before what is documented with it.
    for (const [at, unique] of this.all.entries()) {
      if (at % TYPES_PER_STEP === 0) yield;
      if (isWorthSharing(unique)) {
        picked.push(unique);
        unique.shared = { id: -picked.length, words: unique.key, name: '', type: undefined };
      }
      unique.holdsShared = unique.shared !== undefined || unique.children.some((child) => child.holdsShared);
    }
    const named: NamedType[] = [];
    for (const unique of picked) {
      const shared = unique.shared!;
      const inner = unique.bare === undefined ? this.rewrite(unique.type) : this.replace(unique.bare);
      shared.type = { ...inner, doc: unique.type.doc };
      named.push(shared);
      yield;
    }
    return named;
  }

  /** What `addChildren` counted, with references to shared types. */
  rewriteInside(type: TypeNode): TypeNode {
    if (type.kind === 'intersection') return mapChildTypes(type, (member) => this.rewriteInside(member));
    return this.rewrite(type);
  }

  private rewrite(type: TypeNode): TypeNode {
    return mapChildTypes(type, (child) => {
      const unique = this.ofType.get(child)!;
      return unique.holdsShared ? this.replace(unique) : child;
    });
  }

  private replace(unique: Unique): TypeNode {
    const known = this.replaced.get(unique);
    if (known !== undefined) return known;
    let type: TypeNode;
    if (unique.shared !== undefined) type = { kind: 'reference', target: unique.shared };
    else if (unique.bare !== undefined) type = { ...this.replace(unique.bare), doc: unique.type.doc };
    else type = this.rewrite(unique.type);
    this.replaced.set(unique, type);
    return type;
  }
}

function isWorthSharing({ type, bare, uses, chars }: Unique): boolean {
  if (uses < 2 || (uses - 1) * chars <= uses * NAME_CHARS + DECLARATION_CHARS) return false;
  if (docChars(type.doc) >= LONG_DOC_CHARS) return true;
  const isLarge =
    type.kind === 'object' ? type.properties.length > 0 : type.kind === 'union' && type.members.length > 2;
  return isLarge && chars >= MIN_CHARS && bare?.shared === undefined;
}

function docChars(doc: Doc | undefined): number {
  if (doc === undefined) return 0;
  return (
    8 + (doc.description?.length ?? 0) + doc.tags.reduce((sum, [name, text]) => sum + name.length + text.length + 2, 0)
  );
}

/** Length of what a type prints around the types inside it. */
function printedChars(type: TypeNode): number {
  switch (type.kind) {
    case 'literal':
      return String(type.value).length + 3;
    case 'object':
      return type.properties.reduce((sum, property) => sum + property.key.length + 4, 8);
    case 'union':
    case 'intersection':
      return 3 * type.members.length;
    default:
      return 6;
  }
}

/** A text that is equal for types that are printed alike, own comment apart, with the types inside it as `child` gives them. */
function describe(
  type: TypeNode,
  key: string,
  namedId: (named: NamedType) => number,
  child: (inner: TypeNode, key: string) => number,
): string {
  switch (type.kind) {
    case 'literal':
      return JSON.stringify(type.value);
    case 'array':
      return `[${child(type.items, key)}]`;
    case 'tuple': {
      const places = type.items.map((item) => `${child(item.type, key)}${item.optional ? '?' : ''}`);
      return `tuple ${places.join()} ${type.rest ? child(type.rest, key) : ''}`;
    }
    case 'object': {
      const properties = type.properties.map(
        (item) => `${JSON.stringify(item.key)}${item.optional ? '?' : ''}${child(item.type, item.key)}`,
      );
      const patterns = type.patterns.map(
        (item) => `${JSON.stringify([item.prefix, item.suffix])}${child(item.type, key)}`,
      );
      return `{${properties.join()};${patterns.join()};${type.rest ? child(type.rest, key) : ''}}`;
    }
    case 'union':
    case 'intersection':
      return `${type.kind} ${type.members.map((item) => child(item, key)).join()}`;
    case 'reference':
      return `reference ${namedId(type.target)}`;
    default:
      return type.kind;
  }
}
