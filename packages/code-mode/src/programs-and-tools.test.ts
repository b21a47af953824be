import { namespaceTool } from '@codeseam/namespaces';
import { describe, expect, test } from 'vitest';
import { registerEverydayTools } from './testing/everyday-tools.ts';
import { createHarness, deferred, readTool, tool } from './testing/harness.ts';
import type { CodeModeResult } from './types.ts';

const returned = (result: CodeModeResult): unknown => {
  if (result.status !== 'completed') throw new Error(JSON.stringify(result));
  return result.value;
};

async function everyday(config = {}) {
  const harness = await createHarness({ config });
  registerEverydayTools(harness.tools);
  return { ...harness, value: async (code: string) => returned(await harness.exec(code)) };
}

test('a direct call of a tool that only programs call is answered with a call that runs, with its own arguments', async () => {
  const { tools, value } = await everyday();
  const told = async (name: string, args: unknown) => {
    const { code, message } = await tools.execute({ name, arguments: args, callId: 'c', scope: { sessionId: 's' } });
    expect(code).toBe('UNKNOWN_TOOL');
    return (JSON.parse(/exec\((.*)\)$/.exec(message ?? '')![1]!) as { code: string }).code;
  };
  const sum = await told('mcp:everything:get-sum', { a: 1, b: 2 });
  expect(sum).toBe('return await MCP.everything.getSum({"a":1,"b":2})');
  expect(await value(sum)).toMatchObject({ content: [{ text: 'The sum of 1 and 2 is 3.' }] });
  const read = await told('read_file', { path: 'a' });
  expect(read).toBe('return await tools.callValue("host:core:read_file", {"path":"a"})');
  expect(await value(read)).toMatchObject({ content: 'content of a' });
});

describe('ALL_TOOLS', () => {
  test('has every visible tool but MCP’s and direct-only ones, by source, then id', async () => {
    const { codeMode, callOptions, tools } = await createHarness({ tools: [tool('b', () => 1), tool('a', () => 1)] });
    registerEverydayTools(tools);
    const clientTools = { clientId: 'app', tools: [tool('pick_colour', () => 'red')] };
    const result = await codeMode.exec({ code: 'return ALL_TOOLS.map((t) => t.id)' }, callOptions({ clientTools }));
    expect(returned(result)).toEqual([
      'host:core:a',
      'host:core:always_fails',
      'host:core:b',
      'host:core:read_file',
      'host:core:run_command',
      'host:core:search_docs',
      'host:core:send-email',
      'plugin:tracker:list_issues',
      'plugin:tracker:update_issue',
      'client:app:pick_colour',
    ]);
  });

  test('is an ordinary frozen array; its entries give hints of what is trusted', async () => {
    const { value } = await everyday();
    expect(
      await value(`return [Array.isArray(ALL_TOOLS), Object.isFrozen(ALL_TOOLS), Object.isFrozen(ALL_TOOLS[1]),
        ALL_TOOLS.find((t) => t.name === 'read_file'), ALL_TOOLS.find((t) => t.name === 'list_issues')]`),
    ).toEqual([
      true,
      true,
      true,
      {
        id: 'host:core:read_file',
        name: 'read_file',
        description: 'Reads a text file.',
        source: 'host',
        input: '{ path: string }',
        output: '{ content: string; lines: number; path: string }',
      },
      {
        id: 'plugin:tracker:list_issues',
        name: 'list_issues',
        description: 'Lists issues of the tracker.',
        source: 'plugin',
        sourceName: 'tracker',
        input: "{ state?: 'open' | 'closed' }",
      },
    ]);
  });

  test('shows the beginning of a long description, and describe the whole', async () => {
    const description = `Does it. ${'More words. '.repeat(200)}`;
    const { exec } = await createHarness({ tools: [tool('wordy', () => 1, { description })] });
    const [entry, whole] = returned(
      await exec('return [ALL_TOOLS[0].description, (await tools.describe("wordy")).description]'),
    ) as string[];
    expect(entry).toMatch(/^Does it\. More words\..*…$/);
    expect(entry!.length).toBeLessThan(500);
    expect(whole).toBe(description);
  });
});

