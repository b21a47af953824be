import { expect, test } from 'vitest';
import { createHarness, tool } from './testing/harness.ts';

test('a program runs to its end and gives its value', async () => {
  const { exec } = await createHarness();
  expect(await exec('return 1 + 1')).toMatchObject({ status: 'completed', value: 2 });
});

test('a program calls tools by id, by plain name and as a function', async () => {
  const { exec } = await createHarness({ tools: [tool('add', ({ a, b }) => a + b)] });
  const result = await exec(`
    return [
      await tools.callValue('host:core:add', { a: 1, b: 2 }),
      await tools.callValue('add', { a: 2, b: 3 }),
      await tools.add({ a: 3, b: 4 }),
      (await tools.call('add', { a: 4, b: 5 })).result.value,
    ]`);
  expect(result).toMatchObject({ status: 'completed', value: [3, 5, 7, 9] });
  expect(result.telemetry).toMatchObject({
    callCount: 4,
    execCount: 1,
    waitCount: 0,
    calledTools: ['host:core:add'],
    catalogSize: 1,
  });
});

test('yield_control gives the turn back at once and goes on with the reason', async () => {
  const { exec, wait } = await createHarness();
  const yielded = await exec(`const back = await yield_control('look at this'); return back`);
  expect(yielded).toMatchObject({ status: 'waiting', reason: 'yield', pendingToolCalls: [] });
  if (yielded.status !== 'waiting') throw new Error('not waiting');
  expect(await wait(yielded.runId)).toMatchObject({
    status: 'completed',
    value: { status: 'yielded', reason: 'look at this' },
  });
});
