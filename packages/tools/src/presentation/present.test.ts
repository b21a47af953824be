import { describe, expect, test } from 'vitest';
import { gate, makeTool, registryWith, run } from '../testing/tools.ts';
import type { PresentationMode, ToolRegistry, ToolScope, ToolTransport } from '../types.ts';

const runtime = { language: 'typescript' } as never;
const withRuntime = { runtime: () => runtime };

/** A transport as code mode registers it. */
const exec: ToolTransport = {
  name: 'exec',
  controlTools: () => [makeTool('exec', { control: true, execute: () => 'ran' }), makeTool('wait', { control: true })],
  sections: () => [],
};

const wire = async (tools: ToolRegistry, scope: ToolScope = {}) =>
  (await tools.present(tools.view(scope))).tools.map((tool) => tool.name);
const sections = async (tools: ToolRegistry) =>
  (await tools.present(tools.view({}))).sections.map((section) => section.id);

const some = () => [
  makeTool('b_write'),
  makeTool('a_read'),
  makeTool('shot', { directOnly: true }),
  makeTool('secret', { hidden: true }),
  makeTool('discover', { control: true }),
];

describe('what the model gets', () => {
  test('native: every visible schema, no sections', async () => {
    const tools = registryWith(some(), { mode: 'native' });
    expect(await wire(tools)).toEqual(['a_read', 'b_write', 'shot']);
    expect(await sections(tools)).toEqual([]);
    const { tools: presented } = await tools.present(tools.view({}));
    expect(presented[0]).toEqual({
      name: 'a_read',
      description: 'Does a_read.',
      parameters: { type: 'object' },
      toolId: 'host:core:a_read',
    });
  });

  test('code over run_code: the control tool and direct-only tools, rule and SDK', async () => {
    const tools = registryWith(some(), { mode: 'code' }, withRuntime);
    expect(await wire(tools)).toEqual(['run_code', 'shot']);
    expect(await sections(tools)).toEqual(['tools:run-code-only', 'tools:sdk']);
  });

  test('both over run_code: every visible schema and the control tool, SDK without the rule', async () => {
    const tools = registryWith(some(), { mode: 'both' }, withRuntime);
    expect(await wire(tools)).toEqual(['a_read', 'b_write', 'run_code', 'shot']);
    expect(await sections(tools)).toEqual(['tools:sdk']);
  });

  test('code and both over exec', async () => {
    for (const [mode, names] of [
      ['code', ['exec', 'shot', 'wait']],
      ['both', ['a_read', 'b_write', 'exec', 'shot', 'wait']],
    ] as const) {
      const tools = registryWith(some(), { mode, transport: 'exec' });
      tools.registerTransport(exec);
      expect(await wire(tools)).toEqual(names);
      expect(await sections(tools)).toEqual([]);
    }
  });

  test('a view without tools presents nothing and engages nothing, whatever the mode', async () => {
    const tools = registryWith(some(), { mode: 'code', transport: 'exec' });
    const told: unknown[] = [];
    tools.on('tools/presented', (presentation) => void told.push(presentation));
    expect(await tools.present(tools.view({ disableTools: true }))).toEqual({
      mode: 'code',
      tools: [],
      sections: [],
      tokens: 0,
    });
    expect(told).toEqual([]);
  });
});

