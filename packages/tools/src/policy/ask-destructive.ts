// The default policy: what an MCP server itself calls destructive asks a person, where there is one to ask.
import { compilePattern, matchesAny } from '../name-pattern.ts';
import { namesOf } from '../restrictions.ts';
import type { Tool } from '../types.ts';

/** Creates the policy. `trust` has patterns of tools that are not asked about. */
export function createDestructivePolicy(
  trust: readonly string[],
  canAsk: () => boolean,
): (tool: Tool) => string | undefined {
  const trusted = trust.map(compilePattern);
  return (tool) => {
    if (tool.source !== 'mcp' || tool.annotations.destructiveHint !== true) return undefined;
    if (matchesAny(trusted, [...namesOf(tool), tool.wireName]) || !canAsk()) return undefined;
    return 'its server calls it destructive';
  };
}
