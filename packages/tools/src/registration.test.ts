import { describe, expect, test } from 'vitest';
import { createToolRegistry } from './index.ts';
import { makeTool, registryWith, run } from './testing/tools.ts';

const changes = (tools: ReturnType<typeof registryWith>) => {
  const told: string[] = [];
  tools.on('tools/change', ({ added, removed }) => void told.push(`+${added.join()} -${removed.join()}`));
  return told;
};

test('register gives its undo, tells of the change, and refuses a second tool with the same identity', () => {
  const tools = registryWith([]);
  const told = changes(tools);
  const undo = tools.register(makeTool('a'));
  expect(() => tools.register(makeTool('a'))).toThrow('tool "a" of host:core is registered already');
  expect(() => tools.register(makeTool('a', { owner: 'other' }))).not.toThrow();
  undo();
  undo();
  expect(() => tools.register(makeTool('a'))).not.toThrow();
  expect(told).toEqual(['+host:core:a -', '+host:other:a -', '+ -host:core:a', '+host:core:a -']);
});

describe('misuse is explained', () => {
  const { execute: _, ...withoutBody } = makeTool('t');
  const { parameters: __, ...withoutSchema } = makeTool('t');
  test.each([
    [null, 'a tool definition must be an object, found null'],
    [{}, 'a tool definition: `name` must be a non-empty string, found nothing'],
    [{ ...withoutSchema, inputSchema: {} }, 'tool "t": found `inputSchema`, expected `parameters`'],
    [{ ...withoutSchema, input_schema: {} }, 'tool "t": found `input_schema`, expected `parameters`'],
    [{ ...makeTool('t'), outputSchema: {} }, 'tool "t": found `outputSchema`, expected `output: { schema }`'],
    [{ ...withoutBody, handler: () => {} }, 'tool "t": found `handler`, expected `execute`'],
    [{ ...makeTool('t'), timeoutMS: 5 }, 'tool "t": unknown field `timeoutMS`; did you mean `timeoutMs`?'],
    [
      { ...makeTool('t'), timeoutMs: 0 },
      'tool "t": `timeoutMs` must be a number of milliseconds from 1 to 2147483647, found 0',
    ],
    [
      { ...makeTool('t'), output: { type: 'string' } },
      'tool "t": `output` must be an object { schema, render? }, found a value of type object',
    ],
    [
      { ...makeTool('t'), concurrency: 'parallel' },
      'tool "t": `concurrency` must be \'safe\', \'exclusive\' or a function, found "parallel"',
    ],
    [{ ...makeTool('t'), replaySafe: 'yes' }, 'tool "t": `replaySafe` must be a boolean, found "yes"'],
    [{ ...makeTool('t'), source: 'web' }, 'tool "t": `source` must be one of host, plugin, mcp, client, found "web"'],
    [{ ...makeTool('t'), parameters: { type: 'array' } }, 'tool "t": parameters.type must be "object", found "array"'],
    [
      { ...makeTool('t'), parameters: { type: 'object', properties: { a: { type: 'int' } } } },
      'tool "t": parameters.properties.a.type must be one of null, boolean, number, integer, string, array, object, or a non-empty array of them',
    ],
    [{ ...makeTool('t'), output: { schema: { minimum: 'x' } } }, 'tool "t": output.schema.minimum must be a number'],
    [
      {
        ...makeTool('t'),
        get parameters() {
          throw new Error('trap');
        },
      },
      'a tool definition could not be read: trap',
    ],
  ])('%#', (definition, message) => {
    expect(() => registryWith([]).register(definition as never)).toThrow(message);
  });

  test('fields of other libraries beside ours are no error', () => {
    expect(() => registryWith([{ ...makeTool('t'), inputSchema: {}, vendor: 1 } as never])).not.toThrow();
  });
});

describe('a registrar', () => {
  test('registers for its owner alone', () => {
    const tools = registryWith([]);
    const registrar = tools.registrar({ source: 'plugin', owner: 'git' });
    expect(() => registrar.register(makeTool('a', { source: 'host' }))).toThrow(
      'tool "a": source "host" is not that of its registrar (plugin:git)',
    );
    expect(() => registrar.register(makeTool('a', { owner: 'svn' }))).toThrow(
      'tool "a": owner "svn" is not that of its registrar (plugin:git)',
    );
    registrar.register(makeTool('a', { source: 'plugin', owner: 'git' }));
    expect(tools.view({}).tools.map((tool) => tool.id)).toEqual(['plugin:git:a']);
    expect(() => tools.registrar({ source: 'client', owner: 'x' })).toThrow('tools of a client are not registered');
    expect(() => tools.registrar({ source: 'web' as never, owner: 'x' })).toThrow(
      'the source of a registrar must be one of host, plugin, mcp',
    );
    expect(() => tools.registrar({ source: 'mcp', owner: '' })).toThrow(
      'the owner of a registrar must be a non-empty string',
    );
  });

  test('replaces all of its tools at once, or none where one is refused', async () => {
    const tools = registryWith([]);
    const registrar = tools.registrar({ source: 'mcp', owner: 's' });
    registrar.replace([makeTool('a'), makeTool('b')]);
    const told = changes(tools);
    expect(() => registrar.replace([makeTool('c'), { name: 'd' } as never])).toThrow('`description` must be a string');
    expect(() => registrar.replace([makeTool('c'), makeTool('c')])).toThrow('registered already');
    expect(tools.view({}).tools.map((tool) => tool.name)).toEqual(['a', 'b']);
    registrar.replace([makeTool('b', { execute: () => 'new body' }), makeTool('c')]);
    expect(told).toEqual(['+mcp:s:c -mcp:s:a']);
    expect(await run(tools, 'mcp__s__b')).toMatchObject({ value: 'new body' });
    registrar.replace([makeTool('b', { description: 'changed' }), makeTool('c')]);
    expect(told[1]).toBe('+mcp:s:b -mcp:s:b');
  });

  test('removes its tools when it ends, and takes no more', () => {
    const tools = registryWith([makeTool('host')]);
    const registrar = tools.registrar({ source: 'mcp', owner: 's', info: { title: 'S' } });
    registrar.register(makeTool('a'));
    registrar.describe({ title: 'T' });
    expect(tools.view({}).owners[1]).toMatchObject({ info: { title: 'T' } });
    registrar.dispose();
    registrar.dispose();
    expect(tools.view({}).tools.map((tool) => tool.name)).toEqual(['host']);
    expect(() => registrar.register(makeTool('b'))).toThrow('the registrar of mcp:s is disposed');
  });
});

