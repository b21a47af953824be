import { expect, test } from 'vitest';
import { createHarness, tool } from './testing/harness.ts';

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
    'the MCP server git-hub is still starting; the MCP server mail has failed (its process ended with exit code 1): their tools cannot be found now';
  expect(result.output).toEqual([{ type: 'note', text: note }]);
});

test('a scope that may not know of a server is not told of it', async () => {
  const { exec, tools } = await withAbsentServers();
  tools.restrict({ deny: ['mcp:git-hub:*'] });
  const { error } = (await exec('return MCP.gitHub')) as { error: string };
  expect(error).toBe('TypeError: MCP has no member "gitHub"');
});
