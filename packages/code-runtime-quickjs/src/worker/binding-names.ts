// A namespace's names as the worker keeps them: answers what the guest asks at first access, from the table's text.
import type { BindingShape } from '@codeseam/code-runtime';
import { nearestNames } from '@codeseam/nearest-names';

type Node = BindingShape;
type RecordNode = Extract<BindingShape, { o: unknown }>;

/** One namespace's table, read once for all runs that have it. */
export class BindingNames {
  readonly #root: Node;
  readonly #index = new WeakMap<RecordNode, Map<string, Node>>();
  readonly #spellings = new WeakMap<RecordNode, Map<string, string>>();

  /** `text` is a `BindingTable.text`. */
  constructor(text: string) {
    this.#root = JSON.parse(text) as Node;
  }

  /** What is at a path: `f`, `d` and JSON text, `o`, `a` and a length, `>` and the name that a spelling means, or nothing. */
  member(path: readonly string[]): string {
    const node = this.#find(path);
    if (node === undefined) return this.#spelling(path);
    if (node === 0) return 'f';
    if ('d' in node) return `d${JSON.stringify(node.d)}`;
    return 'o' in node ? 'o' : `a${node.a.length}`;
  }

  /** The names of the record at a path. */
  names(path: readonly string[]): string[] {
    const node = this.#find(path);
    return node && typeof node === 'object' && 'o' in node ? node.o.map(([name]) => name) : [];
  }

  /** Says that the last step of a path is no member, with up to three that are near. */
  unknownMember(global: string, path: readonly string[]): string {
    const owner = path.slice(0, -1);
    const name = path[path.length - 1] ?? '';
    const near = nearestNames(name, this.names(owner), 3);
    const hint = near.length === 0 ? '' : `; did you mean ${near.map((it) => JSON.stringify(it)).join(', ')}?`;
    return `${[global, ...owner].join('.')} has no member ${JSON.stringify(name.slice(0, 200))}${hint}`;
  }

  #spelling(path: readonly string[]): string {
    const owner = this.#find(path.slice(0, -1));
    if (!owner || !('o' in owner) || !owner.s) return '';
    let spellings = this.#spellings.get(owner);
    if (!spellings) {
      spellings = new Map(owner.s);
      this.#spellings.set(owner, spellings);
    }
    const name = spellings.get(path[path.length - 1]!);
    return name === undefined ? '' : `>${name}`;
  }

  #find(path: readonly string[]): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const step of path) {
      if (typeof node !== 'object' || node === null) return undefined;
      if ('o' in node) node = this.#entries(node).get(step);
      else if ('a' in node) node = node.a[Number(step)];
      else return undefined;
    }
    return node;
  }

  #entries(node: RecordNode): Map<string, Node> {
    let entries = this.#index.get(node);
    if (!entries) {
      entries = new Map(node.o);
      this.#index.set(node, entries);
    }
    return entries;
  }
}