describe('tools', () => {
  test('search finds tools of all sources, says how they are called and how many more there are', async () => {
    const { value } = await everyday();
    const [sum, some] = (await value(
      'return [await tools.search("sum of numbers"), await tools.search("", { limit: 2 })]',
    )) as [Record<string, unknown>[], Record<string, unknown>[]];
    expect(sum[0]).toEqual({
      id: 'mcp:everything:get-sum',
      name: 'get-sum',
      description: 'Returns the sum of two numbers',
      source: 'mcp',
      sourceName: 'everything',
      input: 'unknown',
      callPath: 'MCP.everything.getSum',
    });
    expect(some).toHaveLength(2);
    expect(some[0]).not.toHaveProperty('more');
    expect(some[1]).toHaveProperty('more', 8);
  });

  test('limit defaults and is clamped as configured', async () => {
    const { value } = await everyday({ maxSearchLimit: 3, searchDefaultLimit: 2 });
    expect(
      await value('return [(await tools.search("")).length, (await tools.search("", { limit: 50 })).length]'),
    ).toEqual([2, 3]);
  });

  test('describe gives schemas, hints and a declaration, of MCP tools with their path', async () => {
    const { value } = await everyday();
    const [own, mcp] = (await value(
      'return [await tools.describe("search_docs"), await tools.describe("mcp:everything:echo")]',
    )) as Record<string, unknown>[];
    expect(own).toMatchObject({
      id: 'host:core:search_docs',
      input: '{ query: string; limit?: number }',
      parameters: { properties: { query: { type: 'string' } } },
    });
    expect(own!['declaration']).toContain(
      'tools.search_docs(input), or tools.callValue("host:core:search_docs", input)',
    );
    expect(mcp).toMatchObject({ callPath: 'MCP.everything.echo', input: '{ message: string }' });
    expect(mcp!['declaration']).toContain('function echo(input');
  });

  test('call gives the envelope: content and metadata too', async () => {
    const { exec, tools } = await createHarness();
    const { toolResult } = await import('@codeseam/tools');
    tools.register(
      tool('rich', () =>
        toolResult({ value: { n: 1 }, content: [{ type: 'text', text: 'one' }], meta: { cached: true } }),
      ),
    );
    expect(returned(await exec('return await tools.call("rich", {})'))).toEqual({
      tool: { id: 'host:core:rich', name: 'rich', source: 'host', sourceName: 'core' },
      result: { value: { n: 1 }, content: [{ type: 'text', text: 'one' }], meta: { cached: true } },
    });
  });

  test('is frozen, lists its real names, and is no promise', async () => {
    const { value } = await everyday();
    expect(
      await value(`tools.read_file = 1; delete tools.search;
        return [Object.keys(tools), typeof tools.then, 'nope' in tools, Object.isFrozen(MCP.everything), JSON.stringify(Object.keys(MCP))]`),
    ).toEqual([
      [
        'call',
        'callValue',
        'describe',
        'search',
        'always_fails',
        'list_issues',
        'read_file',
        'run_command',
        'search_docs',
        'sendEmail',
        'update_issue',
      ],
      'undefined',
      false,
      true,
      '["$api","everything","myFiles"]',
    ]);
  });

  test('colliding names have no function and are reached by id', async () => {
    const { exec, tools } = await createHarness({
      tools: [tool('get-it', () => 'host'), tool('get it', () => 'other'), tool('search', () => 'mine')],
    });
    tools.registrar({ source: 'plugin', owner: 'p' }).register(tool('twice', () => 'p'));
    tools.registrar({ source: 'plugin', owner: 'q' }).register(tool('twice', () => 'q'));
    expect(
      returned(
        await exec(`return ['getIt' in tools, 'twice' in tools, await tools.callValue('host:core:get-it'), await tools.callValue('host:core:get it'),
          await tools.callValue('plugin:q:twice', {}), await tools.callValue('host:core:search', {}), typeof (await tools.search('it')).length]`),
      ),
    ).toEqual([false, false, 'host', 'other', 'q', 'mine', 'number']);
  });

  test('an output schema is enforced on what a program gets, without printing the value', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const { exec } = await createHarness({
      tools: [tool('wrong', () => ({ n: 'secret value' }), { output: { schema } })],
    });
    const result = await exec('return await tools.wrong({})');
    expect(result).toMatchObject({ status: 'failed', code: 'nested_tool_failed' });
    expect(JSON.stringify(result)).not.toContain('secret value');
    expect(result.status === 'failed' && result.hint).toContain('effects may stand');
  });

  test('shapes seen in earlier results of the session are shown as observed, inside programs only', async () => {
    const { exec, codeMode, tools } = await createHarness({
      tools: [tool('users', () => [{ id: 1, tags: ['a'], boss: null }])],
    });
    await exec('return await tools.users({})');
    const inside = 'return [(await tools.describe("users")).output, (await tools.search("users"))[0].output]';
    const shape = '{ id: number; tags: string[]; boss: null }[] (observed)';
    expect(returned(await exec(inside))).toEqual([shape, shape]);
    expect(returned(await exec(inside, { scope: { sessionId: 'other' } }))).toEqual([null, null]);
    expect(JSON.stringify(await tools.present(tools.view({})))).not.toContain('observed');
    await codeMode.endSession({ sessionId: 'session-1' });
    expect(returned(await exec(inside))).toEqual([null, null]);
  });
});

