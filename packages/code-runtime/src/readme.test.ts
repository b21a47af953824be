// The example of the README, run over a provider's stand-in: the seam itself runs nothing.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkRunRequest } from './check-request.ts';
import type { CodeRunRequest } from './types.ts';

test('the request of the README is one that the check takes', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [example] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]!);
  const runtime = {
    start(request: CodeRunRequest) {
      const checked = checkRunRequest(request, {
        languages: ['javascript'],
        limits: { computeMs: { default: 1, min: 1, max: 1_000 } },
      });
      const add = checked.namespaces[0]!.table.find(['add'])!;
      return {
        result: Promise.resolve({ value: add.call({} as never, 2, 3), logs: [checked.program], error: undefined }),
      };
    },
  };
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<unknown[]>;
  const [value, logs, error] = await new AsyncFunction('runtime', `${example}\nreturn [value, logs, error];`)(runtime);
  expect([value, error]).toEqual([5, undefined]);
  expect((logs as string[])[0]).toContain('tools.add(2, 3)');
});
