// A request's bindings as a table: JSON text that describes their shape for the guest, and the functions for the host.
import { createHash } from 'node:crypto';
import { type JsonValue, stringifyJson, toLosslessJson } from '@codeseam/lossless-json';
import { CodeRuntimeError } from './errors.ts';
import type { CodeBindingFunction, CodeBindingNamespace } from './types.ts';

/**
 * One node of the shape that the guest builds its members from:
 * `0` is a host function, `{ d }` is JSON data, `{ o }` a record and `{ a }` an array that hold functions somewhere.
 * Record entries are pairs, so that a member named `__proto__` is one like any other. `s` are other spellings of members: who
 * asks for one gets the member, and nobody sees it among the names.
 */
export type BindingShape =
  | 0
  | { d: JsonValue }
  | { o: [name: string, shape: BindingShape][]; s?: [spelling: string, name: string][] }
  | { a: BindingShape[] };

/** The bindings of one namespace, checked. */
export interface BindingTable {
  /** Of `text`; equal tables of different runs have equal hashes. */
  readonly hash: string;
  /** `BindingShape` of the whole namespace as JSON text. */
  readonly text: string;
  /** The host function at a path of member names and array indices, or `undefined`. Own members only. */
  find(path: readonly string[]): CodeBindingFunction | undefined;
}

const known = new WeakMap<object, BindingTable>();

/**
 * Checks the functions of a namespace and gives their table. A member that is not enumerable must be the value of one that
 * is: it is another spelling of that one.
 *
 * A record or array that is frozen all through is checked once and then known by identity, wherever it stands, so that a
 * catalog of thousands of members costs a run nothing, and can be read part by part; any other is checked at each run.
 *
 * @throws CodeRuntimeError `invalid-binding`, with the path of what is not a function, JSON, or a nest of them.
 */
export function bindingTable(namespace: CodeBindingNamespace): BindingTable {
  const functions: unknown = namespace.functions;
  const cached = typeof functions === 'object' && functions !== null ? known.get(functions) : undefined;
  if (cached) return cached;
  const root = new BindingReader(namespace.global).readRoot(functions);
  const table: BindingTable = {
    hash: createHash('sha256').update(root.text).digest('base64url'),
    text: root.text,
    find: (path) => findFunction(root.functions, path),
  };
  if (root.isFrozen) known.set(functions as object, table);
  return table;
}

/** Functions by member; a nested record or array is a map of its own. */
type FunctionTree = Map<string, CodeBindingFunction | FunctionTree>;

function findFunction(tree: FunctionTree, path: readonly string[]): CodeBindingFunction | undefined {
  let node: CodeBindingFunction | FunctionTree | undefined = tree;
  for (const member of path) {
    if (!(node instanceof Map)) return undefined;
    node = node.get(member);
  }
  return typeof node === 'function' ? node : undefined;
}

/** A record or array that was read. */
interface Part {
  /** Its `BindingShape` as JSON text. */
  readonly text: string;
  readonly functions: FunctionTree;
  /** Levels of records and arrays below it. */
  readonly height: number;
  /** Whether it is frozen all through. */
  readonly isFrozen: boolean;
}

/** Parts that hold functions and are frozen all through. */
const knownParts = new WeakMap<object, Part>();

const MAX_DEPTH = 100;
const MAX_DATA_BYTES = 64 * 1024 * 1024;

class BindingReader {
  readonly #global: string;
  readonly #path: string[] = [];
  readonly #open = new Set<object>();

  constructor(global: string) {
    this.#global = global;
  }

