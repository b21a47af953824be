import { expect, test } from 'vitest';
import { afterTest } from './fixtures/harness.ts';
import { StdioTransport } from './stdio-transport.ts';

test('a process that reads nothing any more is told as one that has ended, and its last words are waited for', async () => {
  const script =
    'require("fs").closeSync(0); console.error("ready"); setTimeout(() => { throw new Error("gone"); }, 150)';
  let isReady = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const transport = new StdioTransport({ command: process.execPath, args: ['-e', script], onStderr: () => isReady() });
  afterTest(() => transport.close());
  await transport.start();
  await ready;
  const sent = transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await expect(sent).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
  await transport.lastWords(10_000);
  expect(transport.lastLines).toContain('Error: gone');
  expect(transport.exitText).toBe('exit code 1');
});
