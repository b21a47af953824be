import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCliForTest } from '../test-io.ts';

let folder: string;
const tools = [
  {
    name: 'create-issue',
    description: 'Opens an issue. */ evil',
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string' }, labels: { type: 'array', items: { enum: ['bug', 'idea'] } } },
      required: ['title'],
    },
  },
];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeseam-types-'));
  writeFileSync(
    join(folder, 'servers.json'),
    JSON.stringify({ github: { tools, resources: true }, empty: { tools: [] } }),
  );
  writeFileSync(join(folder, 'tracker.json'), JSON.stringify({ tools }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const run = (...argv: string[]) => runCliForTest(['types', ...argv], { cwd: folder });

test('writes one file a server and an index, and they compile', async () => {
  const result = await run('--from', 'servers.json', '--out', 'types', '--check');
  expect([result.code, result.stdout]).toEqual([0, '']);
  expect(result.stderr).toMatch(/^wrote 2 files to types\n2 files compile under tsc --strict, 0 any\n$/);
  const file = readFileSync(join(folder, 'types/mcp/github.d.ts'), 'utf8');
  expect(file).toContain('createIssue(');
  expect(file).toMatch(/['"]bug['"] \| ['"]idea['"]/);
}, 60_000);

test('prints them on stdout without --out; one list of tools is named by its file, or by --server', async () => {
  expect((await run('--from', 'tracker.json')).stdout).toContain('// mcp/tracker.d.ts\n');
  expect((await run('--from', 'tracker.json', '--server', 'jira')).stdout).toContain('// mcp/jira.d.ts\n');
});

test('a document that is none of both is refused with its place', async () => {
  writeFileSync(join(folder, 'odd.json'), JSON.stringify({ github: { tools: 7 } }));
  const result = await run('--from', 'odd.json');
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toMatch(/^error: odd\.json: .*"github"\.tools is/);
  expect(await run('--from', 'odd.json', '--config', 'x.yml')).toMatchObject({
    code: 2,
    stderr: 'error: give --config or --from, not both\n',
  });
  expect(await run('--server', 'x')).toMatchObject({ code: 2, stderr: 'error: --server needs --from\n' });
});

test('without MCP tools it writes nothing and says so', async () => {
  expect(await run()).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^the built-in config has no MCP tools: codeseam init writes a cordis\.yml/),
  });
});