  readRoot(value: unknown): Part {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.#refuse('functions must be a record of members');
    }
    return this.#readPart(value);
  }

  #readPart(value: object): Part {
    const cached = knownParts.get(value);
    if (cached) {
      if (this.#path.length + cached.height > MAX_DEPTH) throw this.#tooDeep();
      return cached;
    }
    if (this.#path.length > MAX_DEPTH) throw this.#tooDeep();
    if (this.#open.has(value)) throw this.#refuse('bindings must not hold a cycle');
    this.#open.add(value);
    const part = Array.isArray(value) ? this.#readArray(value) : this.#readRecord(value);
    this.#open.delete(value);
    if (part.isFrozen && part.functions.size > 0) knownParts.set(value, part);
    return part;
  }

  #readArray(value: readonly unknown[]): Part {
    const reading = new PartReading(value);
    const shapes: string[] = [];
    for (let index = 0; index < value.length; index++) {
      const name = String(index);
      this.#path.push(name);
      shapes.push(this.#readMember(this.#ownData(value, name), reading, name));
      this.#path.pop();
    }
    return reading.end(`{"a":[${shapes.join(',')}]}`);
  }

  #readRecord(value: object): Part {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) {
      throw this.#refuse('must be a plain object, not a class instance');
    }
    const reading = new PartReading(value);
    const entries: string[] = [];
    const hidden: string[] = [];
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key === 'symbol') throw this.#refuse(`has a symbol member (${String(key)})`);
      this.#path.push(key);
      const member = this.#ownData(value, key, hidden);
      if (member !== undefined) {
        entries.push(`[${JSON.stringify(key)},${this.#readMember(member, reading, key)}]`);
      }
      this.#path.pop();
    }
    const spellings = hidden.length === 0 ? '' : `,"s":${JSON.stringify(this.#readSpellings(value, hidden))}`;
    return reading.end(`{"o":[${entries.join(',')}]${spellings}}`);
  }

  /** What each of these members is another spelling of. */
  #readSpellings(value: object, hidden: readonly string[]): [spelling: string, name: string][] {
    const members = value as Record<string, unknown>;
    const names = new Map(Object.keys(members).map((name) => [members[name], name]));
    return hidden.map((spelling) => {
      const name = names.get(members[spelling]);
      if (name !== undefined) return [spelling, name];
      this.#path.push(spelling);
      throw this.#refuse('is not enumerable, and not the value of a member that is');
    });
  }

  /** Gives the shape of a member, and notes its functions under `name` in the part that it belongs to. */
  #readMember(value: unknown, owner: PartReading, name: string): string {
    if (typeof value === 'function') {
      owner.functions.set(name, value as CodeBindingFunction);
      return '0';
    }
    if (typeof value !== 'object' || value === null) return this.#data(value);
    const part = this.#readPart(value);
    owner.isFrozen &&= part.isFrozen;
    owner.height = Math.max(owner.height, part.height + 1);
    if (part.functions.size === 0) return this.#data(value);
    owner.functions.set(name, part.functions);
    return part.text;
  }

  /** @param hidden takes the name of a member that is not enumerable, in place of its value. */
  #ownData(value: object, key: string, hidden?: string[]): unknown {
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (!property) throw this.#refuse('is a hole in an array');
    if (!('value' in property)) throw this.#refuse('is a getter; members must be plain data');
    if (property.enumerable) return property.value as unknown;
    if (!hidden) throw this.#refuse('is not enumerable');
    hidden.push(key);
    return undefined;
  }

  #data(value: unknown): string {
    try {
      const data = toLosslessJson(value, {
        name: [this.#global, ...this.#path].join('.'),
        maxBytes: MAX_DATA_BYTES,
      });
      return `{"d":${stringifyJson(data)}}`;
    } catch (error) {
      throw this.#refuse(`is neither a function nor JSON: ${(error as Error).message}`);
    }
  }

  #tooDeep(): CodeRuntimeError {
    return this.#refuse(`bindings nest deeper than ${MAX_DEPTH} levels`);
  }

  #refuse(problem: string): CodeRuntimeError {
    const where = [this.#global, ...this.#path].map((part) => JSON.stringify(part)).join('.');
    return new CodeRuntimeError('invalid-binding', `binding ${where} ${problem}`);
  }
}

/** A part while it is read. */
class PartReading {
  readonly functions: FunctionTree = new Map();
  height = 0;
  isFrozen: boolean;

  constructor(value: object) {
    this.isFrozen = Object.isFrozen(value);
  }

  end(text: string): Part {
    return { text, functions: this.functions, height: this.height, isFrozen: this.isFrozen };
  }
}
