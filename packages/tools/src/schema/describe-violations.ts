// Turns the validator's error list into one line for each violation: where, what was expected, what was found.
import type { OutputUnit, Schema } from '@cfworker/json-schema';
import type { JsonValue } from '@codeseam/lossless-json';
import { nearestNames } from '@codeseam/nearest-names';
import { PATTERN_FORMAT } from './sanitize-schema.ts';
import { isRecord } from './schema-keywords.ts';

export interface Violation {
  /** From the root of the value: `rows[3].city`, empty for the root itself. */
  path: string;
  message: string;
  /** About a key that is allowed but probably misspelt, or what may be meant. */
  hint?: string;
}

type Lookup = Record<string, Schema | boolean>;

/** Keywords whose own line only says that something below failed. */
const CARRIERS = new Set([
  '$ref',
  '$recursiveRef',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'allOf',
  'if',
  'dependentSchemas',
  'unevaluatedItems',
]);

const BOUNDS = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'above',
  exclusiveMaximum: 'below',
  multipleOf: 'a multiple of',
};

const MAX_LISTED = 400;

/** Every violation, in the order of the schema, with unknown keys named beside the missing ones that they may be. */
export function describeViolations(
  errors: readonly OutputUnit[],
  root: Schema,
  lookup: Lookup,
  value: JsonValue,
): Violation[] {
  const violations: Violation[] = [];
  walk(errors, 0, errors.length, violations, { root, lookup, value });
  return violations;
}

interface Surroundings {
  root: Schema;
  lookup: Lookup;
  value: JsonValue;
}

function walk(errors: readonly OutputUnit[], from: number, to: number, out: Violation[], around: Surroundings): void {
  for (let at = from; at < to; at++) {
    const error = errors[at]!;
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      const end = endOfBranches(errors, at, to);
      describeChoice(errors, at, end, out, around);
      at = end - 1;
    } else if (!CARRIERS.has(error.keyword)) {
      const next = errors[at + 1];
      const refusedKey = error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties';
      if (refusedKey && next?.keyword === 'false') {
        out.push(unknownKey(error, next, around));
        at++;
      } else if (!refusedKey && error.keyword !== 'propertyNames') {
        out.push(violationOf(error, around));
      } else if (error.keyword === 'propertyNames') {
        out.push({ path: pathOf(error.instanceLocation), message: error.error.replace(/\.$/, '').replace(/^P/, 'p') });
        at = endOfNested(errors, at, to, `${error.keywordLocation}`) - 1;
      }
    }
  }
}

/** Errors of the branches of a choice come after its own line, below its place in the schema. */
function endOfBranches(errors: readonly OutputUnit[], at: number, to: number): number {
  return endOfNested(errors, at, to, `${errors[at]!.keywordLocation}/`);
}

function endOfNested(errors: readonly OutputUnit[], at: number, to: number, prefix: string): number {
  let end = at + 1;
  while (end < to && errors[end]!.keywordLocation.startsWith(prefix)) end++;
  return end;
}

function describeChoice(
  errors: readonly OutputUnit[],
  at: number,
  end: number,
  out: Violation[],
  around: Surroundings,
): void {
  const own = errors[at]!;
  const path = pathOf(own.instanceLocation);
  const several = /\((\d+) matches\)/.exec(own.error);
  if (several && several[1] !== '0') {
    out.push({ path, message: `matches ${several[1]} variants, where exactly one may match` });
    return;
  }
  const branches = new Map<string, { from: number; to: number }>();
  for (let i = at + 1; i < end; i++) {
    const index = errors[i]!.keywordLocation.slice(own.keywordLocation.length + 1).split('/')[0]!;
    const branch = branches.get(index);
    if (branch) branch.to = i + 1;
    else branches.set(index, { from: i, to: i + 1 });
  }
  const described = [...branches.values()].map((branch) => {
    const lines: Violation[] = [];
    walk(errors, branch.from, branch.to, lines, around);
    return lines;
  });
  const types = described.map((lines) =>
    lines.length === 1 && lines[0]!.path === path ? expectedType(lines[0]!.message) : undefined,
  );
  if (described.length > 0 && types.every((type) => type !== undefined)) {
    const expected = [...new Set(types as string[])].join(' or ');
    out.push({ path, message: `expected ${expected}, found ${kindAt(own.instanceLocation, around.value)}` });
    return;
  }
  // The variant that came nearest says most; those of another type say nothing.
  const near = described.filter((_, i) => types[i] === undefined).sort((a, b) => a.length - b.length)[0];
  if (near === undefined || described.length === 1) out.push(...(near ?? [{ path, message: 'matches no variant' }]));
  else
    out.push({
      path,
      message: `matches none of ${described.length} variants; for the nearest: ${near.map(lineOf).join('; ')}`,
    });
}

