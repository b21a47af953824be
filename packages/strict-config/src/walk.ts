// What the checks share: the place where they are, and how they report.
import type Schema from 'schemastery';
import { describeSchema, describeValue } from './describe-schema.ts';
import type { ConfigViolation } from './errors.ts';

/** The keys that the parts of an intersection know between them. */
export interface KnownKeys {
  readonly names: Set<string>;
  /** A dictionary is among the parts: every key is known. */
  any: boolean;
}

/** One place in the config and what was found wrong so far. */
export interface Walk {
  readonly path: string;
  readonly violations: ConfigViolation[];
  /** Set where an enclosing intersection looks for unknown keys. */
  readonly keys?: KnownKeys | undefined;
}

/** Reports that a value is not what the schema allows. */
export function reject(schema: Schema, value: unknown, walk: Walk, allowed = describeSchema(schema)): undefined {
  const message = `expected ${allowed}, got ${describeValue(value, schema)}`;
  walk.violations.push({ path: walk.path, message, value, allowed });
}

export function keyPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