describe('mode and transport are filled each by itself', () => {
  const rows: [PresentationMode | undefined, 'run_code' | 'exec' | undefined, boolean, string][] = [
    [undefined, undefined, true, 'code exec'],
    [undefined, 'exec', true, 'code exec'],
    [undefined, 'run_code', true, 'native'],
    [undefined, undefined, false, 'native'],
    [undefined, 'exec', false, 'native'],
    ['code', undefined, true, 'code exec'],
    ['code', undefined, false, 'code run_code'],
    ['both', undefined, true, 'both exec'],
    ['both', undefined, false, 'both run_code'],
    ['native', undefined, true, 'native'],
    ['native', 'exec', true, 'native'],
    ['code', 'exec', false, 'error'],
    ['both', 'exec', false, 'error'],
    ['code', 'run_code', true, 'code run_code'],
  ];
  test.each(rows)('mode %s, transport %s, code mode enabled %s: %s', async (mode, transport, enabled, expected) => {
    const tools = registryWith(some(), { ...(mode ? { mode } : {}), ...(transport ? { transport } : {}) }, withRuntime);
    if (enabled) tools.registerTransport(exec);
    const resolved = tools.presentationOf({});
    if (expected === 'error') {
      expect(resolved.problem).toBe(
        'transport "exec" needs code mode: mount @codeseam/code-mode with `enabled: true`, or set transport to "run_code"',
      );
      await expect(tools.present(tools.view({}))).rejects.toThrow(
        `mode "${mode}" cannot be presented: transport "exec" needs code mode`,
      );
      return;
    }
    expect([resolved.mode, resolved.transport].filter(Boolean).join(' ')).toBe(expected);
    const presentation = await tools.present(tools.view({}));
    expect(presentation.tools.map((tool) => tool.name).includes('exec')).toBe(expected.endsWith('exec'));
  });

  test('code modes without a runtime, or with one whose language has no SDK, say so and show nothing', async () => {
    const none = registryWith(some(), { mode: 'code' });
    await expect(none.present(none.view({}))).rejects.toThrow(
      'mode "code" cannot be presented: transport "run_code" needs a code runtime, and none is mounted (for one, @codeseam/code-runtime-quickjs)',
    );
    const ruby = registryWith(some(), { mode: 'both' }, { runtime: () => ({ language: 'ruby' }) as never });
    await expect(ruby.present(ruby.view({}))).rejects.toThrow(
      'has no SDK for the language of the mounted runtime ("ruby"); it has typescript, javascript, python',
    );
    const typo = registryWith(some(), { mode: 'code', transport: 'run_cod' }, withRuntime);
    await expect(typo.present(typo.view({}))).rejects.toThrow(
      'transport "run_cod" is not registered; did you mean "run_code"?',
    );
  });

  test('a transport may say itself why it cannot', async () => {
    const tools = registryWith(some(), { mode: 'code' });
    tools.registerTransport({ ...exec, problem: () => 'the runtime is not loaded' });
    await expect(tools.present(tools.view({}))).rejects.toThrow(
      'mode "code" cannot be presented: the runtime is not loaded',
    );
  });

  test('code mode switched off again leaves the presentation as it was', async () => {
    const tools = registryWith(some());
    const before = await tools.present(tools.view({}));
    const undo = tools.registerTransport(exec);
    expect(await wire(tools)).toEqual(['exec', 'shot', 'wait']);
    undo();
    expect(await tools.present(tools.view({}))).toEqual(before);
  });

  test('presentAs overrides for some scopes, and is undone', async () => {
    const tools = registryWith(some(), { mode: 'native' }, withRuntime);
    const undo = tools.presentAs('code', { when: ({ agentId }) => agentId === 'coder' });
    expect(await wire(tools, { agentId: 'coder' })).toEqual(['run_code', 'shot']);
    expect(await wire(tools, { agentId: 'chat' })).toEqual(['a_read', 'b_write', 'shot']);
    undo();
    expect(await wire(tools, { agentId: 'coder' })).toEqual(['a_read', 'b_write', 'shot']);
    expect(() => tools.presentAs('exec' as never, { when: () => true })).toThrow(
      'mode must be one of native, code, both',
    );
  });
});

