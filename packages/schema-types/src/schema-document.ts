// Stage 1b: the document behind a schema: where each node stands, its identifiers and anchors, and what a reference means.

import {
  isJsonArray,
  isJsonObject,
  type JsonNode,
  type JsonObject,
  REFERENCE_KEYWORDS,
  readSchema,
} from './read-schema.ts';

/** Keywords whose value is data, never a schema. */
const DATA_KEYWORDS = new Set(['const', 'enum', 'default', 'examples', 'example', 'required', 'type']);
/** Keywords whose value maps names to schemas; the names are no keywords. */
const MAP_KEYWORDS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

const BASE_OF_ROOT = 'schema://root/';

interface Place {
  parent: Place | undefined;
  /** Key or index inside the parent. */
  segment: string;
  /** The nearest enclosing node with an identifier of its own. */
  resource: JsonObject;
}

/** Segments of a path that are given at most, the last ones. */
const MAX_PATH = 32;

interface Resource {
  uri: string;
  anchors: Map<string, JsonObject>;
  dynamicAnchors: Map<string, JsonObject>;
  recursiveAnchor: boolean;
}

/** One schema and everything a reference inside it can mean. Nothing outside the document is ever looked up. */
export class SchemaDocument {
  readonly root: JsonNode;
  /** True if the schema was larger than the reader takes. */
  readonly truncated: boolean;
  /** True if `$schema` names draft 7 or older, where a `$ref` stands alone. */
  readonly refStandsAlone: boolean;
  /** Filled only if there are references, or a path is asked for. */
  private readonly places = new Map<JsonNode, Place>();
  private readonly resources = new Map<JsonObject, Resource>();
  /** Where chains of bare references end. */
  private readonly settled = new Map<JsonObject, JsonNode | undefined>();
  private readonly referring: JsonObject[] = [];
  private readonly byUri = new Map<string, JsonObject>();

  constructor(schema: unknown) {
    const { root, truncated, hasReferences } = readSchema(schema);
    this.root = root;
    this.truncated = truncated;
    const dialect = isJsonObject(root) ? root.entries.get('$schema') : undefined;
    this.refStandsAlone = typeof dialect === 'string' && /draft-0?[3-7]\b/.test(dialect);
    if (hasReferences && isJsonObject(root)) this.indexFrom(root);
  }

  /** The last pointer segments of a node; empty for the root and for nodes outside schema positions. */
  pathOf(node: JsonNode): readonly string[] {
    if (this.places.size === 0 && isJsonObject(this.root)) this.indexFrom(this.root);
    const path: string[] = [];
    let place = this.places.get(node);
    for (; place?.parent !== undefined && path.length < MAX_PATH; place = place.parent) path.push(place.segment);
    return path.reverse();
  }

  /** What `$ref`, `$dynamicRef` or `$recursiveRef` means, through schemas that are nothing but a reference. */
  follow(reference: string, keyword: string, from: JsonObject): JsonNode | undefined {
    const passed = new Set<JsonObject>();
    let target = this.lookUp(reference, keyword, from);
    while (isJsonObject(target)) {
      if (this.settled.has(target)) {
        target = this.settled.get(target);
        break;
      }
      const next = bareReference(target);
      if (next === undefined) break;
      if (passed.has(target)) {
        target = undefined;
        break;
      }
      passed.add(target);
      target = this.lookUp(next, '$ref', target);
    }
    for (const node of passed) this.settled.set(node, target);
    return target;
  }

  /** Every node that some reference in the document means. */
  referenceTargets(): Set<JsonNode> {
    const targets = new Set<JsonNode>();
    for (const node of this.referring) {
      for (const keyword of REFERENCE_KEYWORDS) {
        const reference = node.entries.get(keyword);
        const target = typeof reference === 'string' ? this.follow(reference, keyword, node) : undefined;
        if (isJsonObject(target)) targets.add(target);
      }
    }
    return targets;
  }

  private lookUp(reference: string, keyword: string, from: JsonObject): JsonNode | undefined {
    return keyword === '$ref' ? this.resolve(reference, from) : this.resolveDynamic(reference, from);
  }

  /** What `$ref` in `from` points at, or undefined for a remote or missing target. */
  resolve(reference: string, from: JsonObject): JsonNode | undefined {
    const resource = this.places.get(from)?.resource ?? (isJsonObject(this.root) ? this.root : undefined);
    if (resource === undefined) return undefined;
    const hash = reference.indexOf('#');
    const address = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = hash < 0 ? '' : decodeFragment(reference.slice(hash + 1));
    if (address === '') {
      // Many schemas carry an `$id` deep inside and still mean pointers from the document's root.
      return this.resolveFragment(fragment, resource) ?? this.resolveFragment(fragment, this.root);
    }
    const uri = absoluteUri(address, this.resources.get(resource)?.uri ?? BASE_OF_ROOT);
    const target = uri === undefined ? undefined : this.byUri.get(uri);
    return target === undefined ? undefined : this.resolveFragment(fragment, target);
  }

