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
export const MAX_SCHEMA_VALUES = 400_000;

interface Pending {
  source: object;
  fill: (source: object) => void;
}

/**
 * Copies the enumerable own data properties of a value. Getters are never called; cycles and shared objects stay
 * cycles and shared nodes; keys come out sorted, so that their order in the source cannot show.
 */
export function readSchema(value: unknown): { root: JsonNode; truncated: boolean } {
  const seen = new Map<object, JsonNode>();
  const queue: Pending[] = [];
  let values = 0;
  let truncated = false;

  const read = (item: unknown): JsonNode => {
    if (item === null || typeof item === 'boolean' || typeof item === 'number' || typeof item === 'string') return item;
    if (typeof item !== 'object') return UNREADABLE;
    const known = seen.get(item);
    if (known !== undefined) return known;
    if (++values > MAX_SCHEMA_VALUES) {
      truncated = true;
      return UNREADABLE;
    }
    let node: JsonNode;
    if (isArray(item)) {
      const items: JsonNode[] = [];
      node = items;
      queue.push({ source: item, fill: (source) => readItems(source as unknown[], items) });
    } else {
      const entries = new Map<string, JsonNode>();
      node = { kind: 'object', entries };
      queue.push({ source: item, fill: (source) => readEntries(source, entries) });
    }
    seen.set(item, node);
    return node;
  };

  const readItems = (source: unknown[], items: JsonNode[]) => {
    const length = Number(ownValue(source, 'length'));
    for (let index = 0; index < length; index++) {
      if (++values > MAX_SCHEMA_VALUES) {
        truncated = true;
        return;
      }
      const item = ownValue(source, String(index));
      items.push(item === undefined ? UNREADABLE : read(item));
    }
  };

  const readEntries = (source: object, entries: Map<string, JsonNode>) => {
    for (const key of sortedKeys(source)) {
      if (++values > MAX_SCHEMA_VALUES) {
        truncated = true;
        return;
      }
      const item = ownValue(source, key);
      if (item !== undefined) entries.set(key, read(item));
    }
  };

  const root = read(value);
  for (let next = 0; next < queue.length; next++) {
    const { source, fill } = queue[next]!;
    fill(source);
  }
  return { root, truncated };
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
    return 'value' in descriptor ? descriptor.value : UNREADABLE;
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
