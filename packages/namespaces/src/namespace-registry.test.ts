import { createToolRegistry, type ToolRegistry, type ToolScope } from '@codeseam/tools';
import { beforeEach, describe, expect, test } from 'vitest';
import { createNamespaceRegistry, type NamespaceDefinition, type NamespaceRegistry, namespaceTool } from './index.ts';

let tools: ToolRegistry;
let namespaces: NamespaceRegistry;
const never = new AbortController().signal;
const view = (scope: ToolScope = {}) => tools.view(scope);

beforeEach(() => {
  tools = createToolRegistry();
  namespaces = createNamespaceRegistry();
  const tracker = tools.registrar({ source: 'plugin', owner: 'tracker' });
  for (const name of ['list_issues', 'update_issue']) {
    tracker.register({ name, description: name, parameters: { type: 'object' }, execute: () => name });
  }
});

const issues = (more: Partial<NamespaceDefinition> = {}): NamespaceDefinition => ({
  id: 'issues',
  globalName: 'Issues',
  description: 'Issues of the tracker.',
  requiredToolNames: ['list_issues', 'update_issue'],
  createScope: () => ({
    list: namespaceTool('list_issues'),
    update: namespaceTool('update_issue', ([number, patch]) => ({ number, patch })),
  }),
  ...more,
});
const asTracker = { owner: 'tracker' };

describe('registration', () => {
  const problemOf = (definition: unknown, owner = 'tracker'): string => {
    try {
      namespaces.register(definition as NamespaceDefinition, { owner });
    } catch (error) {
      expect(error).toMatchObject({ name: 'NamespaceError' });
      return (error as Error).message;
    }
    return 'none';
  };

  test.each<[unknown, string]>([
    [null, 'a namespace of plugin "tracker" must be an object'],
    [{}, 'a namespace of plugin "tracker" needs an id, a non-empty string'],
    [
      issues({ globalName: 'my-issues' }),
      'namespace "issues" of plugin "tracker": globalName "my-issues" is not a portable identifier',
    ],
    [issues({ globalName: 'class' }), 'globalName "class" is a reserved word of JavaScript'],
    [issues({ globalName: 'console' }), 'globalName "console" is a built-in of the guest'],
    [issues({ globalName: 'globalThis' }), 'globalName "globalThis" is a built-in of the guest'],
    [issues({ globalName: '__codeseam_x' }), 'globalName "__codeseam_x" is one of the runtime\'s own names'],
    ...[
      'tools',
      'namespaces',
      'MCP',
      'API',
      'ALL_TOOLS',
      'text',
      'json',
      'yield_control',
      'results',
      'agents',
      'phase',
      'log',
    ].map((name) => [issues({ globalName: name }), `globalName "${name}" is a name of code mode`] as [unknown, string]),
    [issues({ description: 1 as never }), 'description must be a string'],
    [issues({ prompt: 1 as never }), 'prompt must be a string or a function of the scope'],
    [issues({ requiredToolNames: [] }), 'requiredToolNames must list the tools that the namespace calls, at least one'],
    [issues({ requiredToolNames: [1 as never] }), 'requiredToolNames must hold non-empty strings'],
    [issues({ createScope: {} as never }), 'createScope must be a function'],
    [issues({ config: [] as never }), 'config must be an object'],
    [{ ...issues(), requiredTools: [] }, 'unknown field "requiredTools"; did you mean requiredToolNames?'],
  ])('refuses a bad definition, naming the rule and the owner (%#)', (definition, problem) => {
    expect(problemOf(definition)).toContain(problem);
  });

  test('ids and global names are unique, and the refusal says who has them', () => {
    namespaces.register(issues(), asTracker);
    expect(problemOf(issues(), 'other')).toBe(
      'namespace "issues" of plugin "other": the id is taken by plugin "tracker"',
    );
    expect(problemOf(issues({ id: 'second' }), 'other')).toBe(
      'namespace "second" of plugin "other": globalName "Issues" is taken by namespace "issues" of plugin "tracker"',
    );
  });

  test('reserved names cannot be taken, taken ones cannot be reserved, and both end with their undo', () => {
    const unreserve = namespaces.reserve(['Issues']);
    expect(problemOf(issues())).toContain('globalName "Issues" is reserved by an extension of code mode');
    unreserve();
    unreserve();
    const undo = namespaces.register(issues(), asTracker);
    expect(() => namespaces.reserve(['Issues'])).toThrow(
      'the global name "Issues" is taken by namespace "issues" of plugin "tracker"',
    );
    undo();
    expect(() => namespaces.reserve(['Issues'])).not.toThrow();
  });

  test('clear removes all of an owner, and nobody else’s; listeners are told, and a throwing one harms nobody', () => {
    const warnings: string[] = [];
    namespaces = createNamespaceRegistry({ warn: (message) => warnings.push(message) });
    let told = 0;
    namespaces.onChange(() => {
      throw new Error('broken');
    });
    const off = namespaces.onChange(() => told++);
    namespaces.register(issues(), asTracker);
    namespaces.register(issues({ id: 'b', globalName: 'B' }), asTracker);
    namespaces.register(issues({ id: 'c', globalName: 'C' }), { owner: 'other' });
    namespaces.clear('tracker');
    expect(namespaces.status(view()).map(({ id }) => id)).toEqual(['c']);
    expect(told).toBe(4);
    off();
    namespaces.clear('other');
    expect(told).toBe(4);
    expect(warnings[0]).toBe('a listener for changes of namespaces threw: broken');
  });
});

