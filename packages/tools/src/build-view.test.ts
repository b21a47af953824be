import { describe, expect, test } from 'vitest';
import { makeTool, registryWith, run } from './testing/tools.ts';
import type { ClientTools, ToolScope } from './types.ts';

const ids = (tools: ReturnType<typeof registryWith>, scope: ToolScope = {}, clientTools?: ClientTools) =>
  tools.view(scope, clientTools ? { clientTools } : {}).tools.map((tool) => tool.id);

function sample() {
  const tools = registryWith([makeTool('read'), makeTool('write'), makeTool('discover', { control: true })]);
  tools
    .registrar({ source: 'mcp', owner: 'github', info: { title: 'GitHub', generation: 2 } })
    .replace([makeTool('create_issue'), makeTool('read')]);
  tools.registrar({ source: 'plugin', owner: 'git' }).register(makeTool('log'));
  return tools;
}

test('a view has every tool but controls, by source and then id, and its owners with what is known of them', () => {
  const view = sample().view({ sessionId: 's' });
  expect(view.tools.map((tool) => tool.id)).toEqual([
    'host:core:read',
    'host:core:write',
    'plugin:git:log',
    'mcp:github:create_issue',
    'mcp:github:read',
  ]);
  expect(view.owners).toEqual([
    { source: 'host', owner: 'core', info: {} },
    { source: 'mcp', owner: 'github', info: { title: 'GitHub', generation: 2 } },
    { source: 'plugin', owner: 'git', info: {} },
  ]);
  expect(Object.isFrozen(view.tools)).toBe(true);
  expect(Object.isFrozen(view.tools[0])).toBe(true);
});

test('a tool is found by id, wire name, or a plain name that is unambiguous', () => {
  const tools = sample();
  tools.registrar({ source: 'plugin', owner: 'svn' }).register(makeTool('log'));
  const view = tools.view({});
  expect(view.find('mcp:github:read')?.id).toBe('mcp:github:read');
  expect(view.find('mcp__github__read')?.id).toBe('mcp:github:read');
  expect(view.find('create_issue')?.id).toBe('mcp:github:create_issue');
  expect(view.find('read')?.id).toBe('host:core:read');
  expect(view.find('log')).toBeUndefined();
  expect(view.find('svn__log')?.id).toBe('plugin:svn:log');
  expect(view.find('discover')).toBeUndefined();
  expect(view.suggest('log')).toEqual(['plugin:git:log', 'plugin:svn:log']);
  expect(view.suggest('create_isue')).toEqual(['mcp:github:create_issue']);
});

describe('restrictions', () => {
  test('intersect, and deny wins', () => {
    const tools = sample();
    tools.restrict({ allow: ['host:core:read', 'mcp:github:*'] });
    expect(ids(tools)).toEqual(['host:core:read', 'mcp:github:create_issue', 'mcp:github:read']);
    const undo = tools.restrict({ allow: ['*'], deny: ['mcp:*:create_*'] });
    expect(ids(tools)).toEqual(['host:core:read', 'mcp:github:read']);
    undo();
    undo();
    expect(ids(tools)).toHaveLength(3);
    tools.restrict({ allow: [] });
    expect(ids(tools)).toEqual([]);
  });

  test('a plain name in an allow list lets nobody in where several owners have it; in a deny list it means them all', async () => {
    const tools = sample();
    const undo = tools.restrict({ allow: ['read', 'log'] });
    expect(ids(tools)).toEqual(['plugin:git:log']);
    expect(await run(tools, 'read')).toMatchObject({ code: 'UNKNOWN_TOOL' });
    undo();
    tools.restrict({ allow: ['host:core:read', 'mcp__github__read', 'write'] });
    expect(ids(tools)).toEqual(['host:core:read', 'host:core:write', 'mcp:github:read']);
    tools.restrict({ deny: ['read'] });
    expect(ids(tools)).toEqual(['host:core:write']);
  });

  test('hold for the scopes that they are for; one whose condition fails holds', () => {
    const tools = sample();
    tools.restrict({ deny: ['write'], when: ({ agentId }) => agentId === 'intern' });
    expect(ids(tools, { agentId: 'intern' })).not.toContain('host:core:write');
    expect(ids(tools, { agentId: 'lead' })).toContain('host:core:write');
    tools.restrict({
      allow: [],
      when: () => {
        throw new Error('broken');
      },
    });
    expect(ids(tools, { agentId: 'lead' })).toEqual([]);
  });

  test('hide a tool from discovery and from calls by any name or guessed id, also of a view made before', async () => {
    const tools = sample();
    const before = tools.view({});
    tools.restrict({ deny: ['mcp:github:create_issue'] });
    const view = tools.view({});
    for (const ref of ['mcp:github:create_issue', 'mcp__github__create_issue', 'create_issue']) {
      expect(view.find(ref)).toBeUndefined();
      expect(view.suggest(ref)).not.toContain('mcp:github:create_issue');
      expect(await run(tools, ref)).toMatchObject({ code: 'UNKNOWN_TOOL' });
    }
    expect(before.find('create_issue')).toBeDefined();
    const program = tools.openProgram({
      view: before,
      parent: { callId: 'p', rootCallId: 'p' },
      signal: new AbortController().signal,
      dispatch: 'parallel',
      maxInFlight: 1,
    });
    expect(await program.call(before.find('create_issue')!, {})).toMatchObject({ code: 'UNKNOWN_TOOL' });
    expect(await program.call('mcp:github:read', {})).toMatchObject({ value: 'read' });
  });

  test('and disabled tools leave nothing', async () => {
    const tools = sample();
    expect(ids(tools, { disableTools: true })).toEqual([]);
    expect(await run(tools, 'read', {}, { scope: { disableTools: true } })).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });

  test('of a wrong shape are refused', () => {
    const tools = sample();
    expect(() => tools.restrict({})).toThrow('a restriction needs `allow` or `deny`');
    expect(() => tools.restrict({ allow: 'read' as never })).toThrow(
      'the `allow` of a restriction must be an array of non-empty strings',
    );
    expect(() => tools.restrict({ allow: ['a'], when: true as never })).toThrow(
      'the `when` of a restriction must be a function',
    );
  });
});

