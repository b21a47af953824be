// The front as its users have it: a client that starts `codeseam serve`, over stdio and over HTTP.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aliveOf, builtCli, descendantsOf, startCli } from './built-cli.ts';
import { installedServer } from './open-composition.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeseam-front-'));
  writeFileSync(
    join(folder, 'mcp.json'),
    JSON.stringify({ mcpServers: { everything: installedServer('everything') } }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = { code: 'return (await MCP.everything.getSum({ a: 1, b: 2 })).content[0].text' };

test('a client that starts codeseam serve sees exec and wait, runs a program, and leaves nothing behind', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtCli(), 'serve', '--config', 'mcp.json'],
    cwd: folder,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(['exec', 'wait']);
  const result = await client.callTool({ name: 'exec', arguments: PROGRAM });
  expect(result.isError ?? false).toBe(false);
  expect(result.structuredContent).toMatchObject({ status: 'completed', value: 'The sum of 1 and 2 is 3.' });
  const failed = await client.callTool({ name: 'exec', arguments: { code: 'throw new Error("no")' } });
  expect(failed).toMatchObject({ isError: true, structuredContent: { status: 'failed', code: 'guest_error' } });

  const pid = transport.pid!;
  const below = [pid, ...descendantsOf(pid)];
  expect(below.length).toBeGreaterThan(1);
  await client.close();
  await expect.poll(() => aliveOf(below), { timeout: 10_000 }).toEqual([]);
}, 60_000);

test('over HTTP it serves on the loopback address until it is interrupted', async () => {
  const cli = startCli(['serve', '--http', '127.0.0.1:0', '--config', 'mcp.json'], { cwd: folder });
  await expect.poll(() => cli.stderr(), { timeout: 20_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
  const [url] = /http:\S+/.exec(cli.stderr())!;
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['exec', 'wait']);
  const result = await client.callTool({ name: 'exec', arguments: PROGRAM });
  expect(result.structuredContent).toMatchObject({ status: 'completed', value: 'The sum of 1 and 2 is 3.' });
  await client.close();
  const below = descendantsOf(cli.pid);
  cli.kill('SIGINT');
  expect(await cli.ended).toBe(130);
  expect(cli.stdout()).toBe('');
  await expect.poll(() => aliveOf(below), { timeout: 5_000 }).toEqual([]);
}, 60_000);

test('it refuses to be its own upstream', async () => {
  const own = join(folder, 'own.json');
  const codeseam = { command: process.execPath, args: [builtCli(), 'serve', '--config', own] };
  writeFileSync(own, JSON.stringify({ mcpServers: { codeseam, everything: installedServer('everything') } }));
  const cli = startCli(['inspect', '--json', '--config', own], { cwd: folder });
  expect(await cli.ended).toBe(0);
  // Inspect is not a front: its child serves once, and the grandchild is the one that is refused.
  const inspection = JSON.parse(cli.stdout());
  expect(inspection.servers.map((server: { name: string }) => server.name)).toEqual(['codeseam', 'everything']);
  const served = startCli(['serve', '--config', own], { cwd: folder });
  await expect
    .poll(() => served.stderr(), { timeout: 20_000 })
    .toMatch(/being served by a process above|SELF_UPSTREAM/);
  served.closeStdin();
  await served.ended;
}, 60_000);
