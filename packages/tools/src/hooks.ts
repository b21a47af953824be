// Hooks: ordered lists of policy, one for each stage.
import { ToolRegistryError } from './errors.ts';
import type { ToolHooks } from './types.ts';

const STAGES = [
  'preExecute',
  'guard',
  'around',
  'postExecute',
  'present',
] as const satisfies readonly (keyof ToolHooks)[];

export interface HookLists {
  add<Stage extends keyof ToolHooks>(stage: Stage, fn: ToolHooks[Stage], options?: { order?: number }): () => void;
  /** In order: lower numbers first, then as added. */
  of<Stage extends keyof ToolHooks>(stage: Stage): readonly ToolHooks[Stage][];
  clear(): void;
}

/** Creates the hook lists of a registry. */
export function createHookLists(): HookLists {
  let lists: Record<string, readonly { fn: unknown; order: number }[]> = {};
  return {
    add(stage, fn, { order = 0 } = {}) {
      if (!STAGES.includes(stage)) {
        throw new ToolRegistryError(
          'invalid-option',
          `unknown hook stage ${JSON.stringify(stage)}; there are ${STAGES.join(', ')}`,
        );
      }
      if (typeof fn !== 'function') throw new ToolRegistryError('invalid-option', `a ${stage} hook must be a function`);
      if (!Number.isFinite(order))
        throw new ToolRegistryError('invalid-option', `the order of a ${stage} hook must be a number`);
      const entry = { fn, order };
      // A stable sort keeps equal orders as they were added.
      lists[stage] = [...(lists[stage] ?? []), entry].sort((a, b) => a.order - b.order);
      return () => {
        lists[stage] = (lists[stage] ?? []).filter((other) => other !== entry);
      };
    },
    of: (stage) => (lists[stage] ?? []).map((entry) => entry.fn as never),
    clear() {
      lists = {};
    },
  };
}
