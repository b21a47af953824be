// The conformance suite: the whole contract of a code runtime as Vitest tests, for our providers and for anybody's.
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ConformanceCase } from './conformance/case.ts';
import { conformanceGroups } from './conformance/groups.ts';
import type { CodeRuntime } from './types.ts';

export type { CaseTools, ConformanceCase } from './conformance/case.ts';
export { conformanceGroups } from './conformance/groups.ts';

export interface ConformanceOptions {
  /** Whether the boundary is part of the contract: on, unless the provider is for trusted programs. */
  isolation?: boolean;
  /** Whether freezing and thawing are: as the runtime says of itself. */
  resumable?: boolean;
  /** Milliseconds that one case may take. Default 60,000. */
  timeout?: number;
}

/**
 * Declares the contract of a code runtime as Vitest tests.
 *
 * @param name of the suite.
 * @param factory makes a fresh runtime with ordinary limits; the suite disposes what it made.
 * @example
 * describeCodeRuntime('my runtime', () => createMyRuntime());
 */
export function describeCodeRuntime(
  name: string,
  factory: () => CodeRuntime | Promise<CodeRuntime>,
  options: ConformanceOptions = {},
): void {
  describe(name, () => {
    let runtime: CodeRuntime;
    beforeAll(async () => {
      runtime = await factory();
    });
    afterAll(() => runtime?.dispose());
    for (const [group, all] of Object.entries(conformanceGroups)) {
      const cases = all.filter(({ part }) => part === undefined || options[part] !== false);
      if (cases.length === 0) continue;
      describe(group, () => {
        for (const conformanceCase of cases) {
          it(
            conformanceCase.name,
            async (context) => {
              if (!applies(conformanceCase, runtime, options)) return context.skip();
              await runCase(conformanceCase, runtime, factory);
            },
            options.timeout ?? 60_000,
          );
        }
      });
    }
  });
}

function applies(conformanceCase: ConformanceCase, runtime: CodeRuntime, options: ConformanceOptions): boolean {
  if (conformanceCase.part === 'resumable' && options.resumable === undefined && !runtime.resumable) return false;
  return conformanceCase.applies?.(runtime) ?? true;
}

/**
 * Runs one case; rejects with what is wrong.
 *
 * @param runtime shared with other cases.
 * @param factory for the cases that want a runtime of their own; it is disposed here.
 */
export async function runCase(
  conformanceCase: ConformanceCase,
  runtime: CodeRuntime,
  factory: () => CodeRuntime | Promise<CodeRuntime>,
): Promise<void> {
  const own: CodeRuntime[] = [];
  const open = async () => {
    const made = await factory();
    own.push(made);
    return made;
  };
  try {
    await conformanceCase.run({ runtime, open });
  } finally {
    await Promise.all(own.map((it) => it.dispose()));
  }
}
