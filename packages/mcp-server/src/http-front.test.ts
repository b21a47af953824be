import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { McpFrontError } from './errors.ts';
import { afterTest, connectClient, deferred, httpClient, surface, tool, until } from './fixtures/harness.ts';

const one = tool('one', () => 1);
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

/** A request with headers that fetch would not let through. */
function raw(
  url: string,
  {
    method = 'POST',
    headers = {},
    body = INITIALIZE,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    const request = httpRequest(url, { method, headers: all }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }));
    });
    request.on('error', reject);
    request.end(method === 'POST' ? body : undefined);
  });
}

test('only its own host names are served, so that no page can reach it by a name of its own', async () => {
  const { front } = await surface({ tools: [one] });
  const { url, port } = await front.serveHttp({ port: 0, allowedHosts: ['codeseam.example'] });
  for (const host of [`127.0.0.1:${port}`, `LOCALHOST:${port}`, 'codeseam.example']) {
    expect((await raw(url, { headers: { host } })).status, host).toBe(200);
  }
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1:1', 'localhost.evil.example']) {
    expect((await raw(url, { headers: { host } })).status, host).toBe(403);
  }
});

test('at every address of the machine, addresses and its own names are served, and other names are not', async () => {
  const { front } = await surface({ tools: [one] });
  const token = 'a-token';
  const { port } = await front.serveHttp({ host: '0.0.0.0', port: 0, token, allowedHosts: ['gate.example'] });
  const ask = async (host: string) => {
    const headers = { host, authorization: `Bearer ${token}` };
    return (await raw(`http://127.0.0.1:${port}/mcp`, { headers })).status;
  };
  for (const host of [
    `10.1.2.3:${port}`,
    `[fd00::1]:${port}`,
    `localhost:${port}`,
    `${hostname()}:${port}`,
    'gate.example',
  ])
    expect(await ask(host), host).toBe(200);
  for (const host of [
    '10.1.2.3:1',
    '10.1.2.3',
    `evil.example:${port}`,
    `1.2.3:${port}`,
    `10.1.2.3.evil.example:${port}`,
  ])
    expect(await ask(host), host).toBe(403);
});

test.each([
  ['192.0.2.1', 0, '192.0.2.1 is no address of this machine'],
  ['no-such-host.invalid', 0, 'no-such-host.invalid is no address of this machine'],
])('%s cannot be listened on, and the error says so', async (host, port, message) => {
  const { front } = await surface({ tools: [one] });
  const listening = front.serveHttp({ host, port, token: 'a-token' });
  await expect(listening).rejects.toMatchObject({ code: 'LISTEN_FAILED', message, hint: expect.any(String) });
});

test('only allowed pages may call, and only those are told so', async () => {
  const { front } = await surface({ tools: [one] });
  const { url, port } = await front.serveHttp({ port: 0, allowedOrigins: ['https://app.example'] });
  for (const origin of [`http://localhost:${port}`, 'https://app.example']) {
    const answer = await raw(url, { headers: { origin } });
    expect(answer.status, origin).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
  }
  for (const origin of ['https://evil.example', 'null', 'http://localhost:1', 'https://app.example.evil.example']) {
    const answer = await raw(url, { headers: { origin } });
    expect(answer.status, origin).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
  expect((await raw(url, { method: 'OPTIONS', headers: { origin: 'https://app.example' } })).status).toBe(204);
  expect((await raw(url, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })).status).toBe(403);
});

test('with a token nothing is served without it', async () => {
  const { front } = await surface({ tools: [one] });
  const { url } = await front.serveHttp({ port: 0, token: 'right' });
  for (const authorization of ['', 'Bearer wrong', 'right', 'bearer right']) {
    const answer = await raw(url, { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  }
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: 'Bearer right' } },
  });
  expect((await (await connectClient(transport)).listTools()).tools).toHaveLength(2);
});

