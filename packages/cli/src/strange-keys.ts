// Keys of a call that its tool does not know: an open schema takes them without a word.
import { nearestNames } from '@codeseam/nearest-names';
import { schemaToHint } from '@codeseam/schema-types';
import type { Tool } from '@codeseam/tools';

const MAX_HINT_CHARS = 300;
const MOST_KEYS = 5;

/** A sentence on the keys that are none of the tool's, with the nearest real ones; undefined if there are none. */
export function describeStrangeKeys(given: unknown, { parameters }: Pick<Tool, 'parameters'>): string | undefined {
  const { properties } = parameters as { properties?: unknown };
  if (!isRecord(given) || !isRecord(properties)) return undefined;
  const known = Object.keys(properties);
  const strange = Object.keys(given).filter((key) => !known.includes(key));
  if (strange.length === 0 || known.length === 0) return undefined;
  const told = strange.slice(0, MOST_KEYS).map((key) => {
    const near = nearestNames(
      key,
      known.filter((name) => !Object.hasOwn(given, name)),
    )[0];
    return `${JSON.stringify(key.slice(0, 60))} is no key of this tool${near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`}`;
  });
  return told.join('; ');
}

/** What a tool takes, as a type: `{ path: string; head?: number }`. */
export function describeInput({ parameters }: Pick<Tool, 'parameters'>): string {
  return schemaToHint(parameters, { io: 'input', maxChars: MAX_HINT_CHARS }).text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
