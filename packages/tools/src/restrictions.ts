// Which tools a scope may see: restrictions intersect, and deny wins.
import { ToolRegistryError } from './errors.ts';
import { toolId } from './identity.ts';
import { compilePattern, matchesAny } from './name-pattern.ts';
import type { ToolRestriction, ToolScope } from './types.ts';
import { fitForWire, type NamedTool, qualifiedName } from './wire-names.ts';

export interface Restriction {
  readonly serial: number;
  applies(scope: ToolScope): boolean;
  /** `isAmbiguous` says whether several tools have this tool's plain name. */
  permits(tool: NamedTool, isAmbiguous: (name: string) => boolean): boolean;
  /** Whether an owner that has no tools yet may be told of. What cannot be known of its tools counts against it. */
  permitsOwner(identity: Pick<NamedTool, 'source' | 'owner'>): boolean;
}

let serials = 0;

/** The texts by which a pattern may mean a tool: id, plain name, and its qualified name, also as the wire has it. */
export function namesOf(tool: NamedTool): string[] {
  const qualified = qualifiedName(tool);
  return [tool.name, tool.id, qualified, fitForWire(qualified)];
}

/**
 * Checks and compiles a restriction; its lists are read once.
 *
 * @throws {ToolRegistryError} `invalid-option` for a wrong shape.
 */
export function compileRestriction(restriction: ToolRestriction): Restriction {
  const allowed = [...(restriction.allow ?? [])];
  const allow = compileList('allow', restriction.allow);
  const deny = compileList('deny', restriction.deny);
  const { when } = restriction;
  if (when !== undefined && typeof when !== 'function') {
    throw new ToolRegistryError('invalid-option', 'the `when` of a restriction must be a function');
  }
  if (!allow && !deny) throw new ToolRegistryError('invalid-option', 'a restriction needs `allow` or `deny`');
  return {
    serial: ++serials,
    // What cannot be told applies: a restriction fails closed.
    applies: (scope) => {
      try {
        return when === undefined || Boolean(when(scope));
      } catch {
        return true;
      }
    },
    permits: (tool, isAmbiguous) => {
      const names = namesOf(tool);
      if (deny && matchesAny(deny, names)) return false;
      if (!allow) return true;
      // A plain name that several owners have would let in whoever takes it.
      const plain = allowed.includes(tool.name) && isAmbiguous(tool.name);
      return matchesAny(plain ? allow.filter((_, index) => allowed[index] !== tool.name) : allow, names);
    },
    permitsOwner: ({ source, owner }) => {
      // A tool with a name that no pattern can mean by itself: what matches it means the owner.
      const some = { source, owner, name: '\u0000', id: toolId(source, owner, '\u0000') };
      const texts = [some.id, qualifiedName(some)];
      if (deny && matchesAny(deny, texts)) return false;
      if (!allow) return true;
      const beginnings = texts.map((text) => text.slice(0, -1));
      return matchesAny(allow, texts) || allowed.some((pattern) => beginnings.some((it) => pattern.startsWith(it)));
    },
  };
}

function compileList(
  field: string,
  patterns: readonly string[] | undefined,
): ((text: string) => boolean)[] | undefined {
  if (patterns === undefined) return undefined;
  if (!Array.isArray(patterns) || patterns.some((pattern) => typeof pattern !== 'string' || pattern === '')) {
    throw new ToolRegistryError(
      'invalid-option',
      `the \`${field}\` of a restriction must be an array of non-empty strings`,
    );
  }
  return patterns.map(compilePattern);
}
