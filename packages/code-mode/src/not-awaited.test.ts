import { expect, test } from 'vitest';
import { registerEverydayTools } from './testing/everyday-tools.ts';
import { createHarness, tool } from './testing/harness.ts';
import type { CodeModeResult } from './types.ts';

const run = async (code: string): Promise<CodeModeResult> => {
  const harness = await createHarness();
  registerEverydayTools(harness.tools);
  return harness.exec(code);
};

test('calls in a forEach that nobody awaits are pointed out', async () => {
  expect(
    await run(`[1, 2].forEach(async (n) => { await MCP.everything.getSum({ a: n, b: n }); text('x') })`),
  ).toMatchObject({
    status: 'completed',
    value: null,
    output: [
      {
        type: 'note',
        text: expect.stringMatching(/^2 calls were not awaited .*\(MCP\.everything\.getSum\): .*for…of/),
      },
    ],
  });
});

test('a call that was not awaited and failed is said to have failed', async () => {
  expect(await run(`tools.always_fails({}); return 'done'`)).toMatchObject({
    status: 'completed',
    value: 'done',
    output: [
      {
        type: 'note',
        text: expect.stringMatching(/^1 call was not awaited .*\(tools\.always_fails\); it failed \(TOOL_FAILED\)/),
      },
    ],
  });
});

test('calls that wait for a place when the program ends are counted too', async () => {
  const harness = await createHarness({ tools: [tool('slow', () => 1)], config: { maxPendingToolCalls: 1 } });
  expect(await harness.exec(`for (let i = 0; i < 5; i++) tools.slow({}); return 1`)).toMatchObject({
    output: [{ type: 'note', text: expect.stringMatching(/^5 calls were/) }],
  });
});

test('awaited calls, and a call that is returned, get no note', async () => {
  expect(
    await run(`const r = await MCP.everything.getSum({ a: 1, b: 2 }); return tools.read_file({ path: 'a' })`),
  ).not.toHaveProperty('output');
});
