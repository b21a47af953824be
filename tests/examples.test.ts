import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCli } from './built-cli.ts';
import { root } from './read-packages.ts';

const run = async (example: string) => {
  const folder = `examples/${example}`;
  const cli = startCli(['exec', `${folder}/program.ts`, '--config', `${folder}/cordis.yml`, '--json'], { cwd: root });
  const code = await cli.ended;
  return { code, stderr: cli.stderr(), result: code === 0 ? JSON.parse(cli.stdout()) : cli.stdout() };
};

test('a plugin of one’s own gives programs a namespace, and its policy holds inside of them', async () => {
  const { code, stderr, result } = await run('issues');
  expect([code, stderr]).toEqual([0, '']);
  expect(result).toMatchObject({
    status: 'completed',
    value: { labelled: [1, 3], closed: 'not closed: ToolCallError' },
  });
}, 60_000);

test('every example has a test that runs it', () => {
  // two-servers runs in cli-process.test.ts, with its answer checked against its data.
  expect(readdirSync(join(root, 'examples')).sort()).toEqual(['issues', 'two-servers']);
});
