// The root of a parameter schema as model providers accept it: a plain object schema.
import { isRecord } from '../schema/schema-keywords.ts';
import type { JsonSchema } from '../types.ts';

/** Refused by providers at the root of a tool's parameters. */
const ROOT_COMBINATORS = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'enum', 'const'] as const;

/**
 * Folds combinators at the root into properties: providers refuse them there. The result accepts everything that the schema
 * accepts; what it no longer says is still checked when the tool is called.
 */
export function providerSchema(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema as Record<string, unknown>;
  const base: Record<string, unknown> = {
    ...rest,
    type: 'object',
    properties: isRecord(rest['properties']) ? rest['properties'] : {},
  };
  if (!ROOT_COMBINATORS.some((keyword) => keyword in base)) return base;
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    Array.isArray(base[keyword]) ? (base[keyword] as unknown[]) : [],
  );
  const all = Array.isArray(base['allOf']) ? base['allOf'] : [];
  const properties: Record<string, unknown> = {};
  const required = new Set<unknown>(Array.isArray(base['required']) ? base['required'] : []);
  for (const branch of branches)
    if (isRecord(branch) && isRecord(branch['properties'])) mergeInto(properties, branch['properties']);
  for (const branch of all)
    if (isRecord(branch) && Array.isArray(branch['required'])) for (const key of branch['required']) required.add(key);
  mergeInto(properties, base['properties'] as Record<string, unknown>, true);
  for (const keyword of ROOT_COMBINATORS) delete base[keyword];
  // Keys of a branch are not those of the root: a closed root would refuse them.
  if (base['additionalProperties'] === false && branches.length > 0) delete base['additionalProperties'];
  return { ...base, properties, ...(required.size > 0 ? { required: [...required] } : {}) };
}

/** Two meanings of one key are both allowed, unless the later one is the root's own. */
function mergeInto(target: Record<string, unknown>, source: Record<string, unknown>, own = false): void {
  for (const [key, schema] of Object.entries(source)) {
    const known = Object.hasOwn(target, key) && !own ? target[key] : undefined;
    const merged =
      known === undefined || JSON.stringify(known) === JSON.stringify(schema) ? schema : { anyOf: [known, schema] };
    Object.defineProperty(target, key, { value: merged, enumerable: true, configurable: true, writable: true });
  }
}
