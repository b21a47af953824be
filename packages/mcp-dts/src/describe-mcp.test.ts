import { describe, expect, test } from 'vitest';
import { describeMcp, McpDtsError, type McpServerCatalog } from './index.ts';

const servers: McpServerCatalog[] = [
  {
    name: 'everything',
    title: 'Everything */ Server',
    instructions: 'Start with echo.',
    resources: { list: true, read: true },
    prompts: { list: true, get: false },
    tools: [
      {
        name: 'get-sum',
        description: 'Returns the sum of two numbers',
        inputSchema: {
          type: 'object',
          properties: {
            a: { type: 'number', description: 'First number' },
            b: { type: 'number', description: 'Second number' },
          },
          required: ['a', 'b'],
          additionalProperties: false,
        },
        outputSchema: {
          type: 'object',
          properties: { sum: { type: 'number' } },
          required: ['sum'],
          additionalProperties: false,
        },
      },
      { name: 'echo', inputSchema: { type: 'object', properties: { message: { type: 'string' } } } },
      { name: 'resources' },
    ],
  },
  { name: 'chrome-devtools', tools: [{ name: 'click', title: 'Click' }] },
  { name: 'nothing', tools: [] },
];

const api = describeMcp(servers);

function errorOf(run: () => unknown): McpDtsError {
  try {
    run();
  } catch (error) {
    if (error instanceof McpDtsError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('names', () => {
  test('servers and tools have identifiers, in order; a server with nothing visible is not there', () => {
    expect(api.servers).toEqual([
      {
        server: 'chrome-devtools',
        identifier: 'chromeDevtools',
        toolCount: 1,
        tools: [{ tool: 'click', identifier: 'click' }],
        resources: { list: false, read: false },
        prompts: { list: false, get: false },
      },
      {
        server: 'everything',
        identifier: 'everything',
        toolCount: 3,
        tools: [
          { tool: 'echo', identifier: 'echo' },
          { tool: 'get-sum', identifier: 'getSum' },
          { tool: 'resources', identifier: 'resources_' },
        ],
        resources: { list: true, read: true },
        prompts: { list: true, get: false },
      },
    ]);
  });

  test('identifier paths and raw names resolve', () => {
    expect(api.resolve(['everything', 'getSum'])).toEqual({ server: 'everything', tool: 'get-sum' });
    expect(api.resolve(['everything', 'get-sum'])).toEqual({ server: 'everything', tool: 'get-sum' });
    expect(api.resolve(['chrome-devtools', 'click'])).toEqual({ server: 'chrome-devtools', tool: 'click' });
    expect(api.resolve(['everything', 'resources', 'read'])).toEqual({ server: 'everything', tool: '$resources.read' });
    expect(api.resolve(['everything', 'prompts', 'list'])).toEqual({ server: 'everything', tool: '$prompts.list' });
  });

  test.each([
    [[]],
    [['everything']],
    [['everything', 'nope']],
    [['nope', 'getSum']],
    [['everything', 'getSum', 'more']],
    [['everything', 'prompts', 'get']],
    [['everything', 'resources', 'constructor']],
    [['everything', 'constructor']],
    [['everything', '__proto__', 'list']],
    [['nothing', 'x']],
    [['chromeDevtools', 'resources', 'list']],
  ])('%j means nothing', (path) => {
    expect(api.resolve(path)).toBeUndefined();
  });

  test('every tool has its path, fixed members included', () => {
    expect(api.pathOf('everything', 'get-sum')).toEqual(['MCP', 'everything', 'getSum']);
    expect(api.pathOf('everything', '$resources.list')).toEqual(['MCP', 'everything', 'resources', 'list']);
    expect(api.pathOf('everything', '$prompts.get')).toBeUndefined();
    expect(api.pathOf('everything', 'nope')).toBeUndefined();
    expect(api.pathOf('nope', 'nope')).toBeUndefined();
  });
});

describe('files', () => {
  test('there is an index and one file a server', () => {
    const { files } = api.list();
    expect(files.map((file) => file.path)).toEqual([
      'mcp/index.d.ts',
      'mcp/chromeDevtools.d.ts',
      'mcp/everything.d.ts',
    ]);
    expect(files[2]).toEqual({
      path: 'mcp/everything.d.ts',
      description: 'MCP.everything (Everything *\\/ Server), 3 tools, resources, prompts: echo, getSum, resources_',
      bytes: new TextEncoder().encode(api.read('mcp/everything.d.ts').content).length,
    });
    expect(api.list('mcp')).toEqual(api.list());
    expect(api.list('mcp/').files).toHaveLength(3);
    expect(api.list('mcp/everything.d.ts').files).toHaveLength(1);
    expect(api.files.map((file) => file.path)).toEqual(files.map((file) => file.path));
  });

  test('a server file declares its namespace', () => {
    expect(api.read('mcp/everything.d.ts').content).toBe(`/** Everything *\\/ Server
 * Start with echo. */
declare namespace MCP.everything {
function $api(tool?: string, options?: { schema?: boolean }): Promise<McpHeader>;
function echo(input?: Open<{ message?: string }>): Promise<McpToolResult>;
/** Returns the sum of two numbers */
function getSum(input: { /** First number */ a: number; /** Second number */ b: number }): Promise<McpToolResult<{ sum: number }>>;
function resources_(input?: Open): Promise<McpToolResult>;
namespace resources {
  function list(): Promise<{ resources: { uri: string; name: string; title?: string; description?: string; mimeType?: string; size?: number }[]; resourceTemplates: { uriTemplate: string; name: string; title?: string; description?: string; mimeType?: string }[] }>;
  /** A \`ref\` in place of the URI gives that binary block in base64, as \`blob\`. */ function read(input: { uri: string }): Promise<{ contents: { uri: string; mimeType?: string; text?: string; bytes?: number; ref?: string; blob?: string }[] }>;
}
namespace prompts {
  function list(): Promise<{ prompts: { name: string; title?: string; description?: string; arguments?: { name: string; description?: string; required?: boolean }[] }[] }>;
}
}
`);
  });

  test('a file is found by the raw name of its server too', () => {
    expect(api.read('mcp/chrome-devtools.d.ts')).toBe(api.read('mcp/chromeDevtools.d.ts'));
    expect(api.read('mcp/chromeDevtools.d.ts').content).toContain(
      '/** Click */\nfunction click(input?: Open): Promise<McpToolResult>;',
    );
  });

  test.each(['', '.', '..', 'mcp//index.d.ts', './mcp/index.d.ts', 'mcp/../mcp/index.d.ts', '/mcp/index.d.ts', 'mcp/'])(
    '%j is no path',
    (path) => {
      const error = errorOf(() => api.read(path));
      expect(error.code).toBe('invalid_path');
      expect(error.hint).toBe('There are: mcp/index.d.ts, mcp/chromeDevtools.d.ts, mcp/everything.d.ts.');
    },
  );

  test('an unknown file names the nearest ones', () => {
    expect(errorOf(() => api.read('mcp/everythin.d.ts'))).toMatchObject({
      code: 'unknown_file',
      message: 'There is no declaration file "mcp/everythin.d.ts".',
      hint: 'There are: mcp/everything.d.ts.',
    });
    expect(errorOf(() => api.list('other')).code).toBe('unknown_file');
    expect(errorOf(() => api.read(7 as unknown as string)).code).toBe('invalid_path');
  });

  test('the same servers in another order give the same bytes', () => {
    const turned = [...servers].reverse().map((server) => ({ ...server, tools: [...server.tools].reverse() }));
    expect(describeMcp(turned).files).toEqual(api.files);
  });
});

describe('headers', () => {
  test('of everything, of a server, of a tool', () => {
    expect(api.header().header).toBe(api.read('mcp/index.d.ts').content);
    expect(api.header('chrome-devtools').header).toBe(api.read('mcp/chromeDevtools.d.ts').content);
    expect(
      api.header('everything', 'get-sum').header,
    ).toBe(`// McpToolResult is { content, structuredContent?, isError? }; see mcp/index.d.ts.
declare namespace MCP.everything {
/** Returns the sum of two numbers */
function getSum(input: {
  /** First number */
  a: number;
  /** Second number */
  b: number;
}): Promise<McpToolResult<{
  sum: number;
}>>;
}
`);
  });

  test('schemas come if asked for', () => {
    const { inputSchema, outputSchema } = servers[0]!.tools[0]!;
    expect(api.header('everything', 'getSum', { schema: true }).schema).toEqual({
      input: inputSchema,
      output: outputSchema,
    });
    expect(api.header('chromeDevtools', undefined, { schema: true }).schema).toEqual({ click: { input: undefined } });
    expect(Object.keys(api.header(undefined, undefined, { schema: true }).schema as object)).toEqual([
      'chromeDevtools',
      'everything',
    ]);
    expect(api.header('everything')).not.toHaveProperty('schema');
  });

  test('unknown names are errors with near ones', () => {
    expect(errorOf(() => api.header('everythng'))).toMatchObject({
      code: 'unknown_server',
      message: 'MCP has no server "everythng".',
      hint: 'It has: everything.',
    });
    expect(errorOf(() => api.header('everything', 'get_summ'))).toMatchObject({
      code: 'unknown_tool',
      message: 'MCP.everything has no tool "get_summ".',
      hint: 'It has: getSum.',
    });
    expect(errorOf(() => describeMcp([]).header('x')).hint).toBe('There is none.');
  });

  test('a hint that does not name all says how many more there are', () => {
    const inputSchema = { type: 'object' };
    const named = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${prefix}${String.fromCharCode(97 + i)}`);
    const tools = named('do', 14).map((name) => ({ name, inputSchema }));
    const many = describeMcp(named('srv', 12).map((name) => ({ name, tools })));
    expect(errorOf(() => many.header('srva', 'qqqqqq')).hint).toBe('It has: doa, dob, doc, dod, doe, and 9 more.');
    expect(errorOf(() => many.header('qqqqqq')).hint).toMatch(/^It has: srva, .*, srvj, and 2 more\.$/);
    expect(errorOf(() => many.read('qqqqqqqqqqqqqqqqqqqqqqqq')).hint).toMatch(/ and 3 more\.$/);
    expect(errorOf(() => many.read('a//b')).hint).toMatch(/ and 3 more\.$/);
    expect(errorOf(() => many.header('srva', 'do_a1')).hint).not.toContain('more');
  });
});

test('nothing at all is an index without servers', () => {
  expect(
    describeMcp([])
      .list()
      .files.map((file) => file.path),
  ).toEqual(['mcp/index.d.ts']);
});
