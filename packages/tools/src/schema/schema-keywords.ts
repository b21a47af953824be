// What each JSON Schema keyword may hold, as one table; what is not in it is an annotation.

export type KeywordShape =
  | 'schema'
  | 'schemas'
  | 'schema or schemas'
  | 'schema map'
  | 'dependencies'
  | 'type'
  | 'pattern'
  | 'string'
  | 'strings'
  | 'strings map'
  | 'number'
  | 'number or boolean'
  | 'positive number'
  | 'count'
  | 'boolean'
  | 'array';

/** Drafts 4 to 2020-12, and OpenAPI's `nullable`. */
export const KEYWORD_SHAPES: ReadonlyMap<string, KeywordShape> = new Map<string, KeywordShape>([
  ['type', 'type'],
  ['enum', 'array'],
  ['nullable', 'boolean'],
  ['properties', 'schema map'],
  ['patternProperties', 'schema map'],
  ['additionalProperties', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['required', 'strings'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['dependentRequired', 'strings map'],
  ['dependentSchemas', 'schema map'],
  ['dependencies', 'dependencies'],
  ['prefixItems', 'schemas'],
  ['items', 'schema or schemas'],
  ['additionalItems', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['contains', 'schema'],
  ['minContains', 'count'],
  ['maxContains', 'count'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['uniqueItems', 'boolean'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number or boolean'],
  ['exclusiveMaximum', 'number or boolean'],
  ['multipleOf', 'positive number'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['pattern', 'pattern'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['$defs', 'schema map'],
  ['definitions', 'schema map'],
  ['$ref', 'string'],
]);

const TYPES = new Set(['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']);

/** What is wrong with a keyword's value (the end of `<keyword> must be ...`), not looking into subschemas. */
export function keywordFault(shape: KeywordShape, value: unknown): string | undefined {
  switch (shape) {
    case 'schema':
      return isSchema(value) ? undefined : 'a schema (an object or a boolean)';
    case 'schemas':
      return isFilledArray(value) && value.every(isSchema) ? undefined : 'a non-empty array of schemas';
    case 'schema or schemas':
      return isSchema(value) || (Array.isArray(value) && value.every(isSchema))
        ? undefined
        : 'a schema or an array of schemas';
    case 'schema map':
      return isRecord(value) && Object.values(value).every(isSchema) ? undefined : 'an object of schemas';
    case 'dependencies':
      return isRecord(value) && Object.values(value).every((entry) => isSchema(entry) || isStrings(entry))
        ? undefined
        : 'an object of schemas or arrays of strings';
    case 'type':
      return isType(value) || (isFilledArray(value) && value.every(isType))
        ? undefined
        : `one of ${[...TYPES].join(', ')}, or a non-empty array of them`;
    case 'pattern':
      return typeof value === 'string' && isPattern(value) ? undefined : 'a regular expression';
    case 'string':
      return typeof value === 'string' ? undefined : 'a string';
    case 'strings':
      return isStrings(value) ? undefined : 'an array of strings';
    case 'strings map':
      return isRecord(value) && Object.values(value).every(isStrings) ? undefined : 'an object of arrays of strings';
    case 'number':
      return typeof value === 'number' ? undefined : 'a number';
    case 'number or boolean':
      return typeof value === 'number' || typeof value === 'boolean' ? undefined : 'a number';
    case 'positive number':
      return typeof value === 'number' && value > 0 ? undefined : 'a number above 0';
    case 'count':
      return Number.isInteger(value) && (value as number) >= 0 ? undefined : 'a whole number of at least 0';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'a boolean';
    case 'array':
      return Array.isArray(value) ? undefined : 'an array';
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isRecord(value);
}

function isType(value: unknown): boolean {
  return typeof value === 'string' && TYPES.has(value);
}

function isFilledArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isPattern(source: string): boolean {
  try {
    // Many schemas in use are written without the `u` flag in mind; either reading makes a pattern.
    new RegExp(source);
    return true;
  } catch {
    return unicodePattern(source);
  }
}

function unicodePattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