describe('MCP and API', () => {
  test('files and headers are read without a tool call', async () => {
    const { exec } = await everyday();
    const result = await exec(`
      const { files } = await API.list('mcp');
      const file = await API.read('mcp/everything.d.ts');
      const header = await MCP.everything.$api('echo', { schema: true });
      const all = await MCP.$api();
      return { paths: files.map((f) => f.path), keys: Object.keys(file), same: file.bytes === files[1].bytes, header: header.header, schema: header.schema.input.required, all: all.header }`);
    expect(returned(result)).toMatchObject({
      paths: ['mcp/index.d.ts', 'mcp/everything.d.ts', 'mcp/myFiles.d.ts'],
      keys: ['path', 'content', 'description', 'bytes'],
      same: true,
      header: expect.stringContaining('function echo'),
      schema: ['message'],
      all: expect.stringContaining('myFiles'),
    });
    expect(result.telemetry.callCount).toBe(0);
  });

  test('calls take one object or nothing, and a server’s own failure is a value', async () => {
    const { exec, tools } = await everyday();
    const { toolResult } = await import('@codeseam/tools');
    const server = tools.registrar({ source: 'mcp', owner: 'flaky' });
    server.register(
      tool('fails', () =>
        toolResult({ value: { content: [{ type: 'text', text: 'no such file' }], isError: true }, isError: true }),
      ),
    );
    server.register(
      tool('breaks', () => {
        throw new Error('connection lost');
      }),
    );
    const result = await exec(
      `return [await MCP.flaky.fails(), await MCP.flaky.breaks({}).catch((e) => [e.name, e.code, e.message.includes('connection lost')])]`,
    );
    expect(returned(result)).toEqual([
      { content: [{ type: 'text', text: 'no such file' }], isError: true },
      ['ToolCallError', 'TOOL_FAILED', true],
    ]);
    expect(result.status === 'completed' && result.calls?.map(({ status }) => status)).toEqual(['failed', 'failed']);
  });

  test('resources are called like tools, with policy', async () => {
    const { value, tools } = await everyday();
    expect(
      await value(
        'return [await MCP.everything.resources.list(), (await MCP.everything.resources.read({ uri: "demo://1" })).contents[0].text]',
      ),
    ).toEqual([{ resources: [{ uri: 'demo://1', name: 'One' }] }, 'resource text']);
    tools.restrict({ deny: ['mcp:everything:$resources.read'] });
    expect(await value('return Object.keys(MCP.everything.resources)')).toEqual(['list']);
  });

  test('a denied tool is in no file, header or namespace, and a server with nothing visible has neither', async () => {
    const { exec, tools } = await everyday();
    tools.restrict({ deny: ['mcp:everything:echo', 'mcp:my-files:*'] });
    const result = await exec(
      `return [(await API.read('mcp/everything.d.ts')).content, (await MCP.everything.$api()).header, Object.keys(MCP), (await API.list()).files.map((f) => f.path)]`,
    );
    expect(JSON.stringify(returned(result))).not.toMatch(/echo|myFiles|list_directory/);
  });

  test('the description of exec names servers only where there are some', async () => {
    const { tools } = await everyday();
    const text = async () => (await tools.present(tools.view({}))).tools[0]!.description;
    expect(await text()).toContain('MCP servers, with their number of tools: everything (2), myFiles (1).');
    expect(await text()).toContain('A tool that fails gives isError: true and does not throw.');
    tools.restrict({ deny: ['mcp:*:*'] });
    expect(await text()).not.toContain('MCP');
  });
});

