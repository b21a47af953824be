// Rebuilds what `createScope` gave as nodes: data, and the places where tools are called. Nothing else gets through.
import { NamespaceError } from './errors.ts';
import { isNamespaceTool, type NamespaceToolMarker } from './namespace-tool.ts';
import type { NamespaceNode } from './types.ts';

export interface ReadScope {
  root: NamespaceNode;
  /** By `pathKey` of the place. */
  calls: Map<string, NamespaceToolMarker>;
}

/** Runtimes refuse bindings that nest deeper. */
const MAX_DEPTH = 90;
const REFUSED_KEYS = new Set(['', '__proto__', 'constructor', 'prototype']);

/** One string for a path: members cannot hold NUL. */
export function pathKey(path: readonly string[]): string {
  return path.join('\0');
}

/**
 * @param name the root of paths in messages: the namespace's global name.
 * @throws NamespaceError `invalid_scope`, with the path of what a program cannot hold.
 */
export function readScope(scope: unknown, name: string, required: readonly string[]): ReadScope {
  const reader = new ScopeReader(name, required);
  if (typeof scope !== 'object' || scope === null || Array.isArray(scope) || isNamespaceTool(scope)) {
    throw reader.refuse([], 'must be an object of members');
  }
  return { root: reader.read(scope, []), calls: reader.calls };
}

class ScopeReader {
  readonly calls = new Map<string, NamespaceToolMarker>();
  readonly #open = new Set<object>();

  constructor(
    readonly name: string,
    readonly required: readonly string[],
  ) {}

  read(value: unknown, path: readonly string[]): NamespaceNode {
    if (typeof value !== 'object' || value === null) return { kind: 'data', value: this.#scalar(value, path) };
    if (isNamespaceTool(value)) return this.#call(value, path);
    if (value instanceof Date) {
      return { kind: 'data', value: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() };
    }
    if (this.#open.has(value)) throw this.refuse(path, 'contains itself');
    if (path.length >= MAX_DEPTH) throw this.refuse(path, `nests deeper than ${MAX_DEPTH} levels`);
    this.#open.add(value);
    const node = Array.isArray(value) ? this.#array(value, path) : this.#object(value, path);
    this.#open.delete(value);
    return node;
  }

  refuse(path: readonly string[], problem: string): NamespaceError {
    const where = path
      .map((part) => (/^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`))
      .join('');
    return new NamespaceError('invalid_scope', `${this.name}${where} ${problem}`);
  }

  #scalar(value: unknown, path: readonly string[]): string | number | boolean | null {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value + 0 : String(value);
      case 'bigint':
      case 'undefined':
        return String(value);
      case 'function':
        throw this.refuse(path, 'is a function; use namespaceTool(name, mapper) to let programs call a tool');
      case 'symbol':
        throw this.refuse(path, 'is a symbol, which programs cannot hold');
      default:
        return null;
    }
  }

  #call(marker: NamespaceToolMarker, path: readonly string[]): NamespaceNode {
    if (!this.required.includes(marker.tool)) {
      throw this.refuse(path, `calls ${JSON.stringify(marker.tool)}, which is not one of requiredToolNames`);
    }
    this.calls.set(pathKey(path), marker);
    return { kind: 'call', path };
  }

  #array(value: readonly unknown[], path: readonly string[]): NamespaceNode {
    const keys = Reflect.ownKeys(value);
    // `length` is an array's first named key: every index is there, and nothing else.
    if (keys.length !== value.length + 1 || keys[value.length] !== 'length') {
      throw this.refuse(path, 'is an array with holes or extra properties');
    }
    return { kind: 'array', items: value.map((item, index) => this.read(item, [...path, String(index)])) };
  }

  #object(value: object, path: readonly string[]): NamespaceNode {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) {
      throw this.refuse(path, `is ${describeClass(value)}, not plain data`);
    }
    const members: [string, NamespaceNode][] = [];
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key === 'symbol') throw this.refuse(path, `has a symbol key (${String(key)})`);
      if (REFUSED_KEYS.has(key) || key.includes('\0')) {
        throw this.refuse(path, `has the key ${JSON.stringify(key)}, which is not allowed`);
      }
      const property = Object.getOwnPropertyDescriptor(value, key)!;
      const inner = [...path, key];
      if (!('value' in property)) throw this.refuse(inner, 'is a getter; members must be plain data');
      if (!property.enumerable) throw this.refuse(inner, 'is not enumerable');
      members.push([key, this.read(property.value, inner)]);
    }
    return { kind: 'object', members };
  }
}

function describeClass(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object with a prototype';
}
