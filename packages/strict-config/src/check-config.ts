// Walks a config along its schema: collects every violation, fills in defaults, and leaves the given value alone.
import { nearestNames } from '@codeseam/nearest-names';
import Schema from 'schemastery';
import { checkUnion } from './check-union.ts';
import { describeSchema, describeValue } from './describe-schema.ts';
import type { ConfigViolation } from './errors.ts';
import { isPlainObject, keyPath, reject, type Walk } from './walk.ts';

export interface CheckedConfig {
  value: unknown;
  violations: ConfigViolation[];
}

export function checkConfig(schema: Schema, config: unknown): CheckedConfig {
  const violations: ConfigViolation[] = [];
  const value = checkValue(schema, config, { path: '', violations });
  return { value, violations };
}

function checkValue(schema: Schema, given: unknown, walk: Walk): unknown {
  if (schema.type === 'lazy') return checkValue(builtSchema(schema), given, walk);
  let value = given;
  if (value === undefined) {
    if (schema.meta.required) {
      const allowed = describeSchema(schema);
      walk.violations.push({ path: walk.path, message: `missing, expected ${allowed}`, value, allowed });
      return undefined;
    }
    value = defaultOf(schema);
    if (value === undefined || value === null) return value;
  }
  switch (schema.type) {
    case 'number':
      return checkNumber(schema, value, walk);
    case 'string':
      return checkString(schema, value, walk);
    case 'array':
    case 'tuple':
      return checkList(schema, value, walk);
    case 'object':
      return checkObject(schema, value, walk);
    case 'dict':
      return checkDict(schema, value, walk);
    case 'union':
      return checkUnion(schema, value, walk, checkValue);
    case 'intersect':
      return checkIntersection(schema, value, walk);
    case 'transform':
      return checkTransform(schema, value, walk);
    default:
      return checkLeaf(schema, value, walk);
  }
}

function defaultOf(schema: Schema): unknown {
  let at: Schema | undefined = schema;
  while (at.type === 'intersect' && (at.meta.default === undefined || at.meta.default === null)) {
    at = at.list?.[0];
    if (at === undefined) return undefined;
  }
  return at.meta.default;
}

function builtSchema(schema: Schema): Schema {
  const built = schema as Schema & { inner?: Schema };
  // As schemastery does it: the builder runs once, and what is said on the outside counts inside.
  if (typeof built.inner !== 'function') {
    built.inner = Schema(built.builder!() as Schema);
    built.inner.meta = { ...built.meta, ...built.inner.meta };
  }
  return built.inner;
}

function checkNumber(schema: Schema, value: unknown, walk: Walk): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value)) return reject(schema, value, walk);
  return resolves(schema, value) ? value : reject(schema, value, walk);
}

function checkString(schema: Schema, value: unknown, walk: Walk): unknown {
  return resolves(schema, value) ? value : reject(schema, value, walk);
}

function resolves(schema: Schema, value: unknown): boolean {
  try {
    Schema.resolve(value, withoutLoose(schema), {});
    return true;
  } catch {
    return false;
  }
}

/** `loose` replaces a bad value by the default without a word. */
function withoutLoose(schema: Schema): Schema {
  return schema.meta.loose ? schema.loose(false) : schema;
}

/** Every type without parts of its own: its own rule decides. */
function checkLeaf(schema: Schema, value: unknown, walk: Walk): unknown {
  if (value === null && schema.type !== 'any' && !(schema.type === 'const' && schema.value === null)) {
    return reject(schema, value, walk);
  }
  try {
    return Schema.resolve(value, withoutLoose(schema), {})[0];
  } catch {
    return reject(schema, value, walk);
  }
}