test('beyond loopback a token is needed before anything is listened on', async () => {
  const { front } = await surface({ tools: [one] });
  await expect(front.serveHttp({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'UNSAFE_BIND' });
});

test('a port in use is an error that says so', async () => {
  const { front } = await surface({ tools: [one] });
  const { port } = await front.serveHttp({ port: 0 });
  const refused = front.serveHttp({ port });
  await expect(refused).rejects.toBeInstanceOf(McpFrontError);
  await expect(refused).rejects.toMatchObject({
    code: 'LISTEN_FAILED',
    message: `port ${port} of 127.0.0.1 is in use`,
  });
});

const refused: [string, number, { path?: string; method?: string; headers?: Record<string, string>; body?: string }][] =
  [
    ['another path', 404, { path: '/other' }],
    ['no JSON', 400, { body: '{' }],
    ['another content type', 415, { headers: { 'content-type': 'text/plain' } }],
    ['a session that is not there', 404, { headers: { 'mcp-session-id': 'nobody' } }],
    ['a body over 4 MiB', 413, { body: `"${'x'.repeat(4 * 1024 * 1024)}"` }],
    ['a stream without a session', 400, { method: 'GET' }],
    ['a call before the handshake', 400, { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }],
  ];

test.each(refused)('%s is answered %i', async (_name, status, { path, ...request }) => {
  const { front } = await surface({ tools: [one] });
  const { url } = await front.serveHttp({ port: 0 });
  expect((await raw(path === undefined ? url : url.replace('/mcp', path), request)).status).toBe(status);
});

test('more sessions than there may be are refused, and one that is ended makes room', async () => {
  const { front } = await surface({ tools: [one] });
  const { url } = await front.serveHttp({ port: 0, maxSessions: 1 });
  const first = await raw(url);
  expect(first.status).toBe(200);
  expect((await raw(url)).status).toBe(503);
  const headers = { 'mcp-session-id': String(first.headers['mcp-session-id']) };
  expect(await raw(url, { method: 'DELETE', headers })).toMatchObject({ status: 200 });
  expect((await raw(url)).status).toBe(200);
});

test('a session that is silent ends', async () => {
  const { front } = await surface({ tools: [one] });
  const { url } = await front.serveHttp({ port: 0, maxSessions: 1, sessionIdleMs: 50 });
  const first = await raw(url);
  expect(first.status).toBe(200);
  const headers = { 'mcp-session-id': String(first.headers['mcp-session-id']) };
  await until(
    async () => (await raw(url)).status,
    (status) => status === 200,
  );
  expect((await raw(url, { headers })).status).toBe(404);
});

test('a client whose connection breaks in a run keeps its session, and finds the result where it left', async () => {
  const gate = deferred<void>();
  const slow = tool('slow', async () => {
    await gate.promise;
    return 'late';
  });
  const { front } = await surface({ tools: [slow] });
  const { url } = await front.serveHttp({ port: 0 });
  const opened = await raw(url);
  const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'exec', arguments: { code: 'return await tools.slow()' } },
  });
  const seen = await new Promise<string>((resolve) => {
    const request = httpRequest(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      (response) => {
        response.once('data', (chunk) => {
          resolve(String(chunk));
          request.destroy();
        });
        response.on('error', () => {});
      },
    );
    request.on('error', () => {});
    request.end(call);
  });
  const eventId = /id: (\S+)/.exec(seen)![1]!;
  gate.resolve();
  const resumed = await new Promise<string>((resolve) => {
    const request = httpRequest(
      url,
      { headers: { accept: 'text/event-stream', 'last-event-id': eventId, ...headers } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
          if (!text.includes('"late"')) return;
          resolve(text);
          request.destroy();
        });
        response.on('error', () => {});
      },
    );
    request.on('error', () => {});
    request.end();
  });
  expect(resumed).toContain('"id":7');
});

test('closing ends open streams and sessions, and frees the port', async () => {
  const { front } = await surface({ tools: [one] });
  const http = await front.serveHttp({ port: 0 });
  const client = await httpClient(http.url);
  await client.listTools();
  await http.close();
  await expect(client.callTool({ name: 'exec', arguments: { code: 'return 1' } })).rejects.toThrow();
  await new Promise<void>((resolve, reject) => {
    const socket = connect(http.port, '127.0.0.1', () => reject(new Error('still listening')));
    socket.on('error', () => resolve());
    afterTest(() => socket.destroy());
  });
  await front.close();
  await expect(front.serveHttp({ port: 0 })).rejects.toMatchObject({ code: 'CLOSED' });
});
