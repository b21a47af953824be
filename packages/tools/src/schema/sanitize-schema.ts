// Copies a schema into the shape that the validator takes, so that nothing in a foreign schema can harm the host.
import type { JsonValue } from '@codeseam/lossless-json';
import { isPlainlyLinear, linearMatcher } from './pattern-matcher.ts';
import { isRecord, isSchema, KEYWORD_SHAPES, keywordFault } from './schema-keywords.ts';

export interface SchemaFault {
  /** Where in the schema: `parameters.properties.city`. */
  path: string;
  keyword: string;
  /** The end of `<keyword> must be ...`. */
  problem: string;
}

export interface SanitizedSchema {
  schema: Record<string, unknown> | boolean;
  faults: SchemaFault[];
  /** Format names of ours, each the linear test of one pattern. */
  patterns: Map<string, (text: string) => boolean>;
  /** Steps that a check may still take; counted down by every subschema that is visited. */
  budget: { left: number };
}

/** Prefix of the format names that stand for patterns. */
export const PATTERN_FORMAT = 'codeseam-pattern ';

/** Subschemas deeper than this accept anything: the validator recurses. */
const MAX_SCHEMA_DEPTH = 400;

/** Arrays longer than this are not checked for uniqueness, which costs the square of their length. */
const MAX_UNIQUE_ITEMS = 1_000;

/**
 * Rebuilds a schema keyword by keyword. A keyword with a nonsense value is reported and left out, so that its place accepts
 * what it would have constrained. Formats are annotations and left out; `$id`s stay only where they are URIs.
 */
export function sanitizeSchema(source: JsonValue, path: string): SanitizedSchema {
  const state: Sanitizing = { faults: [], patterns: new Map(), budget: { left: 0 }, openNames: false };
  const schema = copySchema(source, path, 0, state);
  if (state.openNames) eachSchema(schema, dropUnevaluated);
  const { faults, patterns, budget } = state;
  return { schema, faults, patterns, budget };
}

interface Sanitizing {
  faults: SchemaFault[];
  patterns: Map<string, (text: string) => boolean>;
  budget: { left: number };
  /** Some names could not be told: nothing may be refused for not having been evaluated. */
  openNames: boolean;
}

function copySchema(
  source: unknown,
  path: string,
  depth: number,
  state: Sanitizing,
): Record<string, unknown> | boolean {
  if (typeof source === 'boolean') return source;
  if (!isRecord(source) || depth > MAX_SCHEMA_DEPTH) return true;
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(source)) {
    const shape = KEYWORD_SHAPES.get(keyword);
    if (shape === undefined) {
      copyAnnotation(copy, keyword, value, path, depth, state);
      continue;
    }
    const problem = keywordFault(shape, value);
    if (problem === undefined) set(copy, keyword, copyKeyword(value, shape, `${path}.${keyword}`, depth, state));
    else state.faults.push({ path, keyword, problem });
  }
  adaptDialects(copy, source);
  guardPatterns(copy, state);
  countSteps(copy, state.budget);
  return copy;
}

function copyKeyword(value: unknown, shape: string, path: string, depth: number, state: Sanitizing): unknown {
  const below = (entry: unknown, at: string) => (isSchema(entry) ? copySchema(entry, at, depth + 1, state) : entry);
  if (shape === 'schema' || shape === 'schemas' || shape === 'schema or schemas') {
    return Array.isArray(value) ? value.map((entry, index) => below(entry, `${path}[${index}]`)) : below(value, path);
  }
  if (shape === 'schema map' || shape === 'dependencies') {
    const copy: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value as object)) set(copy, key, below(entry, `${path}.${key}`));
    return copy;
  }
  return value;
}

/** A place that is no keyword may still be the target of a `$ref`; ids only count where they are URIs. */
function copyAnnotation(
  copy: Record<string, unknown>,
  keyword: string,
  value: unknown,
  path: string,
  depth: number,
  state: Sanitizing,
): void {
  if (keyword === '$id' || keyword === 'id') {
    if (typeof value === 'string' && isReference(value, keyword)) copy[keyword] = value;
  } else if (keyword === '$anchor') {
    if (typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9._-]*$/.test(value)) copy[keyword] = value;
  } else if (keyword === '$dynamicRef' || keyword === '$recursiveRef') {
    // Not followed: what they would evaluate is not known.
    state.openNames = true;
  } else if (keyword === 'const') {
    copy[keyword] = value;
  } else if (isRecord(value) && keyword !== 'default' && keyword !== '__proto__') {
    set(copy, keyword, copySchema(value, `${path}.${keyword}`, depth + 1, state));
  }
}

