import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterTest, connected, isAlive, odd, textOf, until } from './fixtures/harness.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'codeseam-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('lines on stdout that are no messages are skipped, valid JSON ones too', async () => {
  const { call, log, status } = await connected({ s: odd('noise') });
  expect(status('s').state).toBe('connected');
  expect(textOf(await call('mcp:s:hello'))).toBe('hi');
  const skipped = log.filter((entry) => entry.message.startsWith('not a message, skipped'));
  expect(skipped.map((entry) => entry.message)).toContain('not a message, skipped: {"level":"info","msg":"ready"}');
});

test('a server that dies in a call fails that call, says why, and is there again for the next one', async () => {
  const { call, status, ids } = await connected({ s: odd('dies'), other: odd('busy') });
  const before = textOf(await call('mcp:s:ok'));
  const died = await call('mcp:s:die');
  expect(died).toMatchObject({
    isError: true,
    code: 'TOOL_FAILED',
    message: expect.stringContaining('may have been done'),
  });
  expect(status('s')).toMatchObject({ state: 'reconnecting', lastError: expect.stringContaining('exit code 3') });
  expect(status('s').lastError).toContain('about to crash');
  expect(ids()).toContain('mcp:s:ok');
  const after = textOf(await call('mcp:s:ok'));
  expect(Number(after)).toBeGreaterThan(0);
  expect(after).not.toBe(before);
  expect(status('other')).toMatchObject({ state: 'connected', generation: 1 });
});

test('a call that is never answered ends at its limit, and the server is told', async () => {
  const file = join(tempFolder(), 'cancelled');
  const { call } = await connected({ s: odd('silent', { callMs: 150, extra: file }) });
  expect(await call('mcp:s:wait')).toMatchObject({ isError: true, code: 'TOOL_TIMEOUT' });
  await until(
    () => existsSync(file) && readFileSync(file, 'utf8'),
    (text) => text !== false && text.includes('cancelled'),
  );
});

test('a call that its caller gives up ends at once, and the server is told', async () => {
  const file = join(tempFolder(), 'cancelled');
  const { call } = await connected({ s: odd('silent', { extra: file }) });
  const controller = new AbortController();
  const pending = call('mcp:s:wait', {}, controller.signal);
  setTimeout(() => controller.abort(new Error('enough')), 50);
  expect(await pending).toMatchObject({ isError: true, code: expect.stringMatching(/^ABORTED/) });
  await until(
    () => existsSync(file) && readFileSync(file, 'utf8'),
    (text) => text !== false && text.includes('enough'),
  );
});

test('a server that says nothing fails its start at the limit, and programs do not wait longer than startupMs', async () => {
  const { status, log } = await connected({ s: odd('mute', { startupMs: 100, connectMs: 1_000 }) });
  expect(status('s')).toMatchObject({
    state: 'connecting',
    lastError: '"s" is still starting after 100 ms (startupMs); raise startupMs for a server that needs longer',
  });
  const later = await until(
    () => status('s'),
    ({ state }) => state === 'reconnecting',
  );
  expect(later.lastError).toContain('did not answer the handshake within 1000 ms');
  expect(log.filter(({ level }) => level === 'warn')).toHaveLength(2);
});

