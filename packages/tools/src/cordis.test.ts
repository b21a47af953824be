import { Context } from 'cordis';
import { expect, test } from 'vitest';
import ToolsService from './cordis.ts';
import type { ApprovalService, ToolDefinition } from './types.ts';

const noop = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: `Does ${name}`,
  parameters: { type: 'object' },
  execute: () => name,
  ...more,
});

const OWNER = Symbol.for('codeseam.owner');

async function mounted(config?: object) {
  const root = new Context();
  await root.plugin(ToolsService, config as never);
  return root;
}

const ids = (ctx: Context) => ctx.tools.view({}).tools.map((tool) => tool.id);

test('tools of a plugin are owned by its name, or by the row that a loader mounted it for, and end with it', async () => {
  const root = await mounted();
  const plugin = {
    name: 'weather',
    inject: ['tools'],
    apply: (ctx: Context) => void ctx.tools.register(noop('forecast')),
  };
  const first = await root.plugin(plugin);
  const second = await root
    .extend({ [OWNER]: 'row:7' })
    .plugin({ ...plugin, apply: (ctx: Context) => plugin.apply(ctx) });
  root.tools.register(noop('clock'));
  expect(ids(root)).toEqual(['host:core:clock', 'plugin:row%3A7:forecast', 'plugin:weather:forecast']);
  await first.dispose();
  expect(ids(root)).toEqual(['host:core:clock', 'plugin:row%3A7:forecast']);
  await second.dispose();
  expect(ids(root)).toEqual(['host:core:clock']);
});

test('a plugin can undo a registration before it ends', async () => {
  const root = await mounted();
  let undo = () => {};
  await root.plugin({
    name: 'p',
    inject: ['tools'],
    apply(ctx: Context) {
      undo = ctx.tools.register(noop('t'));
    },
  });
  undo();
  undo();
  expect(ids(root)).toEqual([]);
});

test('a plugin may not register as the host or as another plugin, but may open MCP servers; the host hands out registrars', async () => {
  const root = await mounted();
  const refused: string[] = [];
  const trusted = root.tools.registrar({ source: 'host', owner: 'shell' });
  await root.plugin({
    name: 'greedy',
    inject: ['tools'],
    apply(ctx: Context) {
      for (const identity of [
        { source: 'host', owner: 'core' },
        { source: 'plugin', owner: 'weather' },
      ] as const) {
        for (const attempt of [() => ctx.tools.registrar(identity), () => ctx.tools.register(noop('t', identity))]) {
          try {
            attempt();
          } catch (error) {
            refused.push((error as { code: string }).code);
          }
        }
      }
      ctx.tools.registrar({ source: 'mcp', owner: 'files' }).register(noop('read'));
      trusted.register(noop('run'));
    },
  });
  expect(refused).toEqual(['untrusted-owner', 'untrusted-owner', 'untrusted-owner', 'untrusted-owner']);
  expect(ids(root)).toEqual(['host:shell:run', 'mcp:files:read']);
});

test('hooks, restrictions, overrides, sections and transports of a plugin end with it', async () => {
  const root = await mounted({ mode: 'native' });
  root.tools.register(noop('a'));
  root.tools.register(noop('b'));
  const plugin = await root.plugin({
    name: 'policy',
    inject: ['tools'],
    apply(ctx: Context) {
      ctx.tools.restrict({ deny: ['a'] });
      ctx.tools.hook('guard', () => ({ deny: 'closed' }));
      ctx.tools.presentAs('code', { transport: 'mine', when: () => true });
      ctx.tools.registerTransport({ name: 'mine', controlTools: () => [], sections: () => [] });
    },
  });
  expect(ids(root)).toEqual(['host:core:b']);
  expect(root.tools.presentationOf({})).toEqual({ mode: 'code', transport: 'mine' });
  expect(await root.tools.execute({ callId: '1', name: 'b', scope: {}, asHost: true })).toMatchObject({
    code: 'DENIED',
  });
  await plugin.dispose();
  expect(ids(root)).toEqual(['host:core:a', 'host:core:b']);
  expect(root.tools.presentationOf({})).toEqual({ mode: 'native' });
  expect(await root.tools.execute({ callId: '2', name: 'b', scope: {} })).toMatchObject({ isError: false, value: 'b' });
});

test('what the registry does is told as cordis events, and a listener that fails touches neither the work nor the others', async () => {
  const root = await mounted();
  const told: string[] = [];
  root.tools.register(noop('a'));
  root.on('tools/result', () => {
    throw new Error('broken listener');
  });
  root.on('tools/result', async () => Promise.reject(new Error('broken promise')));
  root.on('tools/result', (outcome) => void told.push(`${outcome.name} ${outcome.value}`));
  root.on('tools/change', ({ added, removed }) => void told.push(`+${added} -${removed}`));
  const outcome = await root.tools.execute({ callId: '1', name: 'a', scope: {} });
  root.tools.register(noop('b'))();
  expect(outcome.value).toBe('a');
  expect(told).toEqual(['a a', '+host:core:b -', '+ -host:core:b']);
});

test('approval is asked of the service `approval` where one is mounted when the call is made', async () => {
  const root = await mounted();
  root.tools.register(noop('a'));
  root.tools.hook('preExecute', () => ({ decision: 'ask', reason: 'money' }));
  const call = () => root.tools.execute({ callId: '1', name: 'a', scope: {} });
  expect(await call()).toMatchObject({ code: 'APPROVAL_REQUIRED' });
  const asked: unknown[] = [];
  const approval: ApprovalService = {
    async request(question) {
      asked.push([question.tool.id, question.reason]);
      return { decision: 'allow' };
    },
  };
  const service = await root.plugin({
    name: 'approval',
    apply: (ctx: Context) => void ctx.provide('approval', approval),
  });
  expect(await call()).toMatchObject({ value: 'a' });
  expect(asked).toEqual([['host:core:a', 'money']]);
  await service.dispose();
  expect(await call()).toMatchObject({ code: 'APPROVAL_REQUIRED' });
});

test('a bad config fails the mount with every field named', async () => {
  const root = new Context();
  const mount = async () => await root.plugin(ToolsService, { mod: 'native', maxParallelSubCalls: 0 } as never);
  await expect(mount()).rejects.toThrow(/at maxParallelSubCalls[\s\S]*did you mean mode/);
});

test('the end of the fiber ends open calls and leaves nothing', async () => {
  const root = new Context();
  const fiber = await root.plugin(ToolsService);
  const seen: AbortSignal[] = [];
  const { tools } = root;
  tools.register(
    noop('slow', {
      execute: (_args, { signal }) =>
        new Promise((_, reject) => {
          seen.push(signal);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    }),
  );
  const running = tools.execute({ callId: '1', name: 'slow', scope: {} });
  await new Promise((resolve) => setImmediate(resolve));
  await fiber.dispose();
  expect(seen[0]!.aborted).toBe(true);
  expect(await running).toMatchObject({ code: 'ABORTED' });
  await expect(tools.execute({ callId: '2', name: 'slow', scope: {} })).rejects.toThrow('disposed');
});