describe('visibility', () => {
  test('a namespace is in a view only if all its tools are visible there', () => {
    namespaces.register(issues({ prompt: ({ agentId }) => `for ${agentId}` }), asTracker);
    tools.restrict({ deny: ['update_issue'], when: ({ agentId }) => agentId === 'reader' });
    expect(namespaces.visible(view({ agentId: 'writer' }))).toEqual([
      {
        id: 'issues',
        globalName: 'Issues',
        owner: 'tracker',
        description: 'Issues of the tracker.',
        prompt: 'for writer',
      },
    ]);
    expect(namespaces.visible(view({ agentId: 'reader' }))).toEqual([]);
    expect(namespaces.open(view({ agentId: 'reader' }), never)).toEqual([]);
    expect(namespaces.status(view({ agentId: 'reader' }))).toEqual([
      {
        id: 'issues',
        globalName: 'Issues',
        owner: 'tracker',
        visible: false,
        missing: [{ name: 'update_issue', reason: 'it is not visible here: not registered, or restricted away' }],
      },
    ]);
  });

  test('a tool of the same name does not open it, whoever owns that: host, plugin, server or client', () => {
    namespaces.register(issues({ requiredToolNames: ['close_issue'] }), asTracker);
    const definition = { name: 'close_issue', description: '', parameters: { type: 'object' }, execute: () => 1 };
    const reasons = () => namespaces.status(view())[0]!.missing.map(({ reason }) => reason);
    const undo = tools.register(definition);
    expect(reasons()).toEqual(['it belongs to host "core", not to this plugin']);
    undo();
    const server = tools.registrar({ source: 'mcp', owner: 'tracker' });
    server.register(definition);
    expect(reasons()).toEqual(['it belongs to mcp "tracker", not to this plugin']);
    server.dispose();
    const clientView = tools.view({}, { clientTools: { clientId: 'tracker', tools: [definition] } });
    expect(namespaces.visible(clientView)).toEqual([]);
    tools.registrar({ source: 'plugin', owner: 'tracker' }).register(definition);
    expect(namespaces.visible(view())).toHaveLength(1);
  });

  test('an owner that says it is the host does not get the tools of a plugin of its name', () => {
    namespaces.register(issues(), { owner: 'tracker', source: 'host' });
    expect(namespaces.visible(view())).toEqual([]);
  });

  test('its own tool is found where several owners have tools of that name', () => {
    tools.register({ name: 'list_issues', description: '', parameters: { type: 'object' }, execute: () => 1 });
    namespaces.register(issues({ requiredToolNames: ['list_issues', 'plugin:tracker:update_issue'] }), asTracker);
    expect(namespaces.visible(view())).toHaveLength(1);
  });

  test('a direct-only tool cannot be called from a program, so it opens nothing', () => {
    const photo = {
      name: 'photo',
      description: '',
      parameters: { type: 'object' },
      execute: () => 1,
      directOnly: true,
    };
    tools.registrar({ source: 'plugin', owner: 'tracker' }).register(photo);
    namespaces.register(issues({ requiredToolNames: ['photo'] }), asTracker);
    expect(namespaces.status(view())[0]!.missing[0]!.reason).toBe('it is direct-only: programs cannot call it');
  });

  test('what a model reads does not depend on the order of registration', () => {
    namespaces.register(issues({ id: 'b', globalName: 'B' }), asTracker);
    namespaces.register(issues({ id: 'a', globalName: 'A' }), asTracker);
    expect(namespaces.visible(view()).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('a prompt that throws or gives no text is left out and warned of', () => {
    const warnings: string[] = [];
    namespaces = createNamespaceRegistry({ warn: (message) => warnings.push(message) });
    const prompt = () => {
      throw new Error('no');
    };
    namespaces.register(issues({ prompt }), asTracker);
    namespaces.register(issues({ id: 'b', globalName: 'B', prompt: () => 1 as never }), asTracker);
    expect(namespaces.visible(view()).map((it) => it.prompt)).toEqual([undefined, undefined]);
    expect(warnings).toEqual([
      'the prompt of namespace "b" gave no string',
      'the prompt of namespace "issues" threw: no',
    ]);
  });
});

describe('opening for a program', () => {
  const open = (createScope: NamespaceDefinition['createScope'], more: Partial<NamespaceDefinition> = {}) => {
    namespaces.register(issues({ createScope, ...more }), asTracker);
    return namespaces.open(view({ agentId: 'a', sessionId: 's', agentRunId: 'r' }), never)[0]!;
  };

  test('createScope runs once with scope, config and signal', () => {
    const seen: unknown[] = [];
    const createScope: NamespaceDefinition['createScope'] = (scope) => {
      seen.push({ ...scope });
      return { x: 1 };
    };
    open(createScope, { config: { repository: 'o/r' } });
    expect(seen).toEqual([
      { agentId: 'a', sessionId: 's', agentRunId: 'r', config: { repository: 'o/r' }, signal: never },
    ]);
  });

  test('a scope holds JSON, arrays, nested objects, shared references and tools', () => {
    const shared = { list: namespaceTool('list_issues') };
    const opened = open(() => ({ n: 1, on: true, none: null, deep: { items: [1, 'two', shared] }, again: shared }));
    expect(opened.root).toEqual({
      kind: 'object',
      members: [
        ['n', { kind: 'data', value: 1 }],
        ['on', { kind: 'data', value: true }],
        ['none', { kind: 'data', value: null }],
        [
          'deep',
          {
            kind: 'object',
            members: [
              [
                'items',
                {
                  kind: 'array',
                  items: [
                    { kind: 'data', value: 1 },
                    { kind: 'data', value: 'two' },
                    { kind: 'object', members: [['list', { kind: 'call', path: ['deep', 'items', '2', 'list'] }]] },
                  ],
                },
              ],
            ],
          },
        ],
        ['again', { kind: 'object', members: [['list', { kind: 'call', path: ['again', 'list'] }]] }],
      ],
    });
    expect(opened.target(['deep', 'items', '2', 'list'], []).tool.id).toBe('plugin:tracker:list_issues');
    expect(opened.tools.map(({ name }) => name)).toEqual(['list_issues', 'update_issue']);
  });

  test('Date, BigInt, NaN, infinities and undefined become text, and -0 becomes 0', () => {
    const { root } = open(() => ({
      d: new Date(0),
      bad: new Date(Number.NaN),
      b: 12n,
      n: Number.NaN,
      i: -Infinity,
      u: undefined,
      z: -0,
    }));
    const members = root.kind === 'object' ? Object.fromEntries(root.members) : {};
    expect(members).toEqual({
      d: { kind: 'data', value: '1970-01-01T00:00:00.000Z' },
      bad: { kind: 'data', value: 'Invalid Date' },
      b: { kind: 'data', value: '12' },
      n: { kind: 'data', value: 'NaN' },
      i: { kind: 'data', value: '-Infinity' },
      u: { kind: 'data', value: 'undefined' },
      z: { kind: 'data', value: 0 },
    });
  });

  const cyclic: { self?: unknown } = {};
  cyclic.self = { back: cyclic };
  const nul = { ['a\0b']: 1 };
  const holed: number[] = [];
  holed[1] = 1;
  test.each<[() => unknown, string]>([
    [() => ({ a: { f: () => 1 } }), 'Issues.a.f is a function; use namespaceTool(name, mapper)'],
    [() => cyclic, 'Issues.self.back contains itself'],
    [() => ({ '': 1 }), 'Issues has the key "", which is not allowed'],
    [() => JSON.parse('{"a":{"__proto__":1}}'), 'Issues.a has the key "__proto__"'],
    [() => ({ constructor: 1 }), 'Issues has the key "constructor"'],
    [() => ({ x: { prototype: 1 } }), 'Issues.x has the key "prototype"'],
    [() => nul, 'Issues has the key "a\\u0000b"'],
    [() => ({ m: new Map() }), 'Issues.m is an instance of Map, not plain data'],
    [() => ({ p: new Proxy(new (class Host {})(), {}) }), 'Issues.p is an instance of Host'],
    [() => ({ b: Buffer.from('x') }), 'Issues.b is an instance of'],
    [() => ({ s: Symbol('x') }), 'Issues.s is a symbol'],
    [() => ({ [Symbol('k')]: 1 }), 'Issues has a symbol key'],
    [
      () => ({
        get g() {
          return 1;
        },
      }),
      'Issues.g is a getter',
    ],
    [() => ({ list: holed }), 'Issues.list is an array with holes or extra properties'],
    [
      () => ({ t: namespaceTool('delete_repo') }),
      'Issues.t calls "delete_repo", which is not one of requiredToolNames',
    ],
    [() => [1], 'Issues must be an object of members'],
    [() => namespaceTool('list_issues'), 'Issues must be an object of members'],
    [() => undefined, 'Issues must be an object of members'],
    [
      () => {
        throw new Error('no token');
      },
      'createScope of namespace "issues" threw: no token',
    ],
    [async () => ({}), 'createScope of namespace "issues" is asynchronous; it must give the scope at once'],
    [() => Promise.reject(new Error('late')), 'createScope of namespace "issues" is asynchronous'],
  ])('refuses what a program cannot hold, naming the path (%#)', (createScope, problem) => {
    expect(() => open(createScope)).toThrow(problem);
  });

  test('nesting is bounded', () => {
    let deep: object = {};
    for (let level = 0; level < 200; level++) deep = { in: deep };
    expect(() => open(() => deep)).toThrow('nests deeper than 90 levels');
  });
});

describe('a call', () => {
  const opened = (mapper?: Parameters<typeof namespaceTool>[1]) => {
    namespaces.register(
      issues({ createScope: () => ({ list: namespaceTool('list_issues', mapper), n: 1 }) }),
      asTracker,
    );
    return namespaces.open(view(), never)[0]!;
  };

  test('without a mapper passes the first argument, or an empty object', () => {
    const { target } = opened();
    expect(target(['list'], [{ state: 'open' }, 'ignored']).arguments).toEqual({ state: 'open' });
    expect(target(['list'], []).arguments).toEqual({});
    expect(() => target(['list'], ['open'])).toThrow('Issues.list takes one object of arguments');
  });

  test('a mapper gets the arguments and gives the object; what it cannot change or give fails that call', () => {
    expect(opened(([state, extra]) => ({ state, extra })).target(['list'], ['open', [1]]).arguments).toEqual({
      state: 'open',
      extra: [1],
    });
  });

  test.each<[Parameters<typeof namespaceTool>[1], string]>([
    [
      () => {
        throw new Error('number expected');
      },
      'Issues.list: number expected',
    ],
    [() => 'text', 'Issues.list: its mapper did not give an object of arguments'],
    [() => [1], 'Issues.list: its mapper did not give an object of arguments'],
    [() => null, 'Issues.list: its mapper did not give an object of arguments'],
    [async () => ({}), 'Issues.list: its mapper did not give an object of arguments'],
    [() => ({ d: new Date(0) }), 'Issues.list: arguments.d: Date is not JSON'],
    [
      (args) => {
        (args as unknown[]).push(1);
        return {};
      },
      'Issues.list: Cannot add property',
    ],
  ])('a mapper that gives no object fails that call (%#)', (mapper, problem) => {
    expect(() => opened(mapper).target(['list'], [{}])).toThrow(problem);
  });

  test.each([[['n']], [['other']], [[]], [['list', 'x']], [['list\0']], [['__proto__']]])(
    'a forged path %j is refused',
    (path) => {
      expect(() => opened().target(path, [])).toThrow(/is not a function of namespace "issues"/);
    },
  );

  test('a namespace that was cleared refuses further calls, also where one of its id is back', () => {
    const { target } = opened();
    namespaces.clear('tracker');
    expect(() => target(['list'], [])).toThrow('Issues.list: namespace "issues" is no longer there');
    namespaces.register(issues(), asTracker);
    expect(() => target(['list'], [])).toThrow('no longer there');
  });

  test('a marker of another copy of the package is one too', () => {
    const foreign = { [Symbol.for('codeseam.namespace-tool')]: true, tool: 'list_issues', toArguments: undefined };
    namespaces.register(issues({ createScope: () => ({ list: foreign }) }), asTracker);
    expect(namespaces.open(view(), never)[0]!.target(['list'], []).tool.name).toBe('list_issues');
  });
});