test('a start that fetches the server first says so at startupMs', async () => {
  const folder = tempFolder();
  const npx = join(folder, 'npx');
  writeFileSync(npx, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
  const { status } = await connected({ s: { command: npx, args: ['-y', 'some-server'], startupMs: 100 } });
  expect(status('s').lastError).toBe(
    `"s" is still starting after 100 ms (startupMs); ${npx} may be downloading it: run \`${npx} -y some-server\` once by hand, or raise startupMs`,
  );
});

test('a server that crashes at start is told by its error, once, however often it is tried', async () => {
  const script = 'throw new Error("GITHUB_TOKEN is required")';
  const { status, log } = await connected({
    s: { command: process.execPath, args: ['-e', script], reconnectAttempts: 1 },
  });
  await until(
    () => status('s').state,
    (state) => state === 'failed',
  );
  const told = '"s" did not start: its process ended with exit code 1: Error: GITHUB_TOKEN is required';
  expect(status('s')).toMatchObject({ attempts: 2, lastError: told });
  expect(log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([told]);
});

test('answers that are no results fail their call alone', async () => {
  const { call } = await connected({ s: odd('garbage') });
  expect((await call('mcp:s:nothing')).message).toContain('neither "content" nor "structuredContent"');
  expect((await call('mcp:s:content-text')).message).toContain('"content" that is not an array');
  expect((await call('mcp:s:odd-blocks')).value).toEqual({
    content: [
      { type: 'unknown', value: 1 },
      { type: 'unknown', value: null },
      { type: 'hologram', depth: 3 },
      { type: 'image', data: 5 },
    ],
  });
});

test('a flood on stderr neither blocks the server nor fills the log', async () => {
  const { call, log } = await connected({ s: odd('flood') });
  expect(textOf(await call('mcp:s:flood'))).toBe('flooded');
  const lines = log.filter((entry) => entry.level === 'info');
  expect(lines.length).toBeLessThanOrEqual(210);
  expect(lines.at(-1)?.message).toContain('more lines are dropped');
});

test('a changed list is a whole new generation, and what was given out before goes on working', async () => {
  const { call, ids, status, tools, changes } = await connected({ s: odd('changing') });
  expect(ids()).toContain('mcp:s:only-1');
  const before = tools.view({});
  await call('mcp:s:next');
  await until(ids, (now) => now.includes('mcp:s:only-2'));
  expect(ids()).not.toContain('mcp:s:only-1');
  expect(status('s').generation).toBe(2);
  expect(changes.at(-1)).toEqual({ added: ['mcp:s:only-2'], removed: ['mcp:s:only-1'] });
  expect(before.find('mcp:s:only-1')).toBeDefined();
});

test('tools that change in the midst of a call leave the call alone', async () => {
  const { call, ids } = await connected({ s: odd('changing') });
  const slow = call('mcp:s:slow');
  await call('mcp:s:next');
  await until(ids, (now) => now.includes('mcp:s:only-2'));
  expect(textOf(await slow)).toBe('set 2');
});

test('ten announcements of a change that is none change nothing', async () => {
  const { call, status, changes } = await connected({ s: odd('changing') });
  const before = changes.length;
  await call('mcp:s:burst');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(status('s').generation).toBe(1);
  expect(changes.length).toBe(before);
});

test('a refresh that fails keeps what was known, and a later one succeeds', async () => {
  const { call, ids, status } = await connected({ s: odd('changing') });
  await call('mcp:s:break');
  await until(
    () => status('s').problems,
    (problems) => problems.some((text) => text.includes('the list is broken')),
  );
  expect(ids()).toContain('mcp:s:only-1');
  await call('mcp:s:break');
  await call('mcp:s:next');
  await until(ids, (now) => now.includes('mcp:s:only-2'));
  expect(status('s').problems).toEqual([]);
});

test('a list in three pages is read whole, though its last cursor leads back', async () => {
  const { ids } = await connected({ s: odd('paged') });
  expect(ids().filter((id) => !id.includes('$'))).toEqual(['mcp:s:a', 'mcp:s:b', 'mcp:s:c']);
});

test('2,000 tools in one line of 3 MB are all there', async () => {
  const { ids, call } = await connected({ s: odd('many') });
  expect(ids().filter((id) => !id.includes('$'))).toHaveLength(2_000);
  expect(textOf(await call('mcp:s:tool_1999'))).toBe('tool_1999');
});

test('tools that differ only by case, or have names of any kind, are each called by their own', async () => {
  const { call, tools, status } = await connected({ s: odd('names') });
  const names = ['getSum', 'getsum', 'GETSUM', 'export', 'a.b/c d', 'x'.repeat(100), '名前'];
  const view = tools.view({});
  const found = view.tools.filter((tool) => !tool.hidden);
  expect(found.map((tool) => tool.name).sort()).toEqual([...names].sort());
  expect(new Set(found.map((tool) => tool.wireName)).size).toBe(names.length);
  for (const tool of found) expect(textOf(await call(tool.id))).toBe(tool.name);
  expect(status('s').problems).toEqual([
    'tools/list names "getSum" twice; the first counts',
    'tools/list entry 8 was left out: no name',
    'tools/list entry 9 was left out: not an object',
    'tools/list entry 10 was left out: no name',
  ]);
});

test('each list stands alone: one that fails is tried again, one that does not exist is left', async () => {
  const { ids, status, tools } = await connected({ s: odd('lists') });
  expect(status('s').state).toBe('connected');
  await until(ids, (now) => now.includes('mcp:s:late'));
  expect(status('s').problems).toEqual(['resources/list: Method not found', 'prompts/list: Method not found']);
  expect(tools.view({}).find('mcp:s:$resources.list')).toBeUndefined();
  expect(tools.view({}).find('mcp:s:$prompts.list')).toBeUndefined();
});

test('a reference to the network in a schema is never fetched', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTest(() => server.close());
  const extra = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { call } = await connected({ s: odd('remoteref', { extra }) });
  expect(textOf(await call('mcp:s:fetch-me', { a: 5 }))).toBe('{"a":5}');
  expect(asked).toEqual([]);
});

test('after the last attempt the tools are gone, and they come back with the server', async () => {
  const flag = join(tempFolder(), 'down');
  const { call, ids, status, handle } = await connected({ s: odd('flaky', { extra: flag, reconnectAttempts: 1 }) });
  const pid = Number(textOf(await call('mcp:s:pid')));
  writeFileSync(flag, '');
  process.kill(pid);
  await until(
    () => status('s').state,
    (state) => state === 'failed',
  );
  expect(ids()).toEqual([]);
  expect(status('s').lastError).toContain('not today');
  expect(await call('mcp:s:pid')).toMatchObject({ isError: true, code: 'UNKNOWN_TOOL' });
  rmSync(flag);
  expect(handle.reconnect('s')).toBe(true);
  await until(ids, (now) => now.includes('mcp:s:pid'));
  expect(Number(textOf(await call('mcp:s:pid')))).not.toBe(pid);
  expect(handle.reconnect('nobody')).toBe(false);
});

test('a command that does not exist fails its own server, with what to look at', async () => {
  const folder = { command: process.execPath, cwd: '/no/such/folder' };
  const { status } = await connected({ bad: { command: 'codeseam-no-such-command' }, folder, good: odd('busy') });
  expect(status('bad')).toMatchObject({
    state: 'failed',
    lastError:
      'could not start "codeseam-no-such-command": there is no such command; install it, or give its whole path as command',
  });
  expect(status('folder').lastError).toBe(
    `could not start "${process.execPath}": its folder /no/such/folder does not exist; correct cwd`,
  );
  expect(status('good').state).toBe('connected');
});

test('closing ends a server with all that it has started, even what ignores SIGTERM', async () => {
  const { call, handle, ids } = await connected({ s: odd('family') });
  const pids: number[] = JSON.parse(textOf(await call('mcp:s:pids')));
  expect(pids.map(isAlive)).toEqual([true, true]);
  await handle.close();
  await until(
    () => pids.map(isAlive),
    (alive) => !alive.includes(true),
    1_000,
  );
  expect(ids()).toEqual([]);
});

test('a server that ends while its child holds the pipes open is noticed, and the child is ended', async () => {
  const { call, status } = await connected({ s: odd('family') });
  const [, child] = JSON.parse(textOf(await call('mcp:s:pids')));
  expect(await call('mcp:s:exit')).toMatchObject({ isError: true });
  await until(
    () => isAlive(child),
    (alive) => !alive,
  );
  await until(
    () => status('s'),
    ({ state, generation }) => state === 'connected' && generation === 2,
  );
});
