import { expect, test } from 'vitest';
import { parseMcpServers } from './read-mcp-json.ts';

/** A place to fill, as such files write it. */
const place = (name: string) => `$${`{${name}}`}`;

test.each([
  ['{ "mcpServers": { "a": { "command": "node" } } }'],
  ['{ "servers": { "a": { "command": "node" } }, "inputs": [] }'],
  ['{ "mcp": { "servers": { "a": { "command": "node" } } } }'],
  ['{ "a": { "command": "node" } }'],
  ['\uFEFF{ // comment, with "quotes"\n "mcpServers": { "a": { "command": "node", /* , } */ }, }, }'],
])('the map is found in %s', (text) => {
  expect(parseMcpServers(text)).toEqual({ a: { command: 'node' } });
});

test('what looks like a comment inside a string stays', () => {
  const text = '{ "mcpServers": { "a": { "url": "http://host/a//b", "headers": { "X": "/* no */ \\" // ,}" } } } }';
  expect(parseMcpServers(text)).toEqual({ a: { url: 'http://host/a//b', headers: { X: '/* no */ " // ,}' } } });
});

test('variables are filled from the given environment only, and an unset one is an error that names place and variable', () => {
  const headers = { Authorization: `Bearer ${place('env:TOKEN')}`, X: place('Y:-z') };
  const text = JSON.stringify({ mcpServers: { a: { url: 'http://h', headers } } });
  expect(parseMcpServers(text, { env: { TOKEN: place('t') } })).toEqual({
    a: { url: 'http://h', headers: { Authorization: `Bearer ${place('t')}`, X: 'z' } },
  });
  expect(() => parseMcpServers(text, { from: 'mcp.json' })).toThrow(
    'mcp.json: a.headers.Authorization needs the variable TOKEN, which is not set',
  );
});

test('a place that only another client can fill is refused', () => {
  const text = JSON.stringify({ a: { command: 'x', args: [place('input:key')] } });
  expect(() => parseMcpServers(text, { env: {} })).toThrow(
    `a.args[0] has ${place('input:key')}, which only its own client can fill`,
  );
});

test("other clients' names for fields are understood", () => {
  expect(parseMcpServers('{ "a": { "serverUrl": "http://h", "enabled": false, "transport": "sse" } }')).toEqual({
    a: { url: 'http://h', disabled: true, type: 'sse' },
  });
});

test.each([
  ['[]', 'has no map of servers'],
  ['{ "a": 5 }', 'has no map of servers'],
  ['{', 'mcp.json:1:1: not valid JSON: it ends too early'],
  ['{}', 'has no map of servers'],
  ['{ "mcpServers": { "a": { "comand": "x" } } }', 'did you mean command?'],
])('%s is refused', (text, part) => {
  expect(() => parseMcpServers(text, { from: 'mcp.json' })).toThrow(part);
});