/** A plain `id` is often no identifier at all. */
function isReference(text: string, keyword: string): boolean {
  const looksLikeOne = keyword === '$id' || /^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(text);
  return looksLikeOne && URL.canParse(text, 'https://schema.invalid');
}

/** Draft 4's boolean bounds and tuples, and OpenAPI's `nullable`, in the words of 2020-12. */
function adaptDialects(copy: Record<string, unknown>, source: Record<string, unknown>): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof copy[exclusive] !== 'boolean') continue;
    const strict = copy[exclusive] && typeof copy[bound] === 'number';
    delete copy[exclusive];
    if (!strict) continue;
    copy[exclusive] = copy[bound];
    delete copy[bound];
  }
  if (copy['nullable'] === true) {
    if (copy['type'] !== undefined) copy['type'] = [...new Set([copy['type'], 'null'].flat())];
    if (Array.isArray(copy['enum'])) copy['enum'] = [...copy['enum'], null];
  }
  delete copy['nullable'];
  if (copy['uniqueItems'] === true) {
    delete copy['uniqueItems'];
    also(
      copy,
      Object.fromEntries([
        ['if', { maxItems: MAX_UNIQUE_ITEMS }],
        ['then', { uniqueItems: true }],
      ]),
    );
  }
  if (Array.isArray(copy['items']) && source['prefixItems'] === undefined) {
    copy['prefixItems'] = copy['items'];
    delete copy['items'];
    if (copy['additionalItems'] !== undefined) copy['items'] = copy['additionalItems'];
  }
  delete copy['additionalItems'];
}

function guardPatterns(copy: Record<string, unknown>, state: Sanitizing): void {
  if (typeof copy['pattern'] === 'string') {
    const matcher = linearMatcher(copy['pattern']);
    if (matcher) {
      const name = PATTERN_FORMAT + copy['pattern'];
      state.patterns.set(name, matcher);
      copy['format'] = name;
    }
    delete copy['pattern'];
  }
  if (isRecord(copy['patternProperties'])) guardPatternProperties(copy, copy['patternProperties'], state);
}

/** The validator matches names itself: a pattern that it could choke on leaves all names open. */
function guardPatternProperties(
  copy: Record<string, unknown>,
  patterns: Record<string, unknown>,
  state: Sanitizing,
): void {
  const safe: Record<string, unknown> = {};
  for (const [source, schema] of Object.entries(patterns)) {
    if (source === '' || source === '.*' || source === '^.*$' || source === '.+') set(safe, '^', schema);
    else if (isPlainlyLinear(source) && compilesAsUnicode(source)) set(safe, source, schema);
    else {
      delete copy['additionalProperties'];
      state.openNames = true;
    }
  }
  copy['patternProperties'] = safe;
}

function compilesAsUnicode(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The validator reads `$recursiveAnchor` of every schema it visits: a getter there bounds its work. */
function countSteps(copy: Record<string, unknown>, budget: { left: number }): void {
  Object.defineProperty(copy, '$recursiveAnchor', {
    enumerable: false,
    get() {
      if (--budget.left < 0) throw new RangeError('too many combinations');
      return undefined;
    },
  });
}

/** What was evaluated elsewhere is not known: nothing may be refused for it. */
export function dropUnevaluated(schema: Record<string, unknown>): void {
  delete schema['unevaluatedProperties'];
  delete schema['unevaluatedItems'];
}

/** Visits every object below a schema, each once. */
export function eachSchema(root: unknown, visit: (schema: Record<string, unknown>) => void): void {
  const seen = new Set<unknown>();
  const open: unknown[] = [root];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null || seen.has(at)) continue;
    seen.add(at);
    if (!Array.isArray(at)) visit(at as Record<string, unknown>);
    for (const [key, below] of Object.entries(at)) if (key !== 'const' && key !== 'enum') open.push(below);
  }
}

function also(copy: Record<string, unknown>, condition: Record<string, unknown>): void {
  copy['allOf'] = [...(Array.isArray(copy['allOf']) ? copy['allOf'] : []), condition];
}

/** Sets a key that may be called `__proto__`. */
function set(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