describe('namespaces', () => {
  async function withIssues() {
    const harness = await createHarness();
    const tracker = harness.tools.registrar({ source: 'plugin', owner: 'tracker' });
    tracker.register(readTool('list_issues', ({ state }) => [{ number: 1, state }]));
    tracker.register(tool('update_issue', (args) => args));
    harness.namespaces.register(
      {
        id: 'issues',
        globalName: 'Issues',
        description: 'Issues of the tracker.',
        prompt: ({ agentId }) => `Ask ${agentId ?? 'anybody'} before closing one.`,
        requiredToolNames: ['list_issues', 'update_issue'],
        createScope: ({ config }) => ({
          repository: config['repository'] as string,
          list: namespaceTool('list_issues', ([params]) => params ?? {}),
          update: namespaceTool('update_issue', ([number, patch]) => {
            if (typeof number !== 'number') throw new Error('the number of the issue comes first');
            return { number, patch };
          }),
          nested: { deep: [{ list: namespaceTool('list_issues') }] },
        }),
        config: { repository: 'o/r' },
      },
      { owner: 'tracker' },
    );
    return harness;
  }

  test('is a global and a member of namespaces, frozen, with data and calls', async () => {
    const { exec } = await withIssues();
    const result = await exec(`Issues.repository = 'x';
      return [Issues.repository, await Issues.list({ state: 'open' }), await namespaces.Issues.update(7, { title: 't' }),
        await Issues.nested.deep[0].list({ state: 'closed' }), Object.isFrozen(Issues), Object.getPrototypeOf(Issues), Object.keys(namespaces)]`);
    expect(returned(result)).toEqual([
      'o/r',
      [{ number: 1, state: 'open' }],
      { number: 7, patch: { title: 't' } },
      [{ number: 1, state: 'closed' }],
      true,
      null,
      ['Issues'],
    ]);
    expect(result.telemetry.calledTools).toEqual(['plugin:tracker:list_issues', 'plugin:tracker:update_issue']);
  });

  test('a failing mapper or tool fails that call, and can be caught; an unknown member names the near one', async () => {
    const { exec, tools } = await withIssues();
    tools.hook('preExecute', (call) =>
      call.tool.name === 'list_issues' ? { decision: 'deny', reason: 'not now' } : undefined,
    );
    expect(
      returned(
        await exec(`const out = [];
          for (const go of [() => Issues.update('7'), () => Issues.list(), () => Issues.lst()]) { try { await go() } catch (e) { out.push(e.message) } }
          return out`),
      ),
    ).toEqual([
      'Issues.update: the number of the issue comes first',
      expect.stringContaining('not now'),
      expect.stringMatching(/lst.*list/),
    ]);
  });

  test('is told in the description of exec only where it is visible', async () => {
    const { tools, exec } = await withIssues();
    const text = async () => (await tools.present(tools.view({ agentId: 'Ann' }))).tools[0]!.description;
    expect(await text()).toContain('- Issues: Issues of the tracker.\nAsk Ann before closing one.');
    tools.restrict({ deny: ['update_issue'] });
    expect(await text()).not.toContain('Issues');
    expect(await exec('return typeof Issues')).toMatchObject({ value: 'undefined' });
  });

  test('a program that is suspended in a namespace call goes on', async () => {
    const gate = deferred();
    const { execUntilCall, wait, tools, namespaces } = await createHarness();
    tools.registrar({ source: 'plugin', owner: 'p' }).register(readTool('slow', () => gate.promise));
    namespaces.register(
      {
        id: 'n',
        globalName: 'N',
        description: '',
        requiredToolNames: ['slow'],
        createScope: () => ({ slow: namespaceTool('slow') }),
      },
      { owner: 'p' },
    );
    const { runId } = await execUntilCall('return await N.slow()');
    gate.resolve('woken');
    expect(await wait(runId)).toMatchObject({ status: 'completed', value: 'woken' });
  });

  test('one whose scope cannot be made fails the run before any of it runs', async () => {
    const { exec, namespaces } = await withIssues();
    namespaces.register(
      {
        id: 'bad',
        globalName: 'Bad',
        description: '',
        requiredToolNames: ['list_issues'],
        createScope: () => ({ a: { f: () => 1 } }),
      },
      { owner: 'tracker' },
    );
    expect(await exec('text("ran"); return 1')).toEqual({
      status: 'failed',
      code: 'internal_error',
      error: expect.stringContaining('Bad.a.f is a function'),
      hint: expect.stringContaining('nothing of the program ran'),
      calls: [],
      telemetry: expect.anything(),
    });
  });

  test('a namespace with a tool that is not read-only fails a restartSafe program', async () => {
    const { codeMode, callOptions } = await withIssues();
    expect(await codeMode.exec({ code: 'return await Issues.list()', restartSafe: true }, callOptions())).toMatchObject(
      {
        status: 'failed',
        code: 'denied',
        error: expect.stringContaining('update_issue'),
      },
    );
  });
});

