// A schema, checked once and then applied to values: contained, bounded, and without generated code.
import { dereference, format, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import { freezeJson, type JsonValue, LosslessJsonError, toLosslessJson } from '@codeseam/lossless-json';
import { ToolRegistryError } from '../errors.ts';
import type { JsonSchema } from '../types.ts';
import { describeViolations, type Violation } from './describe-violations.ts';
import { dropUnevaluated, eachSchema, type SanitizedSchema, sanitizeSchema } from './sanitize-schema.ts';
import { isRecord } from './schema-keywords.ts';

export interface CompiledSchema {
  /** The schema as it was given: a frozen copy, for the model to read. */
  readonly schema: JsonSchema;
  /** Every violation with its path, none for a valid value, or why the schema cannot be applied to it. Never throws. */
  check(value: JsonValue): { violations: Violation[] } | { uncheckable: string };
}

export interface CompileOptions {
  /** The root of paths in messages: `parameters`, `output.schema`. */
  name: string;
  /** Foreign schemas: a nonsense keyword is left out instead of refused, and nothing is compiled before it is needed. */
  lenient: boolean;
  /** Must describe an object: `type` missing is filled in, any other type is refused (or, leniently, replaced). */
  objectRoot: boolean;
}

const DRAFTS_WITHOUT_REF_SIBLINGS = /draft-0[3467]\b/;

/**
 * Takes a snapshot of a schema and, unless lenient, checks all of its keywords at once.
 *
 * @throws {ToolRegistryError} `unsupported-schema`, naming every keyword with a nonsense value.
 */
export function compileSchema(source: unknown, options: CompileOptions): CompiledSchema {
  const schema = snapshotSchema(source, options);
  let validator: Validator | undefined;
  const compiled = () => {
    validator ??= buildValidator(schema, options);
    return validator;
  };
  if (!options.lenient) compiled();
  return {
    schema,
    check(value) {
      try {
        return { violations: compiled()(value) };
      } catch (error) {
        return { uncheckable: uncheckableReason(error) };
      }
    },
  };
}

function snapshotSchema(source: unknown, { name, objectRoot, lenient }: CompileOptions): JsonSchema {
  let copy: JsonValue;
  try {
    copy = toLosslessJson(source, { name });
  } catch (error) {
    throw unsupported(error instanceof LosslessJsonError ? error.message : `${name} cannot be read`);
  }
  if (!isRecord(copy)) {
    if (lenient && objectRoot) return freezeJson({ type: 'object' }) as JsonSchema;
    if (lenient && typeof copy === 'boolean') return freezeJson(copy ? {} : { not: {} }) as JsonSchema;
    throw unsupported(`${name} must be a JSON Schema object, found ${copy === null ? 'null' : typeof copy}`);
  }
  if (objectRoot && copy['type'] !== 'object') {
    const open = copy['type'] === undefined || (Array.isArray(copy['type']) && copy['type'].includes('object'));
    if (!open && !lenient) throw unsupported(`${name}.type must be "object", found ${JSON.stringify(copy['type'])}`);
    copy = { ...copy, type: 'object' } as JsonValue;
  }
  return freezeJson(copy) as JsonSchema;
}

type Validator = (value: JsonValue) => Violation[];

function buildValidator(schema: JsonSchema, options: CompileOptions): Validator {
  const clean = sanitizeSchema(schema as JsonValue, options.name);
  if (clean.faults.length > 0 && !options.lenient) {
    const lines = clean.faults.map(({ path, keyword, problem }) => `${path}.${keyword} must be ${problem}`);
    throw unsupported(lines.join('; '));
  }
  const root = clean.schema as Schema;
  const lookup = resolveReferences(clean);
  const draft = DRAFTS_WITHOUT_REF_SIBLINGS.test(String(schema['$schema'] ?? '')) ? '7' : '2020-12';
  return (value) => {
    clean.budget.left = stepLimit(value);
    const errors = withPatterns(clean.patterns, () => validate(value, root, draft, lookup, false).errors);
    return describeViolations(errors as OutputUnit[], root, lookup, value);
  };
}

/** Indexes the places that `$ref` may mean; references to nowhere, or only to each other, accept anything. */
function resolveReferences(clean: SanitizedSchema): Record<string, Schema | boolean> {
  const root = clean.schema as Schema;
  let lookup: Record<string, Schema | boolean>;
  try {
    lookup = dereference(root);
  } catch {
    // Two places claim one id, or an id is no address: ids are dropped and only pointers count.
    eachSchema(root, (schema) => {
      delete schema['$id'];
      delete schema['id'];
      delete schema['$anchor'];
    });
    lookup = dereference(root);
  }
  let dangling = false;
  eachSchema(root, (schema) => {
    if (schema['$ref'] === undefined || reachesConstraint(schema, lookup)) return;
    delete schema['$ref'];
    dangling = true;
  });
  if (dangling) eachSchema(root, dropUnevaluated);
  return lookup;
}

function reachesConstraint(schema: Record<string, unknown>, lookup: Record<string, unknown>): boolean {
  const seen = new Set<unknown>();
  let at: unknown = schema;
  while (isRecord(at) && at['$ref'] !== undefined) {
    if (seen.has(at)) return false;
    seen.add(at);
    at = lookup[(at as { __absolute_ref__?: string }).__absolute_ref__ ?? String(at['$ref'])];
  }
  return at !== undefined;
}

/** The validator knows patterns only as its own backtracking ones, but formats by name: ours are there while it runs. */
function withPatterns<T>(patterns: ReadonlyMap<string, (text: string) => boolean>, run: () => T): T {
  const table = format as Record<string, (text: string) => boolean>;
  for (const [name, matches] of patterns) table[name] = matches;
  try {
    return run();
  } finally {
    for (const name of patterns.keys()) delete table[name];
  }
}

/** Enough for any schema that visits each part of a value some dozens of times; not enough to stall the host. */
function stepLimit(value: JsonValue): number {
  let nodes = 0;
  const open: JsonValue[] = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    nodes++;
    if (typeof at === 'object' && at !== null) for (const key of Object.keys(at)) open.push((at as never)[key]);
  }
  return 20_000 + 64 * nodes;
}

function uncheckableReason(error: unknown): string {
  if (error instanceof ToolRegistryError) return error.message;
  if (error instanceof RangeError) {
    return error.message === 'too many combinations'
      ? 'it needs too many combinations'
      : 'the value is nested too deeply for it';
  }
  return 'the validator gave up on it';
}

function unsupported(message: string): ToolRegistryError {
  return new ToolRegistryError('unsupported-schema', message);
}
