// Types that several schemas have in common, declared once.

import type { TypeTree } from './build-tree.ts';
import { shareProperties } from './share-properties.ts';
import { type Doc, mapChildTypes, type NamedType, type PropertyNode, type TypeNode } from './type-tree.ts';

/** Rough length of a name where it is used, and of what a declaration adds around its type. */
const NAME_CHARS = 10;
const DECLARATION_CHARS = 12;
/** Objects and unions that are shorter stay where they are, and so do all other types. */
const MIN_CHARS = 30;

/** A type or a documented type, all equal ones together. */
interface Unique {
  type: TypeNode;
  /** Set for a documented type: the same without its comment. */
  bare: Unique | undefined;
  /** Places it stands in, equal parents counted once. */
  uses: number;
  /** Rough length of its printed form. */
  chars: number;
  /** The property it was first found under. */
  key: string;
  shared: NamedType | undefined;
}

/**
 * Types that stand in more than one place, with the same doc comment or with different ones, become named types where that makes the whole
 * shorter. The roots stay as they are. Two types are the same if they are printed the same, comments inside them included.
 */
export function shareTypes(ungrouped: readonly TypeTree[]): { trees: TypeTree[]; shared: NamedType[] } {
  const table = new UniqueTypes();
  const { trees, groups } = shareProperties(ungrouped, (property) => table.textOf(property));
  for (const group of groups) table.addChildren(group.type!);
  for (const tree of trees) {
    table.addChildren(tree.root);
    for (const named of tree.named) if (named.type !== undefined) table.addChildren(named.type);
  }
  const shared = table.pickShared();
  const rewritten = trees.map((tree) => {
    for (const named of tree.named) named.type = named.type && table.rewriteInside(named.type);
    return { ...tree, root: table.rewriteInside(tree.root) };
  });
  for (const group of groups) group.type = table.rewriteInside(group.type!);
  return { trees: rewritten, shared: [...shared, ...groups] };
}

class UniqueTypes {
  private readonly ids = new Map<string, number>();
  private readonly uniques: Unique[] = [];
  private readonly ofType = new Map<TypeNode, Unique>();
  private readonly namedIds = new Map<NamedType, number>();
  private readonly replaced = new Map<Unique, TypeNode>();

  /** Counts the types inside a type that itself stays where it is, and so do the members of an intersection. */
  addChildren(type: TypeNode): void {
    if (type.kind === 'intersection') {
      for (const member of type.members) this.addChildren(member);
      return;
    }
    const children = new Set<number>();
    describe(type, '', this.namedId, (inner, key) => {
      children.add(this.intern(inner, key));
      return '';
    });
    for (const id of children) this.uniques[id]!.uses++;
  }

  /** Equal for properties that are printed alike, comments included. */
  textOf({ key, optional, type }: PropertyNode): string {
    return `${JSON.stringify(key)}${optional ? '?' : ''}${this.intern(type, key)}`;
  }

  /** The number of a type, its own doc comment included. */
  private intern(type: TypeNode, key: string): number {
    const children: number[] = [];
    let chars = 0;
    const text = describe(type, key, this.namedId, (inner, under) => {
      const id = this.intern(inner, under);
      children.push(id);
      chars += this.uniques[id]!.chars;
      return `${id}.`;
    });
    const bareId = this.enter(
      text,
      {
        type: type.doc === undefined ? type : { ...type, doc: undefined },
        bare: undefined,
        chars: chars + printedChars(type),
        key,
      },
      children,
    );
    const doc = type.doc === undefined ? '' : docKey(type.doc);
    const bare = this.uniques[bareId]!;
    const id =
      doc === ''
        ? bareId
        : this.enter(`${bareId}${doc}`, { type, bare, chars: bare.chars + docChars(type.doc), key }, [bareId]);
    this.ofType.set(type, this.uniques[id]!);
    return id;
  }

  private enter(text: string, unique: Omit<Unique, 'uses' | 'shared'>, children: readonly number[]): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = this.uniques.length;
    this.ids.set(text, id);
    this.uniques.push({ ...unique, uses: 0, shared: undefined });
    for (const child of children) this.uniques[child]!.uses++;
    return id;
  }

  private readonly namedId = (named: NamedType): number => {
    const known = this.namedIds.get(named) ?? this.namedIds.size;
    this.namedIds.set(named, known);
    return known;
  };

  pickShared(): NamedType[] {
    const picked = this.uniques.filter(isWorthSharing);
    for (const [index, unique] of picked.entries())
      unique.shared = { id: -1 - index, words: unique.key, name: '', type: undefined };
    return picked.map((unique) => {
      const shared = unique.shared!;
      const inner = unique.bare === undefined ? this.rewrite(unique.type) : this.replace(unique.bare);
      shared.type = { ...inner, doc: unique.type.doc };
      return shared;
    });
  }

  /** What `addChildren` counted, with references to shared types. */
  rewriteInside(type: TypeNode): TypeNode {
    return type.kind === 'intersection'
      ? mapChildTypes(type, (member) => this.rewriteInside(member))
      : this.rewrite(type);
  }

  private rewrite(type: TypeNode): TypeNode {
    return mapChildTypes(type, (child) => this.replace(this.ofType.get(child)!));
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
  const isLarge =
    type.kind === 'object' ? type.properties.length > 0 : type.kind === 'union' && type.members.length > 2;
  if (!isLarge || uses < 2 || bare?.shared !== undefined) return false;
  return chars >= MIN_CHARS && (uses - 1) * chars > uses * NAME_CHARS + DECLARATION_CHARS;
}

/** Equal for equal docs. */
function docKey(doc: Doc): string {
  return `/${doc.description ?? ''}/${doc.tags.length === 0 ? '' : JSON.stringify(doc.tags)}`;
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
  child: (inner: TypeNode, key: string) => string,
): string {
  switch (type.kind) {
    case 'literal':
      return JSON.stringify(type.value);
    case 'array':
      return `[${child(type.items, key)}]`;
    case 'tuple': {
      const places = type.items.map((item) => child(item.type, key) + (item.optional ? '?' : ''));
      return `tuple ${places.join()} ${type.rest ? child(type.rest, key) : ''}`;
    }
    case 'object': {
      const properties = type.properties.map(
        (item) => `${JSON.stringify(item.key)}${item.optional ? '?' : ''}${child(item.type, item.key)}`,
      );
      const patterns = type.patterns.map((item) => JSON.stringify([item.prefix, item.suffix]) + child(item.type, key));
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
