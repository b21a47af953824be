import { expect, test } from 'vitest';
import { compileDeclarations } from './check.ts';
import { describeMcp } from './index.ts';

const api = describeMcp([
  {
    name: 'math',
    tools: [
      {
        name: 'get-sum',
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a'],
          additionalProperties: false,
        },
        outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
      },
      { name: 'reset' },
    ],
  },
]);

test('what we declare compiles, and programs are checked against it', async () => {
  const program = `async function run() {
  const result = await MCP.math.getSum({ a: 1 });
  const sum: number | undefined = result.structuredContent?.sum;
  await MCP.math.reset();
  const { header } = await MCP.math.$api('getSum', { schema: true });
  if (result.content[0]?.type === 'text') result.content[0].text.length;
  return [sum, header, await MCP.$api()];
}`;
  const wrong = `MCP.math.getSum({ a: 'x' });
MCP.math.getSum({ a: 1, c: 2 });
MCP.math.getSum();
MCP.math.getSum({ a: 1 }).then((result) => result.structuredContent!.sum.trim());
MCP.maths.reset();`;
  const result = await compileDeclarations([
    ...api.files,
    { path: 'ok.ts', content: program },
    { path: 'wrong.ts', content: wrong },
  ]);
  expect(result.failed.map((file) => file.path)).toEqual(['wrong.ts']);
  expect(result.failed[0]!.errors.map((error) => error.line)).toEqual([1, 2, 3, 4, 5]);
  expect(result.failed[0]!.errors[0]).toEqual({
    line: 1,
    column: 19,
    message: "Type 'string' is not assignable to type 'number'.",
  });
});

test('files that do not parse or do not compile are listed, and any is counted', async () => {
  const result = await compileDeclarations([
    { path: 'a.d.ts', content: 'type A = {;' },
    { path: 'b.d.ts', content: 'type B = Missing;' },
    { path: 'c.d.ts', content: 'type C = any;' },
  ]);
  expect(result.ok).toBe(false);
  expect(result.failed.map((file) => file.path)).toEqual(['a.d.ts', 'b.d.ts']);
  expect(result.anyCount).toBe(1);
});
