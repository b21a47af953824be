import ToolsService from '@codeseam/tools/cordis';
import { Context } from 'cordis';
import { expect, test } from 'vitest';
import { followRegistry } from './follow-registry.ts';

const tool = (name: string) => ({ name, description: name, parameters: { type: 'object' }, execute: () => name });
const mount = async (ctx: Context, mode: 'native' | 'both', name: string) => {
  const fiber = await ctx.plugin(ToolsService, { mode });
  ctx.tools.register(tool(name));
  return fiber;
};

test('requests and listeners go to the registry of now, also while its row is changed', async () => {
  const ctx = new Context();
  const first = await mount(ctx, 'native', 'one');
  const tools = followRegistry(ctx);
  const heard: string[] = [];
  const stop = tools.on('tools/change', ({ added }) => void heard.push(`change ${added.join()}`));
  tools.on('tools/result', ({ name }) => void heard.push(`result ${name}`));
  const call = (name: string) => tools.execute({ callId: name, name, arguments: {}, scope: {} });
  expect(tools.presentationOf({}).mode).toBe('native');
  expect(await call('one')).toMatchObject({ value: 'one' });

  await first.dispose();
  expect(tools.presentationOf({}).mode).toBe('native');
  const early = call('two');
  const view = tools.prepareView({});
  heard.length = 0;
  await mount(ctx, 'both', 'two');
  expect((await view).tools.map(({ name }) => name).every((name) => name === 'two')).toBe(true);
  await early;
  expect(await call('two')).toMatchObject({ value: 'two' });
  expect(tools.presentationOf({}).mode).toBe('both');
  expect(heard).toContain('change ');
  expect(heard).toContain('result two');
  stop();
  heard.length = 0;
  ctx.tools.register(tool('three'));
  expect(heard).toEqual([]);
  await ctx.fiber.dispose();
});
