import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterTest, connected, everything, httpServer, textOf, until } from './fixtures/harness.ts';

const seen = (text: string) =>
  JSON.parse(text) as { headers: Record<string, string>; session: string; calls: number; registered: number };

test('a server over HTTP is called within its session, with the configured headers', async () => {
  const { url } = await httpServer('bearer');
  const { call, status } = await connected({
    good: { url, headers: { Authorization: 'Bearer right' } },
    bad: { url, headers: { Authorization: 'Bearer wrong' } },
  });
  const { headers, session } = seen(textOf(await call('mcp:good:whoami')));
  expect(headers['mcp-session-id']).toBe(session);
  expect(headers['authorization']).toBe('Bearer right');
  expect(status('bad')).toMatchObject({
    state: 'failed',
    tools: 0,
    lastError: expect.stringContaining('refused the credentials'),
  });
});

test('a real server over streamable HTTP and over the older SSE works the same', async () => {
  const [http, sse] = await Promise.all([everythingOver('streamableHttp'), everythingOver('sse')]);
  const { call } = await connected({ http: { url: `${http}/mcp` }, sse: { url: `${sse}/sse`, type: 'sse' } });
  expect(textOf(await call('mcp:http:get-sum', { a: 1, b: 2 }))).toBe('The sum of 1 and 2 is 3.');
  expect(textOf(await call('mcp:sse:get-sum', { a: 1, b: 2 }))).toBe('The sum of 1 and 2 is 3.');
});

async function everythingOver(transport: string): Promise<string> {
  const { spawn } = await import('node:child_process');
  const port = await freePort();
  const { command, args } = everything(transport);
  const child = spawn(command!, [...args!], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  afterTest(() => {
    child.kill('SIGKILL');
    return ended;
  });
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => /port|running|listening/i.test(String(data)) && resolve());
  });
  return `http://127.0.0.1:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a server that accepts only the host name localhost is reached by that name', async () => {
  const { url } = await httpServer('host-guard');
  const { call, log } = await connected({ s: { url } });
  expect(seen(textOf(await call('mcp:s:whoami'))).headers['host']).toMatch(/^localhost:/);
  expect(log.map((entry) => entry.message)).toContain(
    `refused by ${url}; trying ${url.replace('127.0.0.1', 'localhost')}`,
  );
});

test('a stream that ends without an answer fails its call at once and says that it may have been done', async () => {
  const { url } = await httpServer('plain');
  const { call } = await connected({ s: { url } });
  expect(await call('mcp:s:cut')).toMatchObject({
    isError: true,
    code: 'TOOL_FAILED',
    message: expect.stringContaining('may have been done'),
  });
  expect(seen(textOf(await call('mcp:s:whoami'))).calls).toBe(2);
});

test('a session that the server has forgotten is opened anew, and the call is made once', async () => {
  const { url } = await httpServer('plain');
  const { call, status } = await connected({ s: { url } });
  const before = seen(textOf(await call('mcp:s:whoami')));
  await call('mcp:s:forget');
  const after = seen(textOf(await call('mcp:s:whoami')));
  expect(after.session).not.toBe(before.session);
  expect(after.calls).toBe(before.calls + 2);
  expect(status('s').generation).toBe(2);
});

test('a server that dies in a call is noticed, and back when it is back', async () => {
  const { url, port } = await httpServer('plain');
  const { call, status } = await connected({ s: { url } });
  expect(await call('mcp:s:exit')).toMatchObject({ isError: true });
  await until(
    () => status('s').state,
    (state) => state === 'reconnecting',
  );
  await httpServer('plain', port);
  expect(seen(textOf(await call('mcp:s:whoami'))).calls).toBe(1);
});

test('a server that is not there fails alone', async () => {
  const port = await freePort();
  const { status } = await connected({ s: { url: `http://127.0.0.1:${port}/mcp` } });
  expect(status('s')).toMatchObject({
    state: 'reconnecting',
    lastError: `connecting to "s" failed: nothing listens at 127.0.0.1:${port}; start the server, or correct its url`,
  });
});

function tokensFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'codeseam-'));
  afterTest(() => rmSync(folder, { recursive: true }));
  return join(folder, 'deep', 'tokens.json');
}

test('a person authorizes once; the tokens are kept in a file that only its owner can read, and used by the next process', async () => {
  const { url, port } = await httpServer('oauth');
  const file = tokensFile();
  const asked: string[] = [];
  // The person's browser: it follows the redirect of the authorization server back to us.
  const onAuthorize = ({ url: page }: { url: string }) => {
    asked.push(page);
    void fetch(page);
  };
  const servers = { s: { url, oauth: { tokensFile: file } } };
  const first = await connected(servers, { onAuthorize });
  expect(first.status('s')).toMatchObject({ state: 'connected', tools: 5 });
  expect(asked).toHaveLength(1);
  expect(new URL(asked[0]!).searchParams.get('code_challenge_method')).toBe('S256');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const token = JSON.parse(readFileSync(file, 'utf8'))[url].tokens.access_token;
  expect(seen(textOf(await first.call('mcp:s:whoami'))).headers['authorization']).toBe(`Bearer ${token}`);
  await first.handle.close();

  const second = await connected(servers, { onAuthorize });
  expect(seen(textOf(await second.call('mcp:s:whoami'))).registered).toBe(1);
  expect(asked).toHaveLength(1);

  // An access token that has run out is refreshed without a person.
  await fetch(`http://127.0.0.1:${port}/revoke-all`);
  expect((await second.call('mcp:s:whoami')).isError).toBe(false);
  expect(asked).toHaveLength(1);
});

test('where nobody can be asked, an OAuth server fails and says what is missing', async () => {
  const { url } = await httpServer('oauth');
  const { status } = await connected({ s: { url, oauth: { tokensFile: tokensFile() } } });
  expect(status('s')).toMatchObject({
    state: 'failed',
    lastError: expect.stringContaining('wants a person to authorize'),
  });
});

test('a machine authorizes with its own credentials', async () => {
  const { url } = await httpServer('oauth');
  const oauth = { grant: 'client_credentials', clientId: 'machine', clientSecret: 'secret' } as const;
  const { call } = await connected({ s: { url, oauth } });
  expect((await call('mcp:s:whoami')).isError).toBe(false);
});

test('a tokens file that others can read is closed to them, and one that is damaged is not overwritten', async () => {
  const { url } = await httpServer('oauth');
  const folder = mkdtempSync(join(tmpdir(), 'codeseam-'));
  afterTest(() => rmSync(folder, { recursive: true }));
  const open = join(folder, 'open.json');
  writeFileSync(open, '{}', { mode: 0o644 });
  const damaged = join(folder, 'damaged.json');
  writeFileSync(damaged, 'not json');
  const { status } = await connected(
    { open: { url, oauth: { tokensFile: open } }, damaged: { url, oauth: { tokensFile: damaged } } },
    { onAuthorize: ({ url: page }) => void fetch(page) },
  );
  expect(status('open').state).toBe('connected');
  expect(statSync(open).mode & 0o777).toBe(0o600);
  expect(status('damaged').lastError).toContain('delete it to authorize anew');
  expect(readFileSync(damaged, 'utf8')).toBe('not json');
});
