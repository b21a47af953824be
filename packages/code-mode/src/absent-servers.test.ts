import { expect, test } from 'vitest';
import { createHarness, readTool, tool } from './testing/harness.ts';

/** A registry that knows four servers; only one of them has tools. */
async function withAbsentServers() {
  const harness = await createHarness({ tools: [tool('read_file', () => 'text')] });
  const server = (owner: string) => harness.tools.registrar({ source: 'mcp', owner, info: {} });
  server('docs').replace([tool('search', () => ({ content: [] }))]);
  const late = server('git-hub');
  late.describe({ absence: { state: 'starting' } });
  server('mail').describe({ absence: { state: 'failed', reason: 'its process ended with exit code 1' } });
  server('bare').describe({ absence: { state: 'empty' } });
  return { ...harness, late };
}

test('a program that misses a server is told that it is still starting, and finds it once it is there', async () => {
  const { exec, late } = await withAbsentServers();
  expect(await exec('return await MCP.gitHub.createIssue({})')).toMatchObject({
    status: 'failed',
    code: 'guest_error',
    error: 'TypeError: MCP has no member "gitHub": the MCP server git-hub is still starting',
    hint: expect.stringContaining('try again in a moment'),
  });
  late.replace([tool('create_issue', () => ({ content: [] }))]);
  expect(await exec('return await MCP.gitHub.createIssue({})')).toMatchObject({ value: { content: [] } });
  expect(await exec('return await MCP.gitHub2.createIssue({})')).toMatchObject({
    error: expect.not.stringContaining('starting'),
  });
});

test('a server that failed is named with the reason, one without tools as such', async () => {
  const { exec } = await withAbsentServers();
  expect(await exec('return MCP["mail"]')).toMatchObject({
    error: 'TypeError: MCP has no member "mail": the MCP server mail has failed (its process ended with exit code 1)',
    hint: expect.stringContaining('go on without'),
  });
  expect(await exec('return MCP.bare')).toMatchObject({
    error: expect.stringContaining('the MCP server bare offers no tools'),
  });
});

test.each([
  ['an id', 'tools.callValue("mcp:git-hub:create_issue", {})'],
  ['a wire name', 'tools.callValue("mcp__git-hub__create_issue", {})'],
  ['the call as text', 'tools.describe("MCP.gitHub.createIssue")'],
  ['a declaration file', 'API.read("mcp/gitHub.d.ts")'],
  ['a prefix of files', 'API.list("mcp/gitHub.d.ts")'],
])('%s of a server that is still starting says so', async (_, call) => {
  const { exec } = await withAbsentServers();
  expect(await exec(`return await ${call}`)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('the MCP server git-hub is still starting; try again in a moment'),
  });
});

test('a search says once which servers it cannot look into', async () => {
  const { exec } = await withAbsentServers();
  const result = await exec('await tools.search("file"); return (await tools.search("issue")).length');
  expect(result).toMatchObject({ status: 'completed', value: 0 });
  const note =
    'the MCP server git-hub is still starting; the MCP server mail has failed (its process ended with exit code 1): this program cannot find their tools';
  expect(result.output).toEqual([{ type: 'note', text: note }]);
});

test('a scope that may not know of a server is not told of it', async () => {
  const { exec, tools } = await withAbsentServers();
  tools.restrict({ deny: ['mcp:git-hub:*'] });
  const { error } = (await exec('return MCP.gitHub')) as { error: string };
  expect(error).toBe('TypeError: MCP has no member "gitHub"');
});

test('a program keeps the servers that it began with, and is told of one that has come up since', async () => {
  const { execUntilCall, wait, tools, late } = await withAbsentServers();
  tools.register(readTool('look', () => 'seen'));
  const programs = ['MCP.gitHub', 'tools.callValue("mcp:git-hub:create_issue", {})', 'tools.search("issue")'];
  const runs = [];
  for (const last of programs) runs.push(await execUntilCall(`await tools.look({}); return await ${last}`));
  late.replace([tool('create_issue', () => ({ content: [] }))]);
  const cameUp = 'the MCP server git-hub has come up since this program began';
  expect(await wait(runs[0]!.runId)).toMatchObject({
    error: `TypeError: MCP has no member "gitHub": ${cameUp}`,
    hint: 'run the program again, with a new exec: a program keeps the servers that it began with',
  });
  expect(await wait(runs[1]!.runId)).toMatchObject({
    error: expect.stringContaining(`${cameUp}; run the program again`),
  });
  const { output } = await wait(runs[2]!.runId);
  expect(output).toEqual([
    { type: 'note', text: expect.stringMatching(new RegExp(`^${cameUp}; the MCP server mail`)) },
  ]);
});

test('a server that has failed, or is gone, since the program began is not said to be up', async () => {
  const { execUntilCall, wait, tools, late } = await withAbsentServers();
  tools.register(readTool('look', () => 'seen'));
  const run = () => execUntilCall('await tools.look({}); return MCP.gitHub');
  const [first, second] = [await run(), await run()];
  late.describe({ absence: { state: 'failed' } });
  expect(await wait(first.runId)).toMatchObject({ error: expect.stringMatching(/git-hub has failed$/) });
  late.dispose();
  expect(await wait(second.runId)).toMatchObject({ error: 'TypeError: MCP has no member "gitHub"' });
});

test('a few servers are named to who misses one, many are not', async () => {
  const { exec, tools } = await createHarness();
  const up = (owner: string) =>
    tools.registrar({ source: 'mcp', owner, info: {} }).register(tool('search', () => ({ content: [] })));
  const hint = async () => ((await exec('return MCP.qqqqqq')) as { hint?: string }).hint;
  for (let i = 0; i < 8; i++) up(`server${i}`);
  expect(await hint()).toMatch(/^the servers are MCP\.server0, .*, MCP\.server7; await API\.list\("mcp"\)/);
  up('server8');
  expect(await hint()).toMatch(/^Object\.keys\(MCP\) lists the servers; await API\.list\("mcp"\)/);
});
