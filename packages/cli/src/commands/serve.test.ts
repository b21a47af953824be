import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCliForTest } from '../test-io.ts';

const server = fileURLToPath(new URL('../fixtures/sum-server.mjs', import.meta.url));
let folder: string;
const write = (name: string, ...args: string[]) => {
  const sum = { command: process.execPath, args: [server, ...args] };
  writeFileSync(join(folder, name), JSON.stringify({ mcpServers: { sum } }));
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeseam-serve-'));
  write('servers.json');
  write('mute.json', 'mute');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('serve that ends before its servers are ready', () => {
  test('ends fine, says nothing of tools that it never had, and leaves no failure behind', async () => {
    const failures: unknown[] = [];
    const note = (error: unknown) => failures.push(error);
    process.on('unhandledRejection', note);
    try {
      // stdin is at its end at once: the client is gone while the server has not answered yet.
      const result = await runCliForTest(['serve', '--config', 'mute.json'], { cwd: folder, stdin: '' });
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(result).toEqual({ code: 0, stdout: '', stderr: 'serving exec and wait on stdio\n' });
      expect(failures).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});

test('serve says of a config that is not there what the other commands say', async () => {
  const result = await runCliForTest(['serve', '--config', 'absent.yml'], { cwd: folder, stdin: '' });
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toMatch(/^error: cannot read the config .*absent\.yml: no such file\n$/);
});

describe('--http', () => {
  const serve = (...argv: string[]) =>
    runCliForTest(['serve', '--config', 'servers.json', ...argv], { cwd: folder, stdin: '' });

  test.each([
    ['127.0.0.1:99999', 'error: --http: the port must be from 0 (any that is free) to 65535, got 99999\n'],
    ['127.0.0.1:65536', 'error: --http: the port must be from 0 (any that is free) to 65535, got 65536\n'],
    ['8123', 'error: --http must be HOST:PORT, got "8123"\nhint: --http 127.0.0.1:8123\n'],
    ['127.0.0.1', 'error: --http must be HOST:PORT, got "127.0.0.1"\nhint: --http 127.0.0.1:8123\n'],
    ['127.0.0.1:-1', 'error: --http must be HOST:PORT, got "127.0.0.1:-1"\nhint: --http 127.0.0.1:8123\n'],
  ])('%s is refused before anything starts', async (address, stderr) => {
    expect(await serve('--http', address)).toEqual({ code: 2, stdout: '', stderr });
  });

  test('an address that other machines reach needs a token, and the error says which variable', async () => {
    const result = await serve('--http', '0.0.0.0:0');
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(
      /^error: 0\.0\.0\.0 can be reached from other machines, and CODESEAM_TOKEN is not set\nhint: set CODESEAM_TOKEN /,
    );
  });

  test('a port in use says what to do', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const result = await serve('--http', `127.0.0.1:${port}`);
    taken.close();
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(`error: port ${port} of 127.0.0.1 is in use\nhint: choose another port`);
  });

  test.each([
    [['--allow-host', 'a.example'], '--allow-host needs --http'],
    [['--watch'], '--watch needs a cordis.yml, and servers.json is JSON'],
  ])('%j is refused where it would do nothing', async (argv, message) => {
    expect(await serve(...argv)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`error: ${message}\n`),
    });
  });
});