describe('extensions', () => {
  test('add globals, by bindings and prelude, and are gone with their undo', async () => {
    const { exec, codeMode, tools } = await createHarness();
    const undo = codeMode.extend({
      id: 'greeter',
      globals: ['greeter', 'shout'],
      bindings: ({ agentId }) => [
        { global: 'greeter', functions: { hello: (name: string) => `hello ${name} from ${agentId}` } },
      ],
      prelude: `Object.defineProperty(globalThis, 'shout', { value: (text) => host.emit({ type: 'text', text: text.toUpperCase() }) });`,
    });
    const program = 'shout("hey"); return await greeter.hello("you")';
    tools.register(tool('t', () => 1));
    expect(await exec(program, { scope: { agentId: 'a' } })).toMatchObject({
      value: 'hello you from a',
      output: [{ type: 'text', text: 'HEY' }],
    });
    expect((await tools.present(tools.view({}))).tools[0]!.description).toContain('Also there: greeter, shout.');
    undo();
    undo();
    expect(await exec('return [typeof greeter, typeof shout]')).toMatchObject({ value: ['undefined', 'undefined'] });
  });

  test.each<[object, string]>([
    [{ id: '', globals: [] }, 'needs an id'],
    [{ id: 'x', globals: ['tools'] }, 'the global "tools" is a name of code mode'],
    [{ id: 'x', globals: ['class'] }, 'the global "class" is a reserved word'],
    [{ id: 'x', globals: ['one'] }, 'the global "one" is taken by extension "first"'],
    [{ id: 'first', globals: [] }, 'an extension "first" is there already'],
    [{ id: 'x', globals: ['Issues'] }, 'the global name "Issues" is taken by namespace "issues"'],
  ])('%j is refused', async (extension, problem) => {
    const { codeMode, namespaces } = await createHarness();
    codeMode.extend({ id: 'first', globals: ['one'], bindings: () => [] });
    namespaces.register(
      { id: 'issues', globalName: 'Issues', description: '', requiredToolNames: ['x'], createScope: () => ({}) },
      { owner: 'p' },
    );
    expect(() => codeMode.extend({ bindings: () => [], ...extension } as never)).toThrow(problem);
  });
});
