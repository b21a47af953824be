// What a namespace has, answered from the text of its table: read when it is first asked, and record by record.
import { stringifyJson } from '@codeseam/lossless-json';
import { nearestNames } from '@codeseam/nearest-names';
import type { BindingShape } from '../binding-table.ts';
import { define, hasOwn, mapGet, mapSet, nativeParse, nativeStringify, RealMap, slice } from './intrinsics.ts';

const LONGEST_SHOWN = 200;

type RecordShape = Extract<BindingShape, { o: unknown }>;

/** A record's members and spellings by name. */
interface RecordIndex {
  readonly members: Map<string, BindingShape>;
  readonly spellings: Map<string, string>;
  readonly names: string[];
}

/** One namespace's table. Paths, kinds and lists of names are those of a `NamespaceSource`. */
export class MemberNames {
  readonly #text: string;
  readonly #records = new RealMap<RecordShape, RecordIndex>();
  #root: BindingShape | undefined;

  /** @param text a `BindingTable.text`. */
  constructor(text: string) {
    this.#text = text;
  }

  /** What is at a path. */
  member(pathText: string): string {
    const path = nativeParse(pathText) as string[];
    const shape = this.#find(path, path.length);
    if (shape === undefined) return this.#spelling(path);
    if (shape === 0) return 'f';
    if (hasOwn(shape, 'd')) return `d${stringifyJson((shape as { d: never }).d)}`;
    return isRecord(shape) ? 'o' : `a${(shape as { a: unknown[] }).a.length}`;
  }

  /** The names of the record at a path, as a JSON array. */
  names(pathText: string): string {
    const path = nativeParse(pathText) as string[];
    return stringifyJson(this.#namesAt(path, path.length));
  }

  /** Says that the last step of a path is no member, with up to three that are near. */
  unknownMember(global: string, pathText: string): string {
    const path = nativeParse(pathText) as string[];
    const last = path.length - 1;
    const name = path[last] ?? '';
    let owner = global;
    for (let index = 0; index < last; index++) owner += `.${path[index]}`;
    const shown = nativeStringify(slice(name, 0, LONGEST_SHOWN));
    return `${owner} has no member ${shown}${nearHint(name, this.#namesAt(path, last))}`;
  }

  /** `>` and the name that the last step of a path is another spelling of. */
  #spelling(path: readonly string[]): string {
    const step = path[path.length - 1];
    const owner = step === undefined ? undefined : this.#find(path, path.length - 1);
    const name = owner !== undefined && isRecord(owner) ? mapGet(this.#index(owner).spellings, step!) : undefined;
    return name === undefined ? '' : `>${name}`;
  }

  #namesAt(path: readonly string[], steps: number): string[] {
    const shape = this.#find(path, steps);
    return shape !== undefined && isRecord(shape) ? this.#index(shape).names : [];
  }

  /** What the first steps of a path lead to. */
  #find(path: readonly string[], steps: number): BindingShape | undefined {
    this.#root ??= nativeParse(this.#text) as BindingShape;
    let shape: BindingShape | undefined = this.#root;
    for (let index = 0; index < steps; index++) {
      const step = path[index]!;
      if (shape === undefined || shape === 0) return undefined;
      if (isRecord(shape)) shape = mapGet(this.#index(shape).members, step);
      else if (hasOwn(shape, 'a')) shape = itemAt((shape as { a: BindingShape[] }).a, step);
      else return undefined;
    }
    return shape;
  }

  #index(record: RecordShape): RecordIndex {
    const known = mapGet(this.#records, record);
    if (known) return known;
    const index: RecordIndex = { members: new RealMap(), spellings: new RealMap(), names: [] };
    for (let at = 0; at < record.o.length; at++) {
      const entry = record.o[at]!;
      define(index.names, at, entry[0]);
      mapSet(index.members, entry[0], entry[1]);
    }
    const spellings = hasOwn(record, 's') ? record.s! : [];
    for (let at = 0; at < spellings.length; at++) mapSet(index.spellings, spellings[at]![0], spellings[at]![1]);
    mapSet(this.#records, record, index);
    return index;
  }
}

// A program may put anything on the prototypes of what was parsed, so only own properties say what a shape is.

function isRecord(shape: BindingShape): shape is RecordShape {
  return shape !== 0 && hasOwn(shape, 'o');
}

function itemAt(items: readonly BindingShape[], step: string): BindingShape | undefined {
  return step !== 'length' && hasOwn(items, step) ? items[step as unknown as number] : undefined;
}

/** The search for near names is not worth failing for: it uses built-ins that the program may have broken. */
function nearHint(name: string, names: string[]): string {
  try {
    const near = nearestNames(name, names, 3);
    let list = '';
    for (let index = 0; index < near.length; index++)
      list += `${index === 0 ? '' : ', '}${nativeStringify(near[index])}`;
    return list === '' ? '' : `; did you mean ${list}?`;
  } catch {
    return '';
  }
}