describe('control tools lie outside registration and restriction', () => {
  const setup = (mode: PresentationMode = 'both') => {
    const tools = registryWith([makeTool('exec', { execute: () => 'host exec' }), makeTool('read')], { mode });
    tools.registerTransport(exec);
    return tools;
  };

  test('a host tool of the same name gets another one on the wire, and is called by it', async () => {
    const tools = setup();
    expect(await wire(tools)).toEqual(['core__exec', 'exec', 'read', 'wait']);
    expect(await run(tools, 'exec')).toMatchObject({ value: 'ran' });
    expect(await run(tools, 'core__exec')).toMatchObject({ value: 'host exec', toolId: 'host:core:exec' });
    expect(await tools.execute({ callId: '1', id: 'host:core:exec', scope: {} })).toMatchObject({ value: 'host exec' });
  });

  test('they cannot be restricted away, and rules that name exec mean the host tool', async () => {
    const tools = setup();
    tools.restrict({ deny: ['exec', 'wait'] });
    expect(await wire(tools)).toEqual(['exec', 'read', 'wait']);
    expect(await run(tools, 'exec')).toMatchObject({ value: 'ran' });
  });

  test('they are not called from programs, by any name', async () => {
    const tools = setup();
    const program = tools.openProgram({
      view: tools.view({}),
      parent: { callId: 'p', rootCallId: 'p' },
      signal: new AbortController().signal,
      dispatch: 'parallel',
      maxInFlight: 2,
    });
    expect(await program.call('exec', {})).toMatchObject({ value: 'host exec' });
    expect(await program.call('wait', {})).toMatchObject({ code: 'UNKNOWN_TOOL' });
    expect(await program.call('control:exec:exec', {})).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });

  test('their calls pass all stages, carry what the transport adds, and a rewrite passes through it', async () => {
    const tools = registryWith([makeTool('read')]);
    const ran: unknown[] = [];
    const parameters = { type: 'object', properties: { code: { type: 'string' }, command: { type: 'string' } } };
    tools.registerTransport({
      ...exec,
      controlTools: () => [makeTool('exec', { parameters, execute: (args) => void ran.push(args) })],
      describeCall: (name, args: any) => ({ toolKind: 'code_mode_exec', name, seen: args.code }),
      rewriteArguments: (_name, before: any, after: any) =>
        after.command === before.command ? after : { ...after, code: after.command },
    });
    const seen: unknown[] = [];
    tools.hook('preExecute', ({ transportInfo, tool }) => {
      seen.push([transportInfo, tool.id]);
      return { decision: 'allow', arguments: { code: 'old', command: 'new' } };
    });
    expect(await run(tools, 'exec', { code: 'old', command: 'old' })).not.toHaveProperty('toolId');
    expect(seen).toEqual([[{ toolKind: 'code_mode_exec', name: 'exec', seen: 'old' }, 'control:exec:exec']]);
    expect(ran).toEqual([{ code: 'new', command: 'new' }]);
    tools.hook('guard', () => ({ deny: 'no programs' }));
    expect(await run(tools, 'exec', { code: 'x' })).toMatchObject({ code: 'DENIED' });
  });

  test('a transport may be addressed by name although the mode does not show it', async () => {
    const tools = setup('native');
    expect(await run(tools, 'exec', {}, { transport: 'exec' })).toMatchObject({ value: 'ran' });
    expect(await run(tools, 'exec')).toMatchObject({ value: 'host exec' });
    expect(await run(tools, 'exec', {}, { transport: 'none' })).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });
});

describe('a direct call of a tool that is not shown', () => {
  test('is refused before policy sees it, except by the host and for direct-only tools', async () => {
    const tools = registryWith(some(), { mode: 'code' }, withRuntime);
    let seen = 0;
    tools.hook('preExecute', () => void seen++);
    expect(await run(tools, 'a_read')).toMatchObject({
      code: 'UNKNOWN_TOOL',
      message: expect.stringContaining('await tools.a_read({})'),
    });
    expect(seen).toBe(0);
    expect(await run(tools, 'a_read', {}, { asHost: true })).toMatchObject({ value: 'a_read' });
    expect(await run(tools, 'shot')).toMatchObject({ value: 'shot' });
  });

  test('is refused for hidden tools in any mode', async () => {
    const tools = registryWith(some(), { mode: 'native' });
    expect(await run(tools, 'secret')).toMatchObject({ code: 'UNKNOWN_TOOL', message: 'unknown tool "secret"' });
    expect(await run(tools, 'secret', {}, { asHost: true })).toMatchObject({ value: 'secret' });
    expect(await run(tools, 'discover', {}, { asHost: true })).toMatchObject({ code: 'UNKNOWN_TOOL' });
  });
});

describe('order', () => {
  test('the same tools give the same bytes, whatever the order of registration', async () => {
    const forwards = registryWith(some(), { mode: 'both' }, withRuntime);
    const backwards = registryWith(some().reverse(), { mode: 'both' }, withRuntime);
    const bytes = async (tools: ToolRegistry) => {
      const presentation = await tools.present(tools.view({}));
      return JSON.stringify([presentation, presentation.sections.map((section) => section.render())]);
    };
    expect(await bytes(forwards)).toBe(await bytes(backwards));
  });

  test('toolOrder goes first, by name or id; a name that the mode hides is an error, an unregistered one a warning', async () => {
    const tools = registryWith(some(), { mode: 'native', toolOrder: ['shot', 'host:core:b_write', 'server_down'] });
    expect(await wire(tools)).toEqual(['shot', 'b_write', 'a_read']);
    expect(tools.warnings).toEqual(['toolOrder names "server_down", which nobody has registered']);
    tools.restrict({ deny: ['shot'] });
    expect(await wire(tools)).toEqual(['b_write', 'a_read']);
    expect(tools.warnings).toHaveLength(2);
    const code = registryWith(some(), { mode: 'code', toolOrder: ['shot', 'run_code'] }, withRuntime);
    expect(await wire(code)).toEqual(['shot', 'run_code']);
    const hidden = registryWith(some(), { mode: 'code', toolOrder: ['a_read'] }, withRuntime);
    await expect(hidden.present(hidden.view({}))).rejects.toThrow(
      'toolOrder names "a_read", but mode "code" does not show it',
    );
    const secret = registryWith(some(), { mode: 'native', toolOrder: ['secret'] });
    await expect(secret.present(secret.view({}))).rejects.toThrow('toolOrder names "secret", but the tool is hidden');
  });
});

