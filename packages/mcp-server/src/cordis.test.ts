import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import codeMode from '@codeseam/code-mode/cordis';
import mcpClient from '@codeseam/mcp-client/cordis';
import ToolsService from '@codeseam/tools/cordis';
import { Context } from 'cordis';
import { expect, test } from 'vitest';
import mcpServer from './cordis.ts';
import { afterTest, httpClient, runtime, tool, until } from './fixtures/harness.ts';

async function context(): Promise<Context> {
  const ctx = new Context();
  afterTest(() => ctx.fiber.dispose());
  await ctx.plugin(ToolsService, {});
  ctx.provide('codeRuntime', runtime);
  await ctx.plugin(codeMode as never, { enabled: true } as never);
  return ctx;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const everything = {
  command: process.execPath,
  args: [
    new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url).pathname,
  ],
};

test('a row serves the registry of its context, an MCP server behind it too, and stops with the row', async () => {
  const ctx = await context();
  const port = await freePort();
  const row = await ctx.plugin(mcpServer as never, { http: { port }, listWaitMs: 60_000 } as never);
  await ctx.plugin(mcpClient as never, { servers: { every: everything } } as never);
  const url = `http://127.0.0.1:${port}/mcp`;
  const client = await httpClient(url);
  // The list waits for servers that are still starting.
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['exec', 'wait']);
  const result = await client.callTool({
    name: 'exec',
    arguments: { code: 'return await MCP.every.getSum({ a: 1, b: 2 })' },
  });
  expect(result.structuredContent).toMatchObject({
    status: 'completed',
    value: { content: [{ type: 'text', text: 'The sum of 1 and 2 is 3.' }] },
  });
  await row.dispose();
  await expect(fetch(url)).rejects.toThrow();
});

test('the front answers approvals of its context, unless something else does', async () => {
  const ctx = await context();
  const own = { request: async () => ({ decision: 'allow' as const }) };
  ctx.provide('approval', own);
  await ctx.plugin(mcpServer as never, {} as never);
  expect(ctx.get('approval')).toBe(own);
  const other = await context();
  await other.plugin(mcpServer as never, {} as never);
  expect(other.get('approval')).toBeDefined();
});

test('a process cannot be its own upstream over HTTP', async () => {
  const ctx = await context();
  ctx.tools.register(tool('one', () => 1));
  const port = await freePort();
  const messages: string[] = [];
  ctx.on('mcp/log' as never, ((entry: { message: string }) => messages.push(entry.message)) as never);
  await ctx.plugin(mcpServer as never, { http: { port } } as never);
  await ctx.plugin(mcpClient as never, { servers: { self: { url: `http://127.0.0.1:${port}/mcp` } } } as never);
  await until(
    () => messages.join('\n'),
    (text) => text.includes('cannot be its own upstream'),
  );
  expect(ctx.tools.view({}).tools.map((each) => each.owner)).not.toContain('self');
});

test.each([
  [{ http: { prt: 1, port: 1 } }, 'did you mean port?'],
  [{ http: { port: 70_000 } }, 'http.port'],
  [{ http: {} }, 'http.port'],
])('%j is refused', async (config, part) => {
  const ctx = await context();
  await expect(Promise.resolve(ctx.plugin(mcpServer as never, config as never))).rejects.toThrow(part as never);
});

test('a port in use fails the row', async () => {
  const ctx = await context();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  afterTest(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  await expect(Promise.resolve(ctx.plugin(mcpServer as never, { http: { port } } as never))).rejects.toThrow(
    'is in use',
  );
});
