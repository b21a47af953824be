// Puts into words what a schema allows, and what was given instead.
import type Schema from 'schemastery';

/** What a schema allows: `a whole number from 1 to 64`. */
export function describeSchema(schema: Schema): string {
  switch (schema.type) {
    case 'number':
      return `${numberKind(schema.meta.step)}${rangeOf(schema.meta)}`;
    case 'string': {
      const { pattern, min, max } = schema.meta;
      const like = pattern ? ` that matches /${pattern.source}/${pattern.flags ?? ''}` : '';
      const length =
        min === undefined && max === undefined ? '' : ` with a length${rangeOf({ min, max }) || ' of any size'}`;
      return `a string${like}${length}`;
    }
    case 'boolean':
      return 'true or false';
    case 'const':
      return JSON.stringify(schema.value) ?? String(schema.value);
    case 'object':
    case 'dict':
    case 'intersect':
      return 'an object';
    case 'array': {
      const { min, max } = schema.meta;
      return `a list${min === undefined && max === undefined ? '' : ` with a length${rangeOf({ min, max })}`}`;
    }
    case 'tuple':
      return `a list of ${schema.list?.length ?? 0}`;
    case 'union':
      return oneOf((schema.list ?? []).map(describeSchema));
    case 'transform':
      return schema.inner ? describeSchema(schema.inner) : 'a value';
    case 'function':
      return 'a function';
    case 'is':
      return typeof schema.constructor === 'function'
        ? `a ${schema.constructor.name}`
        : `a ${String(schema.constructor)}`;
    case 'never':
      return 'nothing';
    default:
      return schema.toString();
  }
}

/** `"a", "b" or "c"`, each once. */
export function oneOf(choices: readonly string[]): string {
  const distinct = [...new Set(choices)];
  if (distinct.length < 2) return distinct[0] ?? 'nothing';
  return `${distinct.slice(0, -1).join(', ')} or ${distinct.at(-1)}`;
}

function numberKind(step: number | undefined): string {
  if (step === 1) return 'a whole number';
  return step ? `a multiple of ${step}` : 'a number';
}

function rangeOf({ min, max }: { min?: number | undefined; max?: number | undefined }): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max !== undefined ? ` of at most ${max}` : '';
}

const LONGEST = 80;

/** What was given, short: `"fast"`, `99`, `a list`. A secret is not shown. */
export function describeValue(value: unknown, schema?: Schema): string {
  if (typeof value === 'string') {
    if (schema?.meta.role === 'secret') return 'a string';
    const points = [...value.slice(0, LONGEST + 1)];
    return JSON.stringify(points.length > LONGEST ? `${points.slice(0, LONGEST).join('')}…` : value);
  }
  if (value === null || typeof value === 'number' || typeof value === 'boolean') {
    return schema?.meta.role === 'secret' && value !== null ? `a ${typeof value}` : String(value);
  }
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