function checkList(schema: Schema, value: unknown, walk: Walk): unknown {
  if (!Array.isArray(value)) return reject(schema, value, walk);
  const { min = 0, max = Number.POSITIVE_INFINITY } = schema.meta;
  const tuple = schema.type === 'tuple' ? (schema.list ?? []) : undefined;
  if (tuple ? value.length > tuple.length : value.length < min || value.length > max) {
    const allowed = describeSchema(schema);
    walk.violations.push({
      path: walk.path,
      message: `expected ${allowed}, got ${value.length} items`,
      value,
      allowed,
    });
  }
  const length = tuple ? Math.max(tuple.length, value.length) : value.length;
  return Array.from({ length }, (_, index) => {
    const part = tuple ? tuple[index] : schema.inner;
    return part
      ? checkValue(part, value[index], { ...walk, path: keyPath(walk.path, index), keys: undefined })
      : undefined;
  });
}

function checkObject(schema: Schema, value: unknown, walk: Walk): unknown {
  if (!isPlainObject(value)) return reject(schema, value, walk);
  const known = Object.keys(schema.dict ?? {});
  const result: Record<string, unknown> = {};
  for (const key of known) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    const checked = checkValue(schema.dict![key]!, given, { ...walk, path: keyPath(walk.path, key), keys: undefined });
    if (checked !== undefined) setOwn(result, key, checked);
  }
  if (walk.keys) for (const key of known) walk.keys.names.add(key);
  else rejectUnknownKeys(value, new Set(known), walk);
  return result;
}

function rejectUnknownKeys(value: Record<string, unknown>, known: Set<string>, walk: Walk): void {
  for (const key of Object.keys(value)) {
    if (known.has(key)) continue;
    const [near] = nearestNames(key, known, 1);
    const names = [...known];
    const allowed = names.length > 0 ? names.join(', ') : 'no keys';
    const help = near !== undefined ? `did you mean ${near}?` : `known keys: ${allowed}`;
    walk.violations.push({
      path: keyPath(walk.path, key),
      message: names.length > 0 ? `unknown key, ${help}` : 'unknown key, there are none here',
      value: value[key],
      allowed,
    });
  }
}

function checkDict(schema: Schema, value: unknown, walk: Walk): unknown {
  if (!isPlainObject(value)) return reject(schema, value, walk);
  if (walk.keys) walk.keys.any = true;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const place = { ...walk, path: keyPath(walk.path, key), keys: undefined };
    const name = schema.sKey ? checkValue(schema.sKey, key, place) : key;
    const checked = checkValue(schema.inner!, value[key], place);
    if (typeof name === 'string' && checked !== undefined) setOwn(result, name, checked);
  }
  return result;
}

function checkIntersection(schema: Schema, value: unknown, walk: Walk): unknown {
  const keys = walk.keys ?? { names: new Set<string>(), any: false };
  const found: ConfigViolation[] = [];
  let result: unknown;
  for (const part of schema.list ?? []) {
    const checked = checkValue(part, value, { path: walk.path, violations: found, keys });
    if (isPlainObject(result) && isPlainObject(checked)) {
      for (const key of Object.keys(checked)) if (!Object.hasOwn(result, key)) setOwn(result, key, checked[key]);
    } else if (result === undefined) {
      result = checked;
    }
  }
  for (const violation of found) {
    const same = walk.violations.some((one) => one.path === violation.path && one.message === violation.message);
    if (!same) walk.violations.push(violation);
  }
  if (!walk.keys && !keys.any && isPlainObject(value)) rejectUnknownKeys(value, keys.names, walk);
  return result;
}

function checkTransform(schema: Schema, value: unknown, walk: Walk): unknown {
  const found: ConfigViolation[] = [];
  const inner = checkValue(schema.inner!, value, { ...walk, violations: found });
  walk.violations.push(...found);
  if (found.length > 0) return undefined;
  try {
    return schema.callback!(inner, {});
  } catch (error) {
    const message = `${error instanceof Error ? error.message : 'not accepted'}, got ${describeValue(value, schema)}`;
    walk.violations.push({ path: walk.path, message, value, allowed: describeSchema(schema) });
    return undefined;
  }
}

function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
