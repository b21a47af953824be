// Stage 1: an untrusted value becomes a plain graph of JSON nodes that is safe to walk.

/** A JSON object, its keys in a Map so that `__proto__` is a key like any other. */
export interface JsonObject {
  readonly kind: 'object';
  readonly entries: ReadonlyMap<string, JsonNode>;
}

/** What stands where a value could not be read: an accessor, a function, a throwing proxy, a value beyond the size limit. */
export const UNREADABLE = Symbol('unreadable');

export type JsonNode = null | boolean | number | string | typeof UNREADABLE | readonly JsonNode[] | JsonObject;

/** Values read from one schema at most; what lies beyond is unreadable. Breadth first, so the depths are cut. */
export const MAX_SCHEMA_VALUES = 200_000;

export interface SchemaRead {
  root: JsonNode;
  /** True if the value was larger than `MAX_SCHEMA_VALUES`. */
  truncated: boolean;
  /** True if some object in it has a key that makes a reference. */
  hasReferences: boolean;
}

export const REFERENCE_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/**
 * Copies the enumerable own data properties of a value. Getters are never called; cycles and shared objects stay
 * cycles and shared nodes; keys come out sorted, so that their order in the source cannot show.
 */
export function readSchema(value: unknown): SchemaRead {
  return new SchemaReader().run(value);
}

class SchemaReader {
  private readonly seen = new Map<object, JsonNode>();
  /** Objects whose contents are still to be read. */
  private readonly sources: object[] = [];
  private values = 0;
  private truncated = false;
  private hasReferences = false;

  run(value: unknown): SchemaRead {
    const root = this.read(value);
    for (let next = 0; next < this.sources.length; next++) {
      const source = this.sources[next]!;
      const node = this.seen.get(source)!;
      if (isJsonObject(node)) this.readEntries(source, node.entries as Map<string, JsonNode>);
      else this.readItems(source, node as JsonNode[]);
    }
    return { root, truncated: this.truncated, hasReferences: this.hasReferences };
  }

  private read(value: unknown): JsonNode {
    if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
      return value;
    if (typeof value !== 'object') return UNREADABLE;
    const known = this.seen.get(value);
    if (known !== undefined) return known;
    const node: JsonNode = isArray(value) ? [] : { kind: 'object', entries: new Map() };
    this.seen.set(value, node);
    this.sources.push(value);
    return node;
  }

  private readItems(source: object, items: JsonNode[]): void {
    const length = Number(ownValue(source, 'length'));
    for (let index = 0; index < length && this.hasRoom(); index++) {
      const item = ownValue(source, String(index));
      items.push(item === undefined ? UNREADABLE : this.read(item));
    }
  }

  private readEntries(source: object, entries: Map<string, JsonNode>): void {
    for (const key of sortedKeys(source)) {
      if (!this.hasRoom()) return;
      const item = ownValue(source, key);
      if (item !== undefined) entries.set(key, this.read(item));
    }
    this.hasReferences ||= REFERENCE_KEYWORDS.some((keyword) => entries.has(keyword));
  }

  private hasRoom(): boolean {
    if (++this.values <= MAX_SCHEMA_VALUES) return true;
    this.truncated = true;
    return false;
  }
}

function isArray(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false; // a revoked proxy
  }
}

function sortedKeys(source: object): string[] {
  try {
    return Object.keys(source).sort();
  } catch {
    return [];
  }
}

/** The value of an own data property; unreadable if it is an accessor or reading throws. */
function ownValue(source: object, key: string): unknown {
  try {
    const descriptor = Object.getOwnPropertyDescriptor(source, key);
    if (descriptor === undefined) return undefined;
    return 'value' in descriptor ? descriptor.value : UNREADABLE; // an accessor is never called
  } catch {
    return UNREADABLE;
  }
}

export function isJsonObject(node: JsonNode | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

export function isJsonArray(node: JsonNode | undefined): node is readonly JsonNode[] {
  return Array.isArray(node);
}
