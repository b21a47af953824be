import { expect, test } from 'vitest';
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
