import { afterAll, expect, test } from 'vitest';
import { createQuickJsRuntime } from './runtime.ts';

const runtime = await createQuickJsRuntime();
afterAll(() => runtime.dispose());

test('smoke', async () => {
  expect(await runtime.run({ program: 'return 1 + 1', bindings: [] })).toMatchObject({ value: 2 });
  expect(
    await runtime.run({
      program: 'return await tools.add({a:1,b:2})',
      bindings: [{ global: 'tools', functions: { add: ({ a, b }: any) => a + b } }],
    }),
  ).toMatchObject({ value: 3 });
  console.log(await runtime.run({ program: 'const a = 1\n\n  null.x', bindings: [] }));
});
