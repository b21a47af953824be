// Allow, deny and ask lists with wildcards, for some scopes or all: the most restrictive rule wins.
import { strictConfig } from '@codeseam/strict-config';
import Schema from 'schemastery';
import { compilePattern, matchesAny } from '../name-pattern.ts';
import { namesOf } from '../restrictions.ts';
import type { ToolRegistry, ToolScope } from '../types.ts';
import { policyPlugin } from './policy-plugin.ts';

export interface AccessRule {
  /** Fields of the scope with the values (patterns) that they must have; absent: every scope. */
  when?: Readonly<Record<string, string | readonly string[]>>;
  /** Only these are visible. */
  allow?: readonly string[];
  /** These are not visible, whatever else allows them. */
  deny?: readonly string[];
  /** Calls of these ask a person first. */
  ask?: readonly string[];
}

export interface AccessConfig {
  rules: readonly AccessRule[];
}

/** Absent stays absent: an empty list of what is allowed allows nothing. */
const texts = () => Schema.array(Schema.string()).default(undefined as never);

export const accessConfig = strictConfig<AccessConfig, AccessConfig>(
  Schema.object({
    rules: Schema.array(
      Schema.object({
        when: Schema.dict(Schema.union([Schema.string(), texts()])),
        allow: texts(),
        deny: texts(),
        ask: texts(),
      }),
    ).default([]),
  }) as never,
  { name: '@codeseam/tools/policy' },
);

/**
 * Puts access rules in force; gives the undo. What several rules say is combined: a tool must be allowed by every rule with an
 * `allow` list, a `deny` hides it, an `ask` asks.
 *
 * @throws {ConfigError}
 */
export function installAccess(tools: ToolRegistry, given: AccessConfig): () => void {
  const undo: (() => void)[] = [];
  for (const rule of accessConfig(given).rules) {
    const when = scopeMatcher(rule.when);
    const { allow, deny, ask } = rule;
    if (allow || deny) undo.push(tools.restrict({ ...(allow ? { allow } : {}), ...(deny ? { deny } : {}), when }));
    if (!ask || ask.length === 0) continue;
    const asks = ask.map(compilePattern);
    const hook = tools.hook('preExecute', ({ tool, scope }) =>
      when(scope) && !tool.control && matchesAny(asks, [...namesOf(tool), tool.wireName])
        ? { decision: 'ask', reason: 'a rule of the access policy asks for it' }
        : undefined,
    );
    undo.push(hook);
  }
  return () => {
    for (const step of undo) step();
  };
}

function scopeMatcher(when: AccessRule['when']): (scope: ToolScope) => boolean {
  const fields = Object.entries(when ?? {}).map(
    ([field, values]) => [field, [values].flat().map((value) => compilePattern(value as string))] as const,
  );
  return (scope) =>
    fields.every(([field, patterns]) => typeof scope[field] === 'string' && matchesAny(patterns, [scope[field]]));
}

export default policyPlugin('@codeseam/tools/policy', accessConfig, installAccess);
