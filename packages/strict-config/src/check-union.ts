// Finds the member of a union that a value belongs to, and the most useful complaint if there is none.

import { nearestNames } from '@codeseam/nearest-names';
import type Schema from 'schemastery';
import { describeSchema, describeValue, oneOf } from './describe-schema.ts';
import type { ConfigViolation } from './errors.ts';
import { isPlainObject, type KnownKeys, keyPath, reject, type Walk } from './walk.ts';

type CheckValue = (schema: Schema, given: unknown, walk: Walk) => unknown;

export function checkUnion(schema: Schema, value: unknown, walk: Walk, checkValue: CheckValue): unknown {
  const members = schema.list ?? [];
  const attempts: ConfigViolation[][] = [];
  for (const member of members) {
    const violations: ConfigViolation[] = [];
    const keys: KnownKeys | undefined = walk.keys && { names: new Set(), any: false };
    const checked = checkValue(member, value, { path: walk.path, violations, keys });
    if (violations.length === 0) {
      adoptKeys(walk.keys, keys);
      return checked;
    }
    attempts.push(violations);
  }
  // What any member knows is not reported a second time as an unknown key.
  if (walk.keys) walk.keys.any = true;
  complain(schema, members, attempts, value, walk);
  return undefined;
}

function adoptKeys(into: KnownKeys | undefined, from: KnownKeys | undefined): void {
  if (!into || !from) return;
  for (const name of from.names) into.names.add(name);
  into.any ||= from.any;
}

function complain(
  schema: Schema,
  members: readonly Schema[],
  attempts: readonly ConfigViolation[][],
  value: unknown,
  walk: Walk,
): void {
  if (isPlainObject(value)) {
    const tag = sharedTag(members, value);
    if (tag) {
      const [key, choices] = tag;
      const violations = { path: keyPath(walk.path, key), violations: walk.violations };
      rejectChoice(choices, value[key], violations);
      return;
    }
  }
  // A member that the value belongs to by its kind (and its tag) knows best what is wrong inside.
  let best: ConfigViolation[] | undefined;
  for (const [index, violations] of attempts.entries()) {
    if (violations.some((violation) => violation.path === walk.path)) continue;
    if (isPlainObject(value) && mismatchedTag(members[index]!, value) !== undefined) continue;
    if (best === undefined || violations.length < best.length) best = violations;
  }
  if (best) walk.violations.push(...best);
  else if (members.length > 0 && members.every((member) => member.type === 'const')) rejectChoice(members, value, walk);
  else reject(schema, value, walk);
}

function rejectChoice(choices: readonly Schema[], value: unknown, walk: Walk): void {
  const allowed = oneOf(choices.map(describeSchema));
  const words = choices.map((choice) => choice.value).filter((word) => typeof word === 'string');
  const [near] = typeof value === 'string' ? nearestNames(value, words, 1) : [];
  const help = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
  walk.violations.push({
    path: walk.path,
    message: `expected ${allowed}, got ${describeValue(value)}${help}`,
    value,
    allowed,
  });
}

/** The key by which all members tell themselves apart, with their choices, if the value has none of them. */
function sharedTag(
  members: readonly Schema[],
  value: Record<string, unknown>,
): [key: string, choices: Schema[]] | undefined {
  const objects = members.filter((member) => member.type === 'object');
  const first = objects[0];
  if (!first || objects.length < 2) return undefined;
  for (const key of Object.keys(first.dict ?? {})) {
    const choices = objects.map((member) => member.dict?.[key]);
    if (!choices.every((choice): choice is Schema => choice?.type === 'const')) continue;
    if (choices.every((choice) => choice.value !== value[key])) return [key, choices];
  }
  return undefined;
}

function mismatchedTag(member: Schema, value: Record<string, unknown>): string | undefined {
  if (member.type !== 'object') return undefined;
  return Object.keys(member.dict ?? {}).find((key) => {
    const part = member.dict![key]!;
    return part.type === 'const' && part.value !== value[key] && (value[key] !== undefined || part.meta.required);
  });
}
