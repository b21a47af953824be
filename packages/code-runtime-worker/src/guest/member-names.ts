// A namespace's members, answered from its table in the thread; the table is read when it is first asked.
import type { BindingShape } from '@codeseam/code-runtime';
import { stringifyJson } from '@codeseam/lossless-json';
import { nearestNames } from '@codeseam/nearest-names';
import { mapGet, mapSet, nativeParse, nativeStringify, RealMap } from './intrinsics.ts';

type Members = Map<string, Node>;
type Node =
  | 'f'
  | { readonly data: string }
  | { readonly members: Members; readonly names: string[]; readonly spellings: Map<string, string> }
  | { readonly items: Node[] };

export class MemberNames {
  readonly #text: string;
  #root: Node | undefined;

  /** @param text a `BindingTable.text`. */
  constructor(text: string) {
    this.#text = text;
  }

  /** What is at a path, as a namespace's source says it. */
  member(path: string): string {
    const node = this.#find(nativeParse(path) as string[]);
    if (node === undefined) return this.#spelling(nativeParse(path) as string[]);
    if (node === 'f') return node;
    if ('data' in node) return `d${node.data}`;
    return 'members' in node ? 'o' : `a${node.items.length}`;
  }

  /** The names of the record at a path, as a JSON array. */
  names(path: string): string {
    return stringifyJson(this.#namesAt(nativeParse(path) as string[]));
  }

  /** Says that the last step of a path is no member, with up to three that are near. */
  unknownMember(global: string, pathText: string): string {
    const path = nativeParse(pathText) as string[];
    const name = path[path.length - 1] ?? '';
    path.length -= 1;
    let owner = global;
    for (let index = 0; index < path.length; index++) owner += `.${path[index]}`;
    return `${owner} has no member ${nativeStringify(name)}${nearHint(name, this.#namesAt(path))}`;
  }

  /** `>` and the name that the last step of a path is another spelling of. */
  #spelling(path: string[]): string {
    const step = path[path.length - 1];
    if (step === undefined) return '';
    path.length -= 1;
    const owner = this.#find(path);
    if (owner === undefined || owner === 'f' || !('spellings' in owner)) return '';
    const name = mapGet(owner.spellings, step);
    return name === undefined ? '' : `>${name}`;
  }

  #namesAt(path: string[]): string[] {
    const node = this.#find(path);
    return node !== undefined && node !== 'f' && 'names' in node ? node.names : [];
  }

  #find(path: string[]): Node | undefined {
    this.#root ??= readShape(nativeParse(this.#text) as BindingShape);
    let node: Node | undefined = this.#root;
    for (let index = 0; index < path.length; index++) {
      const step = path[index]!;
      if (node === undefined || node === 'f' || 'data' in node) return undefined;
      node = 'members' in node ? mapGet(node.members, step) : node.items[+step];
    }
    return node;
  }
}

function readShape(shape: BindingShape): Node {
  if (shape === 0) return 'f';
  if ('d' in shape) return { data: stringifyJson(shape.d) };
  if ('a' in shape) {
    const items: Node[] = [];
    for (let index = 0; index < shape.a.length; index++) items[index] = readShape(shape.a[index]!);
    return { items };
  }
  const members: Members = new RealMap();
  const names: string[] = [];
  for (let index = 0; index < shape.o.length; index++) {
    const entry = shape.o[index]!;
    names[index] = entry[0];
    mapSet(members, entry[0], readShape(entry[1]));
  }
  const spellings: Map<string, string> = new RealMap();
  const given = shape.s ?? [];
  for (let index = 0; index < given.length; index++) mapSet(spellings, given[index]![0], given[index]![1]);
  return { members, names, spellings };
}

/** The search for near names is not worth failing for: it uses built-ins that the program may have broken. */
function nearHint(name: string, names: string[]): string {
  try {
    const near = nearestNames(name, names, 3);
    return near.length === 0 ? '' : `; did you mean ${near.map((it) => nativeStringify(it)).join(', ')}?`;
  } catch {
    return '';
  }
}
