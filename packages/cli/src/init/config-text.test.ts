import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configText } from './config-text.ts';
import { importServers } from './import-servers.ts';

test('secrets of a foreign file become references to the environment, and everything else is copied', () => {
  const { servers, secrets } = importServers({
    github: {
      command: 'npx',
      args: ['-y', 'github-server'],
      env: { GITHUB_TOKEN: 'ghp_abc', LOG_LEVEL: 'debug', OTHER: `$\{env:OTHER_HOME}` },
      alwaysAllow: ['x'],
    },
    docs: { url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer abc' } },
    broken: 'nonsense',
  });
  expect(secrets).toEqual([
    { server: 'github', where: 'env.GITHUB_TOKEN', variable: 'GITHUB_TOKEN' },
    { server: 'docs', where: 'headers.Authorization', variable: 'DOCS_AUTHORIZATION' },
  ]);
  const text = configText(servers);
  expect(text).not.toContain('ghp_abc');
  expect(text).not.toContain('Bearer');
  expect(text).toContain(`
- id: mcp-github
  name: "@codeseam/mcp-client"
  config:
    servers:
      github:
        command: npx
        args:
          - -y
          - github-server
        env:
          GITHUB_TOKEN: !!js env.GITHUB_TOKEN
          LOG_LEVEL: debug
          OTHER: !!js env.OTHER_HOME
`);
});

test('secrets in arguments and addresses become references too', () => {
  const { servers, secrets } = importServers({
    db: {
      command: 'db-server',
      args: ['postgres://u:secretpw@h/db', '--token=abcd1234', '--api-key', 'k-1', '--port=80'],
    },
    web: { url: 'https://example.com/mcp?api_key=sk-12345&page=1' },
    open: { url: 'https://example.com/mcp?page=1', args: ['https://example.com/a:b@c', '--token'] },
  });
  expect(secrets).toEqual([
    { server: 'db', where: 'args.0', variable: 'DB_ARGS_0' },
    { server: 'db', where: 'args.1', variable: 'DB_TOKEN' },
    { server: 'db', where: 'args.3', variable: 'DB_API_KEY' },
    { server: 'web', where: 'url', variable: 'WEB_URL' },
  ]);
  expect(servers['open']).toEqual({
    url: 'https://example.com/mcp?page=1',
    args: ['https://example.com/a:b@c', '--token'],
  });
  const text = configText(servers);
  for (const secret of ['secretpw', 'abcd1234', 'k-1', 'sk-12345']) expect(text).not.toContain(secret);
  expect(text).toContain("- !!js ('--token=' + env.DB_TOKEN)\n");
  const tag = { tag: 'tag:yaml.org,2002:js', resolve: (source: string) => `js: ${source}` };
  const rows = parse(text, { customTags: [tag] }) as { id: string; config?: { servers: Record<string, unknown> } }[];
  expect(rows.find(({ id }) => id === 'mcp-db')?.config?.servers['db']).toEqual({
    command: 'db-server',
    args: ['js: env.DB_ARGS_0', "js: ('--token=' + env.DB_TOKEN)", '--api-key', 'js: env.DB_API_KEY', '--port=80'],
  });
  expect(text).toContain('--port=80');
});

test('a server that is switched off becomes a row that is, so that nothing asks for its secrets', () => {
  const { servers } = importServers({ docs: { url: 'https://docs.example/mcp?token=abc', disabled: true } });
  const text = configText(servers);
  expect(text).toContain(`
- id: mcp-docs
  name: "@codeseam/mcp-client"
  disabled: true
  config:
    servers:
      docs:
        url: !!js env.DOCS_URL
`);
  expect(text.match(/disabled/g)).toHaveLength(1);
});
