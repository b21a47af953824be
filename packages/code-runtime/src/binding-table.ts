// A request's bindings as a table: JSON text that describes their shape for the guest, and the functions for the host.
import { createHash } from 'node:crypto';
import { type JsonValue, stringifyJson, toLosslessJson } from '@codeseam/lossless-json';
import { CodeRuntimeError } from './errors.ts';
import type { CodeBindingFunction, CodeBindingNamespace } from './types.ts';

/**
 * One node of the shape that the guest builds its members from:
 * `0` is a host function, `{ d }` is JSON data, `{ o }` a record and `{ a }` an array that hold functions somewhere.
 * Record entries are pairs, so that a member named `__proto__` is one like any other.
 */
export type BindingShape = 0 | { d: JsonValue } | { o: [name: string, shape: BindingShape][] } | { a: BindingShape[] };

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
 * Checks the functions of a namespace and gives their table.
 *
 * A tree whose records and arrays are all frozen is checked once and then known by identity, so that a catalog of
 * thousands of members costs a run nothing; any other tree is checked at each run.
 *
 * @throws CodeRuntimeError `invalid-binding`, with the path of what is not a function, JSON, or a nest of them.
 */
export function bindingTable(namespace: CodeBindingNamespace): BindingTable {
  const functions: unknown = namespace.functions;
  const cached = typeof functions === 'object' && functions !== null ? known.get(functions) : undefined;
  if (cached) return cached;
  const reader = new BindingReader(namespace.global);
  const text = stringifyJson(reader.readRoot(functions) as unknown as JsonValue);
  const table: BindingTable = {
    hash: createHash('sha256').update(text).digest('base64url'),
    text,
    find: (path) => findFunction(reader.functions, path),
  };
  if (reader.frozen) known.set(functions as object, table);
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

const MAX_DEPTH = 100;
const MAX_DATA_BYTES = 64 * 1024 * 1024;

class BindingReader {
  readonly functions: FunctionTree = new Map();
  frozen = true;
  readonly #global: string;
  readonly #open = new Set<object>();

  constructor(global: string) {
    this.#global = global;
  }

  readRoot(value: unknown): BindingShape {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.#refuse([], 'functions must be a record of members');
    }
    return { o: this.#readRecord(value, [], this.functions) };
  }

  /** Gives the shape of a value and notes its functions under `name` in the tree of its owner. */
  #read(value: unknown, path: string[], owner: FunctionTree, name: string): BindingShape {
    if (typeof value === 'function') {
      owner.set(name, value as CodeBindingFunction);
      return 0;
    }
    if (typeof value !== 'object' || value === null) return { d: this.#data(value, path) };
    if (path.length > MAX_DEPTH) throw this.#refuse(path, `bindings nest deeper than ${MAX_DEPTH} levels`);
    if (this.#open.has(value)) throw this.#refuse(path, 'bindings must not hold a cycle');
    this.#open.add(value);
    const inner: FunctionTree = new Map();
    const shape: BindingShape = Array.isArray(value)
      ? { a: this.#readArray(value, path, inner) }
      : { o: this.#readRecord(value, path, inner) };
    this.#open.delete(value);
    if (inner.size === 0) return { d: this.#data(value, path) };
    owner.set(name, inner);
    return shape;
  }

  #readArray(value: readonly unknown[], path: string[], owner: FunctionTree): BindingShape[] {
    this.frozen &&= Object.isFrozen(value);
    const shapes: BindingShape[] = [];
    for (let index = 0; index < value.length; index++) {
      shapes.push(
        this.#read(this.#ownData(value, String(index), path), [...path, String(index)], owner, String(index)),
      );
    }
    return shapes;
  }

  #readRecord(value: object, path: string[], owner: FunctionTree): [string, BindingShape][] {
    this.frozen &&= Object.isFrozen(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) {
      throw this.#refuse(path, 'must be a plain object, not a class instance');
    }
    const entries: [string, BindingShape][] = [];
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key === 'symbol') throw this.#refuse(path, `has a symbol member (${String(key)})`);
      const member = this.#ownData(value, key, path);
      if (member === undefined) continue;
      entries.push([key, this.#read(member, [...path, key], owner, key)]);
    }
    return entries;
  }

  #ownData(value: object, key: string, path: string[]): unknown {
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (!property) throw this.#refuse([...path, key], 'is a hole in an array');
    if (!('value' in property)) throw this.#refuse([...path, key], 'is a getter; members must be plain data');
    if (!property.enumerable) throw this.#refuse([...path, key], 'is not enumerable');
    return property.value;
  }

  #data(value: unknown, path: string[]): JsonValue {
    try {
      return toLosslessJson(value, { name: [this.#global, ...path].join('.'), maxBytes: MAX_DATA_BYTES });
    } catch (error) {
      throw this.#refuse(path, `is neither a function nor JSON: ${(error as Error).message}`);
    }
  }

  #refuse(path: string[], problem: string): CodeRuntimeError {
    const where = [this.#global, ...path].map((part) => JSON.stringify(part)).join('.');
    return new CodeRuntimeError('invalid-binding', `binding ${where} ${problem}`);
  }
}
