import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createToolRegistry } from '@codeseam/tools';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallTargets } from '../call-target.ts';
import { runCliForTest } from '../test-io.ts';

const server = fileURLToPath(new URL('../fixtures/sum-server.mjs', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeseam-call-'));
  const mcpServers = { everything: { command: process.execPath, args: [server] } };
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...argv: string[]) => runCliForTest(argv, { cwd: folder });
const call = (ref: string, input: object, ...more: string[]) =>
  run('call', ref, '--config', 'mcp.json', '--input', JSON.stringify(input), ...more);

describe('a tool is named as our own output names it', () => {
  const tools = createToolRegistry({ mode: 'native' });
  const tool = (name: string) => ({ name, description: name, parameters: { type: 'object' }, execute: () => name });
  tools
    .registrar({ source: 'mcp', owner: 'every-thing', info: {} })
    .replace([tool('get-sum'), tool("it's"), { ...tool('$resources.read'), hidden: true }]);
  tools.registrar({ source: 'plugin', owner: 'shop', info: {} }).replace([tool('price'), tool('set price')]);
  const targets = new CallTargets(tools.view({}));

  test.each([
    ['mcp:every-thing:get-sum', 'mcp:every-thing:get-sum'],
    ['mcp__every-thing__get-sum', 'mcp:every-thing:get-sum'],
    ['get-sum', 'mcp:every-thing:get-sum'],
    ['MCP.everyThing.getSum', 'mcp:every-thing:get-sum'],
    [" MCP.everyThing['get-sum'] ", 'mcp:every-thing:get-sum'],
    ['MCP["every-thing"]["get-sum"]', 'mcp:every-thing:get-sum'],
    ["MCP.everyThing['it\\'s']", "mcp:every-thing:it's"],
    ['MCP.everyThing.resources.read', 'mcp:every-thing:$resources.read'],
    ['return await MCP.everyThing.getSum({ a: 1 });', 'mcp:every-thing:get-sum'],
    ['tools.price', 'plugin:shop:price'],
    ['tools.setPrice({})', 'plugin:shop:set price'],
    ['tools["price"]', 'plugin:shop:price'],
    ['tools.callValue("plugin:shop:price", {})', 'plugin:shop:price'],
    ['tools.mcp__everything__nope', undefined],
    ['MCP.everyThing', undefined],
    ['MCP.everyThing.getSum.more', undefined],
    ['MCP.everyThing.getSum + 1', undefined],
    ['constructor', undefined],
    ['tools.constructor', undefined],
    ['', undefined],
  ])('%s', (ref, id) => {
    expect(targets.find(ref)?.id).toBe(id);
  });

  test.each([
    ['MCP.everyThing.getSumm', ['MCP.everyThing.getSum']],
    ['mcp:every-thing:get-summ', ['mcp:every-thing:get-sum']],
    ['tools.prise', ['tools.price']],
    ['prise', ['plugin:shop:price']],
  ])('%s is near to a real name', (ref, near) => {
    expect(targets.suggest(ref).slice(0, near.length)).toEqual(near);
  });
});

test('every name that search and inspect print can be called', async () => {
  const found = JSON.parse((await run('search', 'sum', '--config', 'mcp.json', '--json')).stdout);
  const { id, callPath } = found.entries[0];
  const printed = (await run('search', 'sum', '--config', 'mcp.json')).stdout.split('\n')[0]!;
  expect(new Set([id, callPath, printed])).toEqual(new Set(['mcp:everything:get-sum', 'MCP.everything.getSum']));
  for (const ref of [id, callPath]) {
    const result = await call(ref, { a: 1, b: 2 });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toEqual({ content: [{ type: 'text', text: 'The sum is 3.' }] });
  }
});

test('a name that is none is told with near ones, as text and as data', async () => {
  const text = await call('MCP.everything.getSumm', {});
  expect(text).toMatchObject({ code: 1, stdout: '' });
  expect(text.stderr).toMatch(
    /^UNKNOWN_TOOL: unknown tool "MCP.everything.getSumm"; did you mean MCP.everything.getSum/,
  );
  const data = await call('nonsense', {}, '--json');
  expect(data).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(data.stdout)).toMatchObject({ isError: true, code: 'UNKNOWN_TOOL' });
});

test('misspelt keys are told with the nearest one, whether the call was made or not', async () => {
  expect(await call('read_text_file', { pth: 'a' })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `INVALID_ARGS: invalid arguments for "mcp__everything__read_text_file": path: is required
hint: "pth" is no key of this tool (did you mean "path"?); it takes { path: string; head?: number }
`,
  });
  expect(await call('read_text_file', { path: 'a', headd: 1 })).toMatchObject({
    code: 0,
    stderr: 'note: "headd" is no key of this tool (did you mean "head"?)\n',
  });
  const data = await call('read_text_file', { path: 'a', x: 1 }, '--json');
  expect(JSON.parse(data.stdout)).toMatchObject({ isError: false, note: '"x" is no key of this tool' });
});

test.each(['[1]', '3', 'null', '"text"'])('--input %s is refused: it takes one object', async (input) => {
  const result = await run('call', 'get-sum', '--input', input);
  expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('one JSON object') });
});

test('without a config there are no tools, and the error says how to come by some', async () => {
  const hint =
    'codeseam init writes a cordis.yml for your MCP servers; --config FILE takes one, or a JSON file with mcpServers';
  expect(await run('call', 'x')).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: the built-in config has no tools\nhint: ${hint}\n`,
  });
  expect(await run('search', 'x')).toEqual({
    code: 0,
    stdout: '',
    stderr: `the built-in config has no tools: ${hint}\n`,
  });
});

test('a call by hand leaves the presentation of the model alone', async () => {
  const plugin = join(folder, 'watch.mjs');
  // The registry tells of every change of what is shown.
  writeFileSync(
    plugin,
    `export default { inject: ['tools'], apply({ tools }) {
      let changes = 0;
      tools.register({ name: 'changes', description: 'x', parameters: { type: 'object' }, execute: () => changes });
      tools.on('tools/change', () => { changes += 1; });
    } };`,
  );
  writeFileSync(
    join(folder, 'watch.yml'),
    `- { name: '@codeseam/tools', config: { mode: code, transport: run_code } }\n- { name: ${JSON.stringify(plugin)} }\n`,
  );
  expect(await run('call', 'changes', '--config', 'watch.yml')).toEqual({ code: 0, stdout: '0\n', stderr: '' });
});