  /**
   * `$dynamicRef` and `$recursiveRef`: the outermost match. The root is always the outermost resource; where it has no such anchor
   * and several others do, which one is meant depends on the way taken, and the answer is undefined.
   */
  resolveDynamic(reference: string, from: JsonObject): JsonNode | undefined {
    const initial = this.resolve(reference, from);
    if (!isJsonObject(initial)) return initial;
    const name = reference.slice(reference.indexOf('#') + 1);
    if (name === '') {
      const isRecursive = this.resources.get(initial)?.recursiveAnchor ?? false;
      if (!isRecursive) return initial;
      const rivals = [...this.resources].filter(([, resource]) => resource.recursiveAnchor).map(([node]) => node);
      return this.outermost(initial, rivals);
    }
    const home = this.places.get(initial)?.resource;
    if (home === undefined || this.resources.get(home)?.dynamicAnchors.get(name) !== initial) return initial;
    const rivals = [...this.resources.values()].flatMap((resource) => resource.dynamicAnchors.get(name) ?? []);
    return this.outermost(initial, rivals);
  }

  private outermost(initial: JsonObject, rivals: JsonObject[]): JsonNode | undefined {
    const ofRoot = rivals.find((rival) => this.places.get(rival)?.resource === this.root);
    return ofRoot ?? (rivals.length === 1 ? initial : undefined);
  }

  private resolveFragment(fragment: string, start: JsonNode): JsonNode | undefined {
    if (fragment === '') return start;
    if (!fragment.startsWith('/'))
      return isJsonObject(start) ? this.resources.get(start)?.anchors.get(fragment) : undefined;
    let node: JsonNode | undefined = start;
    for (const part of fragment.slice(1).split('/')) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (isJsonObject(node)) node = node.entries.get(key);
      else if (isJsonArray(node) && /^(0|[1-9]\d*)$/.test(key)) node = node[Number(key)];
      else return undefined;
      if (node === undefined) return undefined;
    }
    return node;
  }

  /** Visits every object breadth first, so that a shared node gets its shortest path. */
  private indexFrom(root: JsonObject): void {
    const queue: { node: JsonNode; place: Place; isMap: boolean }[] = [
      { node: root, place: { parent: undefined, segment: '', resource: root }, isMap: false },
    ];
    for (let next = 0; next < queue.length; next++) {
      const { node, isMap } = queue[next]!;
      let { place } = queue[next]!;
      if (this.places.has(node)) continue;
      if (isJsonArray(node)) {
        this.places.set(node, place);
        node.forEach((item, index) => {
          if (typeof item === 'object' && item !== null)
            queue.push({ node: item, place: step(place, String(index)), isMap: false });
        });
      } else if (isJsonObject(node)) {
        if (!isMap) {
          place = this.indexIdentifiers(node, place);
          if (REFERENCE_KEYWORDS.some((keyword) => node.entries.has(keyword))) this.referring.push(node);
        }
        this.places.set(node, place);
        for (const [key, child] of node.entries) {
          if (typeof child !== 'object' || child === null || (!isMap && DATA_KEYWORDS.has(key))) continue;
          queue.push({ node: child, place: step(place, key), isMap: !isMap && MAP_KEYWORDS.has(key) });
        }
      }
    }
  }

  private indexIdentifiers(node: JsonObject, place: Place): Place {
    const id = node.entries.get('$id') ?? node.entries.get('id');
    let here = place;
    if (node === this.root) this.openResource(node, BASE_OF_ROOT, typeof id === 'string' ? id : '');
    else if (typeof id === 'string' && !id.startsWith('#') && id !== '') {
      const base = this.resources.get(place.resource)?.uri ?? BASE_OF_ROOT;
      if (node.entries.has('$id') || isUriLike(id)) {
        this.openResource(node, base, id);
        here = { ...place, resource: node };
      }
    }
    const resource = this.resources.get(here.resource);
    if (resource === undefined) return here;
    if (typeof id === 'string' && id.startsWith('#') && id.length > 1) addOnce(resource.anchors, id.slice(1), node);
    const anchor = node.entries.get('$anchor');
    if (typeof anchor === 'string') addOnce(resource.anchors, anchor, node);
    const dynamicAnchor = node.entries.get('$dynamicAnchor');
    if (typeof dynamicAnchor === 'string') {
      addOnce(resource.anchors, dynamicAnchor, node);
      addOnce(resource.dynamicAnchors, dynamicAnchor, node);
    }
    return here;
  }

  private openResource(node: JsonObject, base: string, id: string): void {
    const uri = (id === '' ? base : absoluteUri(id.split('#')[0]!, base)) ?? base;
    this.resources.set(node, {
      uri,
      anchors: new Map(),
      dynamicAnchors: new Map(),
      recursiveAnchor: node.entries.get('$recursiveAnchor') === true,
    });
    addOnce(this.byUri, uri, node);
  }
}

/** The `$ref` of a schema that says nothing else, definitions apart. */
function bareReference(schema: JsonObject): string | undefined {
  const reference = schema.entries.get('$ref');
  if (typeof reference !== 'string') return undefined;
  for (const key of schema.entries.keys()) {
    if (!SILENT_KEYWORDS.has(key)) return undefined;
  }
  return reference;
}

const SILENT_KEYWORDS = new Set(['$ref', '$defs', 'definitions', '$comment', '$anchor', '$schema', 'title']);

function step(place: Place, segment: string): Place {
  return { parent: place, segment, resource: place.resource };
}

function addOnce<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (!map.has(key)) map.set(key, value);
}

function isUriLike(id: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|\.json$|^\//i.test(id);
}

function absoluteUri(address: string, base: string): string | undefined {
  try {
    return new URL(address, base).href;
  } catch {
    return undefined;
  }
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
