// Standard Schema objects as JSON Schema, and as checks.
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { ToolRegistryError } from './errors.ts';
import { thrownMessage } from './read-thrown.ts';
import type { Violation } from './schema/describe-violations.ts';
import type { JsonSchema } from './types.ts';

export function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  return (
    ((typeof schema === 'object' && schema !== null) || typeof schema === 'function') &&
    typeof (schema as { '~standard'?: { validate?: unknown } })['~standard']?.validate === 'function'
  );
}

/**
 * The JSON Schema that the library itself gives for one side of a schema.
 *
 * @throws {ToolRegistryError} `unsupported-schema` where it gives none.
 */
export function jsonSchemaOf(schema: StandardSchemaV1, side: 'input' | 'output', label: string): JsonSchema {
  const { jsonSchema, vendor } = (schema as unknown as StandardJSONSchemaV1)['~standard'];
  if (typeof jsonSchema?.[side] !== 'function') {
    throw new ToolRegistryError(
      'unsupported-schema',
      `${label}: this ${vendor} schema cannot be written as JSON Schema`,
      vendor === 'valibot'
        ? 'wrap it: toStandardJsonSchema(schema) of @valibot/to-json-schema'
        : 'use a version of the library with Standard JSON Schema (zod 4.2 or newer), or give JSON Schema',
    );
  }
  try {
    // A copy: libraries hang hidden keys of their own on it.
    return { ...jsonSchema[side]({ target: 'draft-2020-12' }) };
  } catch (error) {
    throw new ToolRegistryError(
      'unsupported-schema',
      `${label}: ${vendor} cannot write it as JSON Schema: ${thrownMessage(error)}`,
    );
  }
}

/** Applies a Standard Schema: the value as the library gives it back (coerced, transformed), or every violation. */
export async function applyStandardSchema(
  schema: StandardSchemaV1,
  value: unknown,
): Promise<{ value: unknown } | { violations: Violation[] }> {
  const result = await schema['~standard'].validate(value);
  if (!result.issues) return { value: result.value };
  return { violations: result.issues.map((issue) => ({ path: pathOf(issue.path ?? []), message: issue.message })) };
}

function pathOf(path: readonly (PropertyKey | StandardSchemaV1.PathSegment)[]): string {
  return path
    .map((segment) => (typeof segment === 'object' ? segment.key : segment))
    .reduce<string>((text, key) => {
      if (typeof key === 'number') return `${text}[${key}]`;
      return text === '' ? String(key) : `${text}.${String(key)}`;
    }, '');
}
