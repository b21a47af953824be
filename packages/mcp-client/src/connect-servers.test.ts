import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolRegistry } from '@codeseam/tools';
import { expect, test } from 'vitest';
import { connectMcpServers } from './connect-servers.ts';
import { afterTest, connected, everything, filesystem, odd, textOf, until } from './fixtures/harness.ts';

test('real servers are connected, and a call goes through the registry to them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'codeseam-'));
  afterTest(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.txt'), 'hello');
  const { call, status, tools } = await connected({ everything: everything(), files: filesystem(folder) });
  expect(status('everything')).toMatchObject({
    state: 'connected',
    transport: 'stdio',
    serverInfo: { name: 'mcp-servers/everything' },
    protocolVersion: '2025-11-25',
    problems: [],
  });
  expect(status('everything').resources).toBeGreaterThan(0);
  expect(status('everything').prompts).toBe(4);
  const read = await call('mcp:files:read_text_file', { path: join(folder, 'a.txt') });
  expect(read.value).toEqual({ content: [{ type: 'text', text: 'hello' }], structuredContent: { content: 'hello' } });
  const sum = await call('mcp:everything:get-sum', { a: 2, b: 3 });
  expect(textOf(sum)).toBe('The sum of 2 and 3 is 5.');
  const tool = tools.view({}).find('mcp:files:read_text_file')!;
  expect(tool).toMatchObject({
    wireName: 'mcp__files__read_text_file',
    owner: 'files',
    source: 'mcp',
    replaySafe: false,
  });
  expect(tools.view({}).owners).toContainEqual({
    source: 'mcp',
    owner: 'everything',
    info: expect.objectContaining({
      title: 'Everything Reference Server',
      generation: expect.any(Number),
      instructions: expect.any(String),
    }),
  });
});

test("a server's resources and prompts are hidden tools", async () => {
  const { call, tools } = await connected({ s: odd('results') });
  for (const name of ['$resources.list', '$resources.read', '$prompts.list', '$prompts.get']) {
    expect(tools.view({}).find(`mcp:s:${name}`)?.hidden, name).toBe(true);
  }
  expect((await tools.present(tools.view({}))).tools.map((tool) => tool.name)).not.toContain('mcp__s__$resources.list');
  expect((await call('mcp:s:$resources.list')).value).toEqual({
    resources: [{ uri: 'x://1', name: 'one' }],
    resourceTemplates: [{ uriTemplate: 'x://{id}', name: 'any' }],
  });
  const read = (await call('mcp:s:$resources.read', { uri: 'x://1' })).value as any;
  expect(read.contents[0]).toEqual({ uri: 'x://1', mimeType: 'text/plain', text: 'text of x://1' });
  expect(read.contents[1]).toEqual({
    uri: 'x://1',
    mimeType: 'application/octet-stream',
    bytes: 4,
    ref: expect.any(String),
  });
  expect((await call('mcp:s:$prompts.list')).value).toEqual({
    prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }],
  });
  expect((await call('mcp:s:$prompts.get', { name: 'greet', arguments: { who: 'you' } })).value).toEqual({
    description: 'A greeting',
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello you' } }],
  });
});

test('a binary block crosses as a ref, is shown whole, and can be read by its ref', async () => {
  const { call } = await connected({ s: odd('results'), t: odd('results') });
  const outcome = await call('mcp:s:everything');
  const blocks = (outcome.value as any).content;
  expect(blocks[1]).toEqual({ type: 'image', mimeType: 'image/png', bytes: 70, ref: expect.any(String) });
  expect(outcome.content[1]).toMatchObject({
    type: 'image',
    mimeType: 'image/png',
    data: expect.stringMatching(/^iVBOR/),
  });
  expect(JSON.stringify(outcome.value)).not.toContain('_meta');
  const read = (await call('mcp:s:$resources.read', { uri: blocks[1].ref })).value as any;
  expect(read.contents).toEqual([{ uri: blocks[1].ref, mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) }]);
  expect(await call('mcp:t:$resources.read', { uri: blocks[1].ref })).toMatchObject({
    isError: true,
    code: 'TOOL_FAILED',
  });
});

test("a failed tool is a flagged value, a JSON-RPC error is the server's message", async () => {
  const { call } = await connected({ s: odd('results') });
  expect(await call('mcp:s:failed')).toMatchObject({
    isError: true,
    value: { content: [{ type: 'text', text: 'it did not work' }], isError: true },
  });
  expect(await call('mcp:s:rpc-error')).toMatchObject({
    isError: true,
    code: 'TOOL_FAILED',
    message: expect.stringContaining('no such thing'),
  });
  expect((await call('mcp:s:empty')).value).toEqual({ content: [] });
});

