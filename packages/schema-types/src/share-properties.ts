// Groups of properties that many schemas have in common, such as the connection options of every tool of one server.

import type { TypeTree } from './build-tree.ts';
import type { Steps } from './steps.ts';
import { type NamedType, type ObjectNode, OPEN_OBJECT, type PropertyNode, type TypeNode } from './type-tree.ts';

/** A group has at least this many properties, in at least this many roots. */
const MIN_PROPERTIES = 3;
const MIN_ROOTS = 3;
/** Characters that a group must save; a few short properties are better seen where they are used. */
const MIN_SAVED_CHARS = 1_500;

/**
 * Takes properties that stand together in the roots of several trees out into one named object, so that a root becomes `{ … } & Common`. Properties belong to a
 * group if they are printed the same, comments included, and stand in exactly the same roots.
 */
export function* shareProperties(
  trees: readonly TypeTree[],
  textOf: (property: PropertyNode) => string,
): Steps<{ trees: TypeTree[]; groups: NamedType[] }> {
  const groupOf = new Map<string, NamedType>();
  const groups: NamedType[] = [];
  for (const { properties, texts } of yield* findGroups(trees, textOf)) {
    const type: ObjectNode = { kind: 'object', properties, patterns: [], rest: undefined };
    const group: NamedType = { id: GROUP_IDS - groups.length, words: 'Common', name: '', type };
    groups.push(group);
    for (const text of texts) groupOf.set(text, group);
  }
  if (groups.length === 0) return { trees: [...trees], groups };
  const rewritten: TypeTree[] = [];
  for (const tree of trees) {
    rewritten.push({ ...tree, root: withoutGroups(tree.root, groupOf, textOf) });
    yield;
  }
  return { trees: rewritten, groups };
}

/** Ids of groups lie apart from those of shared types. */
const GROUP_IDS = -1_000_000;

interface Group {
  properties: PropertyNode[];
  texts: string[];
  roots: number;
  /** Rough length of the properties printed once. */
  chars: number;
}

function* findGroups(trees: readonly TypeTree[], textOf: (property: PropertyNode) => string): Steps<Group[]> {
  const roots = new Map<string, { property: PropertyNode; roots: number[] }>();
  for (const [index, { root }] of trees.entries()) {
    if (!canBeSplit(root)) continue;
    yield;
    for (const property of root.properties) {
      const text = textOf(property);
      const known = roots.get(text);
      if (known === undefined) roots.set(text, { property, roots: [index] });
      else known.roots.push(index);
    }
  }
  const bySignature = new Map<string, Group>();
  for (const [text, { property, roots: places }] of roots) {
    yield;
    if (places.length < MIN_ROOTS) continue;
    const signature = places.join();
    const group = bySignature.get(signature) ?? { properties: [], texts: [], roots: places.length, chars: 0 };
    bySignature.set(signature, group);
    group.properties.push(property);
    group.texts.push(text);
    group.chars += property.key.length + 12 + (property.type.doc?.description?.length ?? 0);
  }
  return [...bySignature.values()].filter(
    (group) => group.properties.length >= MIN_PROPERTIES && (group.roots - 1) * group.chars >= MIN_SAVED_CHARS,
  );
}

function canBeSplit(root: TypeNode): root is ObjectNode {
  return (
    root.kind === 'object' && root.patterns.length === 0 && (root.rest === undefined || root.rest.kind === 'unknown')
  );
}

function withoutGroups(
  root: TypeNode,
  groupOf: ReadonlyMap<string, NamedType>,
  textOf: (property: PropertyNode) => string,
): TypeNode {
  if (!canBeSplit(root)) return root;
  const own: PropertyNode[] = [];
  const groups = new Set<NamedType>();
  for (const property of root.properties) {
    const group = groupOf.get(textOf(property));
    if (group === undefined) own.push(property);
    else groups.add(group);
  }
  if (groups.size === 0) return root;
  const references = [...groups].map((target): TypeNode => ({ kind: 'reference', target }));
  if (own.length > 0)
    return {
      kind: 'intersection',
      members: [{ ...root, properties: own, doc: undefined }, ...references],
      doc: root.doc,
    };
  const members = root.rest === undefined ? references : [...references, OPEN_OBJECT];
  return members.length === 1 ? { ...members[0]!, doc: root.doc } : { kind: 'intersection', members, doc: root.doc };
}
