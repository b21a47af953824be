// Fills in the defaults of the top level of an object schema.
import type { JsonValue } from '@codeseam/lossless-json';
import type { JsonSchema } from '../types.ts';
import { isRecord } from './schema-keywords.ts';

/** Gives the arguments with the declared default of every absent top-level property; the same object where none is absent. */
export function fillDefaults(schema: JsonSchema, args: JsonValue): JsonValue {
  const properties = schema['properties'];
  if (!isRecord(properties) || !isRecord(args)) return args;
  let filled: Record<string, JsonValue> | undefined;
  for (const [key, property] of Object.entries(properties)) {
    if (Object.hasOwn(args, key) || !isRecord(property) || !Object.hasOwn(property, 'default')) continue;
    filled ??= { ...(args as Record<string, JsonValue>) };
    Object.defineProperty(filled, key, {
      value: property['default'],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return filled ?? args;
}