describe('tools of the client', () => {
  const clientTools: ClientTools = { clientId: 'ide', tools: [makeTool('open_file'), makeTool('read')] };

  test('are in the views and calls that bring them, under the client as owner, and in no other', async () => {
    const tools = sample();
    expect(ids(tools, {}, clientTools)).toEqual(expect.arrayContaining(['client:ide:open_file', 'client:ide:read']));
    expect(await run(tools, 'open_file', {}, { clientTools })).toMatchObject({
      value: 'open_file',
      toolId: 'client:ide:open_file',
    });
    expect(await run(tools, 'read', {}, { clientTools })).toMatchObject({ toolId: 'client:ide:read' });
    expect(await run(tools, 'open_file')).toMatchObject({ code: 'UNKNOWN_TOOL' });
    expect(ids(tools)).not.toContain('client:ide:open_file');
  });

  test('pass the same restrictions', async () => {
    const tools = sample();
    tools.restrict({ deny: ['client:*'] });
    expect(ids(tools, {}, clientTools)).not.toContain('client:ide:open_file');
    expect(await run(tools, 'open_file', {}, { clientTools })).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });

  test('may have any schema, and their definitions are checked', () => {
    const tools = sample();
    const odd = { clientId: 'ide', tools: [makeTool('t', { parameters: { type: 'strnig', required: 1 } })] };
    expect(tools.view({}, { clientTools: odd }).find('t')?.parameters).toEqual({ type: 'object', required: 1 });
    expect(() => tools.view({}, { clientTools: { clientId: 'ide', tools: [{ name: 'x' } as never] } })).toThrow(
      '`description` must be a string',
    );
    expect(() => tools.view({}, { clientTools: { clientId: 'ide', tools: [makeTool('a'), makeTool('a')] } })).toThrow(
      'brings "a" twice',
    );
    expect(() => tools.register(makeTool('t', { source: 'client' }))).toThrow('tools of a client are not registered');
  });
});

test('the fingerprint is equal for the same tools, whatever the order of registration, and differs when anything shown does', () => {
  const one = registryWith([makeTool('a'), makeTool('b')]);
  const other = registryWith([makeTool('b'), makeTool('a')]);
  expect(one.view({}).fingerprint).toBe(other.view({ sessionId: 'x' }).fingerprint);
  const changed = [
    registryWith([makeTool('a'), makeTool('b', { description: 'else' })]),
    registryWith([makeTool('a'), makeTool('b', { parameters: { type: 'object', properties: { x: {} } } })]),
    registryWith([makeTool('a'), makeTool('b', { output: { schema: {} } })]),
    registryWith([makeTool('a'), makeTool('b', { replaySafe: true })]),
    registryWith([makeTool('a')]),
  ];
  const prints = [one, ...changed].map((tools) => tools.view({}).fingerprint);
  expect(new Set(prints).size).toBe(prints.length);
});

test('ten thousand tools are viewed and called at the cost of few', async () => {
  const tools = registryWith([]);
  const registrar = tools.registrar({ source: 'mcp', owner: 'big' });
  registrar.replace(Array.from({ length: 10_000 }, (_, index) => makeTool(`tool_${index}`)));
  let turns = 0;
  const others = setInterval(() => turns++, 0);
  const prepared = await tools.prepareView({ sessionId: 'a' });
  clearInterval(others);
  expect(turns).toBeGreaterThan(0);
  const view = tools.view({ sessionId: 'a' });
  expect(view.tools).toBe(prepared.tools);
  tools.register(makeTool('one_more'));
  const [again, alike] = await Promise.all([tools.prepareView({}), tools.prepareView({ sessionId: 'c' })]);
  expect(again.tools).toHaveLength(10_001);
  expect(alike.tools).toBe(again.tools);
  // What is known of a tool stays with it.
  expect(again.find('mcp__big__tool_7')).toBe(view.find('mcp__big__tool_7'));
  // The same body serves all scopes that see the same tools, and one that was made in slices is the same.
  expect(tools.view({ sessionId: 'b' }).tools).toBe(again.tools);
  expect(await run(tools, 'mcp__big__tool_9999')).toMatchObject({ value: 'tool_9999' });
});