test('a declared output schema checks structuredContent alone, by its own local references', async () => {
  const { call } = await connected({ s: odd('results') });
  expect((await call('mcp:s:structured')).value).toEqual({
    content: [],
    structuredContent: { node: { next: { next: {} } } },
  });
  const wrong = await call('mcp:s:mismatch');
  expect(wrong).toMatchObject({ isError: true, code: 'INVALID_TOOL_OUTPUT' });
  expect(wrong.value).toBeUndefined();
});

test('only a trusted server is believed that a tool is read-only, and hints reach the registry', async () => {
  const { tools } = await connected({ plain: odd('busy'), trusted: odd('busy', { trust: true }) });
  const view = tools.view({});
  expect(view.find('mcp:plain:read')).toMatchObject({ replaySafe: false, annotations: { readOnlyHint: true } });
  expect(view.find('mcp:trusted:read')).toMatchObject({ replaySafe: true });
  expect(view.find('mcp:trusted:work')).toMatchObject({ replaySafe: false });
  expect(view.find('mcp:trusted:drop')?.annotations).toEqual({ destructiveHint: true, readOnlyHint: false });
});

test.each([
  ['parallel', 3],
  ['server', 1],
] as const)('with concurrency %s, %i calls run at once on the server', async (concurrency, most) => {
  const { call } = await connected({ s: odd('busy', { concurrency }) });
  await Promise.all([call('mcp:s:work'), call('mcp:s:work'), call('mcp:s:work')]);
  expect(textOf(await call('mcp:s:most'))).toBe(String(most));
});

test('progress of a call arrives as its updates', async () => {
  const { tools } = await connected({ s: odd('busy') });
  const updates: unknown[] = [];
  await tools.execute({ callId: 'c', id: 'mcp:s:work', scope: {}, onUpdate: (update) => updates.push(update) });
  expect(updates).toContainEqual({ progress: 1, total: 3, message: 'step 1' });
});

test('a child gets a minimal environment and what the config gives, the folder and the roots of the config', async () => {
  process.env['CODESEAM_TEST_SECRET'] = 'secret';
  afterTest(() => delete process.env['CODESEAM_TEST_SECRET']);
  const { call } = await connected({
    s: odd('surroundings', { env: { GIVEN: '1' }, cwd: tmpdir(), roots: ['/some/where'] }),
  });
  const env = JSON.parse(textOf(await call('mcp:s:env')));
  expect(env).toMatchObject({ GIVEN: '1', PATH: process.env['PATH'] });
  expect(env).not.toHaveProperty('CODESEAM_TEST_SECRET');
  expect(textOf(await call('mcp:s:cwd'))).toBe(tmpdir());
  expect(JSON.parse(textOf(await call('mcp:s:roots')))).toEqual({ roots: [{ uri: 'file:///some/where' }] });
});

test('a disabled server is listed and not started', async () => {
  const { status, ids } = await connected({ s: odd('busy', { disabled: true }) });
  expect(status('s')).toMatchObject({ state: 'disabled', tools: 0 });
  expect(ids()).toEqual([]);
});

test('what cannot be right is refused before anything is started', () => {
  const tools = createToolRegistry();
  expect(() => connectMcpServers({ servers: { a: { command: 'node', callMs: -1 } } }, { tools })).toThrow(
    'servers.a.callMs',
  );
});

test('the registry is told of servers that have no tools: starting, failed and why in our own words, or empty', async () => {
  const absent = (tools: { absentOwners(scope: object): { owner: string; info: { absence?: object } }[] }) =>
    Object.fromEntries(tools.absentOwners({}).map(({ owner, info }) => [owner, info.absence]));
  const crash = { command: process.execPath, args: ['-e', 'console.error("secret of the server"); process.exit(4)'] };
  const { tools, handle, status } = await connected({
    slow: odd('mute', { startupMs: 50 }),
    missing: { command: 'codeseam-no-such-command' },
    crash: { ...crash, reconnectAttempts: 1 },
    nothing: odd('nothing'),
    good: odd('busy'),
    off: { command: 'never', disabled: true },
  });
  await until(
    () => status('crash').state,
    (state) => state === 'failed',
  );
  expect(absent(tools)).toEqual({
    slow: { state: 'starting', reason: 'it is still starting after 50 ms (startupMs)' },
    missing: { state: 'failed', reason: 'could not start "codeseam-no-such-command": there is no such command' },
    crash: { state: 'failed', reason: '"crash" did not start: its process ended with exit code 4' },
    nothing: { state: 'empty', reason: 'its list of tools could not be read' },
  });
  expect(status('crash').lastError).toBe(
    '"crash" did not start: its process ended with exit code 4: secret of the server',
  );
  await handle.close();
  expect(tools.absentOwners({})).toEqual([]);
});
