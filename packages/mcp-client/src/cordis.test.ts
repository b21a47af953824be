import ToolsService from '@codeseam/tools/cordis';
import { Context } from 'cordis';
import { expect, test } from 'vitest';
import mcpClient, { mcpServersOf } from './cordis.ts';
import { afterTest, isAlive, odd, textOf, until } from './fixtures/harness.ts';
import type { McpLogEntry } from './status.ts';

function context(): Context {
  const ctx = new Context();
  afterTest(() => ctx.fiber.dispose());
  return ctx;
}

test('each row is its servers: they come with it, tell what they log, and go with it', async () => {
  const ctx = context();
  const log: McpLogEntry[] = [];
  ctx.on('mcp/log', (entry) => log.push(entry));
  await ctx.plugin(ToolsService, { mode: 'native' });
  const one = await ctx.plugin(mcpClient, {
    servers: { a: odd('busy'), bad: { command: 'codeseam-no-such-command' } },
  } as never);
  await ctx.plugin(mcpClient, { name: 'b', ...odd('surroundings') } as never);
  await Promise.all(mcpServersOf(ctx).map((servers) => servers.ready));
  const statuses = () => mcpServersOf(ctx).flatMap((servers) => servers.status());
  expect(statuses().map(({ name, state }) => [name, state])).toEqual([
    ['a', 'connected'],
    ['bad', 'failed'],
    ['b', 'connected'],
  ]);
  expect(log.some((entry) => entry.server === 'bad' && entry.level === 'warn')).toBe(true);
  expect(textOf(await ctx.tools.execute({ callId: 'c', id: 'mcp:a:work', scope: {} }))).toBe('work');
  const pid = statuses()[0]!.pid!;
  await one.dispose();
  expect(statuses().map(({ name }) => name)).toEqual(['b']);
  expect(ctx.tools.view({}).tools.map((tool) => tool.owner)).not.toContain('a');
  await until(
    () => isAlive(pid),
    (alive) => !alive,
  );
});

test('servers are there to be waited for as soon as the registry is, whichever row comes first', async () => {
  const ctx = context();
  const row = ctx.plugin(mcpClient, { servers: { a: odd('busy') } } as never);
  await row;
  expect(mcpServersOf(ctx)).toEqual([]);
  const tools = ctx.plugin(ToolsService, { mode: 'native' });
  await until(
    () => ctx.get('tools') !== undefined,
    (there) => there,
  );
  const [servers] = mcpServersOf(ctx);
  await servers!.ready;
  await tools;
  expect(mcpServersOf(ctx)).toEqual([servers]);
  expect(ctx.tools.view({}).tools.map(({ id }) => id)).toContain('mcp:a:work');
});

test('another registry, after a change of its row, gets the tools of the servers that run', async () => {
  const ctx = context();
  const first = await ctx.plugin(ToolsService, { mode: 'native' });
  await ctx.plugin(mcpClient, {
    servers: { a: odd('changing'), bad: { command: 'codeseam-no-such-command' } },
  } as never);
  const status = (name: string) =>
    mcpServersOf(ctx)
      .flatMap((servers) => servers.status())
      .find((one) => one.name === name)!;
  await Promise.all(mcpServersOf(ctx).map((servers) => servers.ready));
  const { pid } = status('a');
  const old = ctx.tools.core;
  await first.dispose();
  expect(status('a')).toMatchObject({ state: 'connected', pid });

  await ctx.plugin(ToolsService, { mode: 'both' });
  await until(
    () => ctx.tools.view({}).tools.map(({ id }) => id),
    (ids) => ids.includes('mcp:a:only-1'),
  );
  expect(ctx.tools.core).not.toBe(old);
  expect(status('a')).toMatchObject({ state: 'connected', pid, generation: 1 });
  expect(ctx.tools.absentOwners({})).toMatchObject([{ owner: 'bad', info: { absence: { state: 'failed' } } }]);
  // What changes later goes to the new one.
  await ctx.tools.execute({ callId: 'c', id: 'mcp:a:next', scope: {} });
  await until(
    () => ctx.tools.view({}).tools.map(({ id }) => id),
    (ids) => ids.includes('mcp:a:only-2'),
  );
  expect(ctx.tools.view({}).owners).toMatchObject([{ owner: 'a', info: { generation: 2, title: 'Odd server' } }]);
});

test('a row that cannot be right is refused with every violation', async () => {
  const ctx = context();
  await ctx.plugin(ToolsService, {});
  const row = ctx.plugin(mcpClient, { servers: { a: { comand: 'x' }, b: { url: 5 } } } as never);
  await expect(Promise.resolve(row)).rejects.toThrow(
    /did you mean command\? \(at servers\.a\.comand\)[\s\S]*servers\.b\.url/,
  );
});