/** One line: `rows[3].city: expected string, found number`. */
export function lineOf(violation: Violation): string {
  return violation.path === '' ? violation.message : `${violation.path}: ${violation.message}`;
}

function expectedType(message: string): string | undefined {
  return /^expected (.+), found \w+$/.exec(message)?.[1];
}

function violationOf(error: OutputUnit, around: Surroundings): Violation {
  const path = pathOf(error.instanceLocation);
  switch (error.keyword) {
    case 'type': {
      const expected = /Expected "(.*)"\.$/s.exec(error.error)?.[1]?.split('", "').join(' or ') ?? 'another type';
      return { path, message: `expected ${expected}, found ${kindAt(error.instanceLocation, around.value)}` };
    }
    case 'required': {
      const key = /required property "(.*)"\.$/s.exec(error.error)?.[1] ?? '';
      const hint = misspeltKey(error, key, around);
      return { path: pathOf(error.instanceLocation, key), message: 'is required', ...(hint ? { hint } : {}) };
    }
    case 'false':
      return { path, message: 'is not allowed here' };
    case 'enum': {
      const listed = /any of (.*)\.$/s.exec(error.error)?.[1] ?? '';
      return { path, message: `must be one of ${cut(listed.slice(1, -1).replaceAll(',', ', '))}` };
    }
    case 'const':
      return { path, message: `must be ${cut(/match (.*)\.$/s.exec(error.error)?.[1] ?? 'another value')}` };
    case 'format':
      return {
        path,
        message: `does not match ${cut(/format "(.*)"\.$/s.exec(error.error)?.[1]?.slice(PATTERN_FORMAT.length) ?? '')}`,
      };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      // The validator's own line holds the value, which may be secret.
      return { path, message: `must be ${BOUNDS[error.keyword]} ${/ (\S+)\.$/.exec(error.error)?.[1] ?? 'its bound'}` };
    default:
      return {
        path,
        message: cut(
          error.error
            .replace(/\.$/, '')
            .replace(/^Instance /, '')
            .replace(/^./, (c) => c.toLowerCase()),
        ),
      };
  }
}

function unknownKey(error: OutputUnit, at: OutputUnit, around: Surroundings): Violation {
  const key = decode(at.instanceLocation.slice(error.instanceLocation.length + 1));
  const near = nearestNames(key, knownKeys(error, around), 1);
  return {
    path: pathOf(error.instanceLocation, key),
    message: near.length > 0 ? `unknown key; did you mean "${near[0]}"?` : 'unknown key',
  };
}

/** An open schema takes any key, but one that is near to a missing key is probably meant to be it. */
function misspeltKey(error: OutputUnit, missing: string, around: Surroundings): string | undefined {
  const object = valueAt(error.instanceLocation, around.value);
  if (!isRecord(object)) return undefined;
  const known = knownKeys(error, around);
  const strangers = Object.keys(object).filter((key) => !known.includes(key));
  for (const stranger of strangers) {
    if (nearestNames(stranger, [missing, ...known], 1)[0] === missing)
      return `"${stranger}" is not a known key; did you mean "${missing}"?`;
  }
  return undefined;
}

/** The property names that the schema at the error's place knows. */
function knownKeys(error: OutputUnit, { root, lookup }: Surroundings): string[] {
  let at: unknown = root;
  const steps = error.keywordLocation
    .split('/')
    .slice(1, -1)
    .map((part) => decode(decodePercent(part)));
  for (const step of steps) {
    if (!isRecord(at) && !Array.isArray(at)) return [];
    at =
      step === '$ref'
        ? lookup[(at as { __absolute_ref__?: string }).__absolute_ref__ ?? '']
        : (at as Record<string, unknown>)[step];
  }
  return isRecord(at) && isRecord(at['properties']) ? Object.keys(at['properties']) : [];
}

function decode(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function stepsOf(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((part) => decode(decodePercent(part)));
}

function decodePercent(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function valueAt(location: string, root: JsonValue): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const step of stepsOf(location)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.hasOwn(at, step) ? (at as Record<string, JsonValue>)[step] : undefined;
  }
  return at;
}

function kindAt(location: string, root: JsonValue): string {
  const value = valueAt(location, root);
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** `#/rows/3/city` as `rows[3].city`. */
function pathOf(location: string, ...more: string[]): string {
  let path = '';
  for (const step of [...stepsOf(location), ...more]) {
    if (/^\d+$/.test(step)) path += `[${step}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(step)) path += path === '' ? step : `.${step}`;
    else path += `[${cut(JSON.stringify(step), 80)}]`;
  }
  return path;
}

function cut(text: string, most = MAX_LISTED): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
