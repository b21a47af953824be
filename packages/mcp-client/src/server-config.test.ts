import { expect, test } from 'vitest';
import { McpClientError } from './errors.ts';
import { readServers } from './server-config.ts';

function refusal(config: unknown): string {
  try {
    readServers(config as never);
  } catch (error) {
    expect(error).toBeInstanceOf(McpClientError);
    expect((error as McpClientError).code).toBe('INVALID_CONFIG');
    return (error as Error).message;
  }
  throw new Error('was not refused');
}

test('the mcpServers shape of other clients is read as it is, and every default is filled', () => {
  const servers = readServers({
    servers: {
      files: {
        command: 'npx',
        args: ['-y', 'server', '.'],
        env: { A: '1' },
        autoApprove: ['x'],
        disabled: false,
      } as never,
      docs: { type: 'streamable-http', url: 'http://127.0.0.1:8123/mcp', headers: { Authorization: 'Bearer t' } },
      old: { type: 'sse', url: 'https://example.org/sse', oauth: true },
    },
  });
  expect(servers['files']).toEqual({
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'server', '.'],
    env: { A: '1' },
    disabled: false,
    trust: false,
    concurrency: 'parallel',
    startupMs: 30_000,
    connectMs: 60_000,
    callMs: 300_000,
    reconnectAttempts: 8,
    roots: [],
  });
  expect(servers['docs']).toMatchObject({ transport: 'http', headers: { Authorization: 'Bearer t' } });
  expect(servers['old']).toMatchObject({ transport: 'sse', oauth: { grant: 'authorization_code', redirectPort: 0 } });
});

test('a row may be one server with its name', () => {
  expect(Object.keys(readServers({ name: 'files', command: 'node' }))).toEqual(['files']);
});

test('every violation is reported at once, with the nearest field for an unknown one', () => {
  const message = refusal({
    servers: {
      a: { comand: 'node', arg: [] },
      b: { url: 'ftp://host/path' },
      c: { url: 'http://host', env: {} },
      d: { command: 'node', callMs: 0, trust: 'yes' },
      e: {},
      f: { command: 'node', url: 'http://host' },
      g: { command: 'node', env: { TOKEN: undefined, N: 5 } },
    },
  });
  expect(message).toContain('servers.a.comand: unknown key, did you mean command?');
  expect(message).toContain('servers.a.arg: unknown key, did you mean args?');
  expect(message).toContain('servers.b: has the url "ftp://host/path"');
  expect(message).toContain('servers.c: has "env", which belongs to a server with "command"');
  expect(message).toContain('servers.d.callMs: expected a whole number from 1 to 2147483647');
  expect(message).toContain('servers.d.trust');
  expect(message).toContain('servers.e: needs "command" (a local server) or "url" (a remote one)');
  expect(message).toContain('servers.f: has both "command" and "url"');
  expect(message).toContain('servers.g.env.N');
});

test.each([
  [{}, 'needs "servers"'],
  [{ servers: {}, command: 'node' }, 'has "servers" beside the fields of one server'],
  [{ servers: { ' ': { command: 'node' } } }, 'must have 1 to 200 characters'],
  [{ servers: { a: { command: 'node', type: 'http' } } }, 'has the type "http", but a "command"'],
  [
    { servers: { a: { url: 'http://h', oauth: { grant: 'client_credentials' } } } },
    'oauth.clientId and oauth.clientSecret',
  ],
  [{ servers: { a: { url: 'http://h', oauth: { scopes: 'x' } } } }, 'did you mean scope?'],
  [{ servers: { a: { cmd: 'x' } } }, 'did you mean command?'],
  [{ servers: 5 }, 'expected an object'],
])('%j is refused', (config, part) => {
  expect(refusal(config)).toContain(part);
});