describe('sections and hooks', () => {
  test('a section of the same id shadows the default for its scopes', async () => {
    const tools = registryWith(some(), { mode: 'code' }, withRuntime);
    const text = async (agentId: string) => {
      const { sections } = await tools.present(tools.view({ agentId }));
      return sections.find(({ id }) => id === 'tools:run-code-only')!.render();
    };
    const before = await text('a');
    const undo = tools.section(
      { id: 'tools:run-code-only', order: 0, render: () => 'Mine.' },
      { when: ({ agentId }) => agentId === 'a' },
    );
    expect([await text('a'), await text('b')]).toEqual(['Mine.', before]);
    undo();
    expect(await text('a')).toBe(before);
  });

  test('a section that fails is an error that names it', async () => {
    const tools = registryWith(some(), { mode: 'code' }, withRuntime);
    tools.section({
      id: 'tools:sdk',
      order: 0,
      render: () => {
        throw new Error('no template');
      },
    });
    await expect(tools.present(tools.view({}))).rejects.toThrow(
      'section "tools:sdk" could not be rendered: no template',
    );
  });

  test('what present hooks give is final, with its cost counted anew, and told', async () => {
    const tools = registryWith(some(), { mode: 'native' });
    const told: unknown[] = [];
    tools.on('tools/presented', (presentation, scope) => void told.push([presentation.tools.length, scope]));
    const whole = (await tools.present(tools.view({}))).tokens;
    tools.hook('present', async (presentation) => ({ ...presentation, tools: presentation.tools.slice(1) }));
    tools.hook('present', (presentation) => ({
      ...presentation,
      sections: [{ id: 'mine', order: 1, render: () => 'Hello.' }],
    }));
    const presentation = await tools.present(tools.view({ sessionId: 's' }));
    expect(presentation.tools.map(({ name }) => name)).toEqual(['b_write', 'shot']);
    expect(presentation.sections.map(({ id }) => id)).toEqual(['mine']);
    expect(presentation.tokens).toBeLessThan(whole);
    expect(told).toEqual([
      [3, {}],
      [2, { sessionId: 's' }],
    ]);
    tools.hook('present', () => undefined as never);
    await expect(tools.present(tools.view({}))).rejects.toThrow('a present hook gave no presentation');
  });
});

describe('checkPayload', () => {
  const presented = async () => {
    const tools = registryWith(some(), { mode: 'native' });
    return { tools, presentation: await tools.present(tools.view({})) };
  };

  test('takes exactly what was presented, by name or function.name, in any order', async () => {
    const { tools, presentation } = await presented();
    tools.checkPayload([{ name: 'shot' }, { function: { name: 'a_read' } }, { name: 'b_write' }], presentation);
  });

  test('names what is missing, not presented, or there twice, and what has no name', async () => {
    const { tools, presentation } = await presented();
    expect(() =>
      tools.checkPayload(
        [{ name: 'a_read' }, { name: 'a_read' }, { name: 'extra' }, { type: 'web_search' }],
        presentation,
      ),
    ).toThrow(
      'the request\'s tools are not what was presented: entry 3 has no name (type "web_search", not allowed); missing "b_write", "shot"; not presented "extra"; more than once "a_read"',
    );
    const all = presentation.tools.map(({ name }) => ({ name }));
    expect(() => tools.checkPayload([...all, { type: 'web_search' }], presentation)).toThrow('entry 3 has no name');
    tools.checkPayload([...all, { type: 'web_search' }], presentation, { allowTypes: ['web_search'] });
  });

  test('says nothing where nothing was presented', async () => {
    const tools = registryWith([]);
    tools.checkPayload([{ name: 'anything' }], await tools.present(tools.view({})));
  });
});

test('a hanging present hook does not hold up calls', async () => {
  const tools = registryWith(some(), { mode: 'native' });
  const held = gate();
  tools.hook('present', async (presentation) => {
    await held.promise;
    return presentation;
  });
  const presenting = tools.present(tools.view({}));
  expect(await run(tools, 'a_read')).toMatchObject({ value: 'a_read' });
  held.resolve();
  expect((await presenting).tools).toHaveLength(3);
});
