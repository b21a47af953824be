// For tests: the tools of an everyday agent, from the host, a plugin, and two MCP servers.
import type { ToolDefinition, ToolRegistry } from '@codeseam/tools';
import { tool } from './harness.ts';

const text = (description: string) => ({ type: 'string', description });
const object = (properties: object, required: string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});

export const HOST_TOOLS: ToolDefinition[] = [
  tool('read_file', ({ path }) => ({ path, content: `content of ${path}`, lines: 1 }), {
    description: 'Reads a text file.',
    parameters: object({ path: text('The file') }, ['path'], { additionalProperties: false }),
    output: {
      schema: object(
        { path: { type: 'string' }, content: { type: 'string' }, lines: { type: 'integer' } },
        ['path', 'content', 'lines'],
        { additionalProperties: false },
      ),
    },
    replaySafe: true,
  }),
  tool('search_docs', ({ query }) => [`doc about ${query}`], {
    description: 'Searches the documentation.',
    parameters: object({ query: text('What to look for'), limit: { type: 'integer', default: 5 } }, ['query']),
    replaySafe: true,
  }),
  tool('run_command', ({ command }) => ({ stdout: `ran ${command}`, exitCode: 0 }), {
    description: 'Runs a shell command.',
    parameters: object({ command: text('The command line') }, ['command']),
  }),
  tool('send-email', ({ to }) => ({ sent: true, to }), {
    description: 'Sends an email.',
    parameters: object({ to: text('Whom'), subject: text('What about'), body: text('The text') }, ['to', 'body']),
  }),
  tool('always_fails', () => {
    throw new Error('the disk is full');
  }),
  tool('take_photo', () => 'image', { description: 'Takes a photo.', directOnly: true }),
];

const mcpText = (value: string) => ({ content: [{ type: 'text', text: value }] });

export const EVERYTHING_TOOLS: ToolDefinition[] = [
  tool('echo', ({ message }) => mcpText(`Echo: ${message}`), {
    description: 'Echoes back the input string',
    parameters: object({ message: text('Message to echo') }, ['message']),
  }),
  tool('get-sum', ({ a, b }) => mcpText(`The sum of ${a} and ${b} is ${a + b}.`), {
    description: 'Returns the sum of two numbers',
    parameters: object({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
  }),
  tool('$resources.list', () => ({ resources: [{ uri: 'demo://1', name: 'One' }] }), { hidden: true }),
  tool('$resources.read', ({ uri }) => ({ contents: [{ uri, text: 'resource text' }] }), {
    hidden: true,
    parameters: object({ uri: { type: 'string' } }, ['uri']),
  }),
];

/** Registers them all. */
export function registerEverydayTools(tools: ToolRegistry): void {
  for (const definition of HOST_TOOLS) tools.register(definition);
  const plugin = tools.registrar({ source: 'plugin', owner: 'tracker' });
  plugin.register(
    tool('list_issues', ({ state }) => [{ number: 1, state: state ?? 'open' }], {
      description: 'Lists issues of the tracker.',
      parameters: object({ state: { type: 'string', enum: ['open', 'closed'] } }),
    }),
  );
  plugin.register(
    tool('update_issue', ({ number, title }) => ({ number, title }), {
      description: 'Changes an issue.',
      parameters: object({ number: { type: 'integer' }, title: { type: 'string' } }, ['number']),
    }),
  );
  const everything = tools.registrar({ source: 'mcp', owner: 'everything', info: { title: 'Everything' } });
  for (const definition of EVERYTHING_TOOLS) everything.register(definition);
  const files = tools.registrar({ source: 'mcp', owner: 'my-files' });
  files.register(
    tool('list_directory', ({ path }) => mcpText(`listing of ${path}`), {
      parameters: object({ path: text('Where') }, ['path']),
    }),
  );
}