test('config is checked: unknown fields, ranges, types', () => {
  expect(() => createToolRegistry({ maxParallelSubCalls: 0 })).toThrow(/maxParallelSubCalls/);
  expect(() => createToolRegistry({ mode: 'exec' as never })).toThrow(/mode/);
  expect(() => createToolRegistry({ tranport: 'exec' } as never)).toThrow(/tranport.*transport/);
  expect(createToolRegistry().config).toMatchObject({ maxParallelSubCalls: 10 });
});

test('the end aborts open calls, abandons programs, drops everything, and refuses more', async () => {
  const tools = registryWith([
    makeTool('wait', {
      execute: (_args, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }),
    makeTool('deaf', { execute: () => new Promise(() => {}) }),
  ]);
  const program = tools.openProgram({
    view: tools.view({}),
    parent: { callId: 'p', rootCallId: 'p' },
    signal: new AbortController().signal,
    dispatch: 'parallel',
    maxInFlight: 4,
  });
  const sub = program.call('deaf', {});
  const direct = run(tools, 'wait');
  void run(tools, 'deaf');
  await new Promise(setImmediate);
  const first = tools.dispose();
  expect(tools.dispose()).toBe(first);
  await first;
  expect(await direct).toMatchObject({
    code: 'ABORTED',
    message: expect.stringContaining('the tool registry was disposed'),
  });
  expect(await sub).toMatchObject({ code: 'ABORTED' });
  expect(program.ledger).toMatchObject([{ status: 'unknown' }]);
  for (const use of [
    () => tools.view({}),
    () => tools.register(makeTool('a')),
    () => tools.restrict({ deny: ['a'] }),
    () => tools.hook('guard', () => undefined),
  ]) {
    expect(use).toThrow('the tool registry is disposed');
  }
  await expect(run(tools, 'wait')).rejects.toThrow('the tool registry is disposed');
});

test('a request that is none is misuse', async () => {
  const tools = registryWith([makeTool('a')]);
  await expect(tools.execute({ callId: '', name: 'a', scope: {} })).rejects.toThrow('a call needs a `callId`');
  await expect(tools.execute({ callId: '1', scope: {} })).rejects.toThrow('a call needs one of `id` and `name`');
  await expect(tools.execute({ callId: '1', name: 'a', id: 'host:core:a', scope: {} })).rejects.toThrow(
    'one of `id` and `name`',
  );
  await expect(tools.execute({ callId: '1', name: 'a' } as never)).rejects.toThrow('a call needs a `scope`');
});

describe('owners without tools', () => {
  const sample = () => {
    const tools = registryWith([makeTool('own')]);
    const github = tools.registrar({ source: 'mcp', owner: 'github', info: {} });
    github.describe({ absence: { state: 'starting' } });
    const docs = tools.registrar({ source: 'mcp', owner: 'docs', info: {} });
    docs.describe({ absence: { state: 'failed', reason: 'its process ended with exit code 1' } });
    return { tools, github, docs, names: (scope = {}) => tools.absentOwners(scope).map(({ owner }) => owner) };
  };

  test('are told with the reason they gave, until they have tools or are gone', () => {
    const { tools, github, docs } = sample();
    expect(tools.absentOwners({})).toEqual([
      {
        source: 'mcp',
        owner: 'docs',
        info: { absence: { state: 'failed', reason: 'its process ended with exit code 1' } },
      },
      { source: 'mcp', owner: 'github', info: { absence: { state: 'starting' } } },
    ]);
    expect(tools.view({}).owners.map(({ owner }) => owner)).toEqual(['core']);
    github.replace([makeTool('create_issue')]);
    docs.dispose();
    expect(tools.absentOwners({})).toEqual([]);
  });

  test('are not told to a scope that may not know of them', () => {
    const { tools, names } = sample();
    expect(names({ disableTools: true })).toEqual([]);
    const allow = (...patterns: string[]) => {
      const undo = tools.restrict({ allow: patterns });
      const told = names();
      undo();
      return told;
    };
    expect(allow('*')).toEqual(['docs', 'github']);
    expect(allow('mcp:github:*')).toEqual(['github']);
    expect(allow('mcp:github:get_issue', 'mcp__docs__read')).toEqual(['docs', 'github']);
    expect(allow('read_*')).toEqual([]);
    const undo = tools.restrict({ deny: ['mcp:docs:*'] });
    expect(names()).toEqual(['github']);
    undo();
    tools.restrict({ deny: ['mcp:docs:delete_*', 'mcp__github__*'], when: ({ agentId }) => agentId === 'intern' });
    expect(names({ agentId: 'intern' })).toEqual(['docs']);
    expect(names({ agentId: 'lead' })).toEqual(['docs', 'github']);
  });
});
