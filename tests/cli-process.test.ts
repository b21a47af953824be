// The built command as a process: exit codes, streams, signals, and no orphans.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aliveOf, descendantsOf, startCli, waitForDescendants } from './built-cli.ts';
import { installedServer } from './open-composition.ts';
import { root } from './read-packages.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeseam-process-'));
  const mcpServers = { everything: installedServer('everything'), files: installedServer('filesystem', folder) };
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the README program over a real server prints a completed document', async () => {
  const code = 'return await MCP.everything.getSum({ a: 1, b: 2 })';
  const cli = startCli(['exec', '--config', 'mcp.json', '--json', '--code', code], { cwd: folder });
  expect(await cli.ended).toBe(0);
  expect(JSON.parse(cli.stdout())).toMatchObject({
    status: 'completed',
    value: { content: [{ type: 'text', text: 'The sum of 1 and 2 is 3.' }] },
    telemetry: { calledTools: ['mcp:everything:get-sum'] },
  });
  expect(cli.stderr()).toBe('');
}, 60_000);

test('a TypeScript program on stdin runs without a config, and ends by itself', async () => {
  const cli = startCli(['exec', '-', '--language', 'ts'], {
    cwd: folder,
    stdin: 'const n: number = 6;\nreturn n * 7;\n',
  });
  expect(await cli.ended).toBe(0);
  expect(cli.stdout()).toBe('42\n');
}, 60_000);

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a waiting program with 130 and leaves no process behind',
  async (signal) => {
    const code = 'return await MCP.everything.triggerLongRunningOperation({ duration: 50, steps: 5 })';
    const cli = startCli(['exec', '--config', 'mcp.json', '--code', code], { cwd: folder });
    let below = await waitForDescendants(cli.pid, 2);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    below = [...new Set([...below, ...descendantsOf(cli.pid)])];
    cli.kill(signal);
    expect(await cli.ended).toBe(130);
    await expect.poll(() => aliveOf(below), { timeout: 5_000 }).toEqual([]);
  },
  60_000,
);

test('an interrupt while servers start ends them too', async () => {
  const cli = startCli(['exec', '--config', 'mcp.json', '--code', 'return 1'], { cwd: folder });
  const below = await waitForDescendants(cli.pid, 1);
  cli.kill('SIGINT');
  expect(await cli.ended).toBe(130);
  await expect.poll(() => aliveOf(below), { timeout: 5_000 }).toEqual([]);
}, 60_000);

test('the two-server example gives the answer that its data has', async () => {
  const example = 'examples/two-servers';
  const args = ['exec', `${example}/program.ts`, '--config', `${example}/cordis.yml`, '--json'];
  const cli = startCli(args, { cwd: root });
  expect([await cli.ended, cli.stderr()]).toEqual([0, '']);
  const { status, value } = JSON.parse(cli.stdout());
  expect(status).toBe('completed');
  const rows = readdirSync(join(root, example, 'data')).flatMap((file) =>
    readFileSync(join(root, example, 'data', file), 'utf8')
      .trim()
      .split('\n')
      .slice(1),
  );
  const cents = rows
    .map((row) => row.split(','))
    .map(([, , , quantity, price]) => Number(quantity) * Math.round(Number(price) * 100));
  const total = cents.reduce((sum, each) => sum + each, 0) / 100;
  expect(value).toMatchObject({ months: 6, orders: rows.length, fastest: { region: 'west' } });
  expect(value.checkedTotal).toBeCloseTo(total, 2);
}, 60_000);
