// Proves that what is about to be sent to a model is exactly what was presented.
import { ToolRegistryError } from '../errors.ts';
import { compareText } from '../identity.ts';
import { isRecord } from '../schema/schema-keywords.ts';
import type { Presentation } from '../types.ts';

/**
 * Compares the names in a request's tool list (`name`, or `function.name`) with those of a presentation: every one, once each, and
 * nothing else. Entries without a name (tools that the provider hosts) pass only if their `type` is allowed. For a
 * presentation of nothing it says nothing.
 *
 * @throws {ToolRegistryError} `payload`, naming what is missing, unknown or doubled.
 */
export function checkPayload(
  tools: readonly unknown[],
  presentation: Presentation,
  options: { allowTypes?: readonly string[] } = {},
): void {
  if (presentation.tools.length === 0) return;
  const expected = new Set(presentation.tools.map((tool) => tool.name));
  const found = new Map<string, number>();
  const faults: string[] = [];
  tools.forEach((entry, index) => {
    const name = nameOf(entry);
    const type = isRecord(entry) && typeof entry['type'] === 'string' ? entry['type'] : undefined;
    if (name !== undefined) found.set(name, (found.get(name) ?? 0) + 1);
    else if (type === undefined || !options.allowTypes?.includes(type)) {
      faults.push(
        `entry ${index} has no name${type === undefined ? '' : ` (type ${JSON.stringify(type)}, not allowed)`}`,
      );
    }
  });
  const missing = [...expected].filter((name) => !found.has(name)).sort(compareText);
  const unknown = [...found.keys()].filter((name) => !expected.has(name)).sort(compareText);
  const doubled = [...found].filter(([, count]) => count > 1).map(([name]) => name);
  if (missing.length > 0) faults.push(`missing ${list(missing)}`);
  if (unknown.length > 0) faults.push(`not presented ${list(unknown)}`);
  if (doubled.length > 0) faults.push(`more than once ${list(doubled)}`);
  if (faults.length > 0)
    throw new ToolRegistryError('payload', `the request's tools are not what was presented: ${faults.join('; ')}`);
}

function nameOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  if (typeof entry['name'] === 'string') return entry['name'];
  const fn = entry['function'];
  return isRecord(fn) && typeof fn['name'] === 'string' ? fn['name'] : undefined;
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name));
  return shown.join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '');
}
