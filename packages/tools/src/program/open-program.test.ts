import { describe, expect, test } from 'vitest';
import { ToolCallError } from '../errors.ts';
import { gate, makeTool, registryWith, settle } from '../testing/tools.ts';
import { toolResult } from '../tool-result.ts';
import type { OpenProgramOptions, ToolRegistry } from '../types.ts';

const open = (tools: ToolRegistry, more: Partial<OpenProgramOptions> = {}) =>
  tools.openProgram({
    view: tools.view({ sessionId: 's' }),
    parent: { callId: 'outer', rootCallId: 'root' },
    signal: new AbortController().signal,
    dispatch: 'ordered',
    maxInFlight: 3,
    ...more,
  });

/** Tools that log when they start and end only when told. */
function held(...names: [string, object?][]) {
  const log: string[] = [];
  const gates = new Map<string, ReturnType<typeof gate<void>>>();
  const tools = registryWith(
    names.map(([name, more]) =>
      makeTool(name, {
        async execute() {
          log.push(name);
          const mine = gate<void>();
          gates.set(name, mine);
          await mine.promise;
          return name;
        },
        ...more,
      }),
    ),
  );
  return { tools, log, end: (name: string) => gates.get(name)!.resolve() };
}

describe('ordered', () => {
  test('safe calls overlap up to the bound, and a changing call waits until it is alone and holds up what follows', async () => {
    const safe = { concurrency: 'safe' };
    const { tools, log, end } = held(['a', safe], ['b', safe], ['c', safe], ['d', safe], ['write'], ['e', safe]);
    const program = open(tools);
    for (const name of ['a', 'b', 'c', 'd', 'write', 'e']) void program.call(name, {});
    await settle();
    expect(log).toEqual(['a', 'b', 'c']);
    end('b');
    await settle();
    expect(log).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['a', 'c', 'd']) end(name);
    await settle();
    expect(log.at(-1)).toBe('write');
    expect(program.ledger.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'pending', 'queued']);
    end('write');
    await settle();
    expect(log.at(-1)).toBe('e');
  });

  test('the lane is held until the post-execute of a changing call is done', async () => {
    const { tools, log, end } = held(['write'], ['next']);
    const post = gate();
    tools.hook('postExecute', async ({ tool }) => (tool.name === 'write' ? void (await post.promise) : undefined));
    const program = open(tools);
    void program.call('write', {});
    void program.call('next', {});
    await settle();
    end('write');
    await settle();
    expect(log).toEqual(['write']);
    post.resolve();
    await settle();
    expect(log).toEqual(['write', 'next']);
  });
});

describe('a call that waits for a person', () => {
  async function withQuestion(dispatch: 'ordered' | 'parallel') {
    const answer = gate<{ decision: 'allow' }>();
    const log: string[] = [];
    const tools = registryWith(
      ['before', 'asks', 'after'].map((name) =>
        makeTool(name, { concurrency: 'safe', execute: () => void log.push(name) }),
      ),
      {},
      { approval: () => ({ request: () => answer.promise }) },
    );
    tools.hook('preExecute', ({ tool }) => (tool.name === 'asks' ? { decision: 'ask' } : undefined));
    const program = open(tools, { dispatch, maxInFlight: 1 });
    const calls = ['before', 'asks', 'after'].map((name) => program.call(name, {}));
    await settle();
    return { answer, log, program, calls };
  }

  test('keeps its place in an ordered program', async () => {
    const { answer, log, program, calls } = await withQuestion('ordered');
    expect(log).toEqual(['before']);
    expect(program.pending().map(({ status }) => status)).toEqual(['awaiting_approval', 'queued']);
    answer.resolve({ decision: 'allow' });
    await Promise.all(calls);
    expect(log).toEqual(['before', 'asks', 'after']);
  });

  test('is passed in a parallel one, and holds no slot', async () => {
    const { answer, log, calls } = await withQuestion('parallel');
    expect(log).toEqual(['before', 'after']);
    answer.resolve({ decision: 'allow' });
    await Promise.all(calls);
    expect(log).toEqual(['before', 'after', 'asks']);
  });

  test('never runs once its program is abandoned, whatever the answer', async () => {
    const { answer, log, program, calls } = await withQuestion('parallel');
    program.abandon('the session ended');
    answer.resolve({ decision: 'allow' });
    expect(await calls[1]).toMatchObject({
      code: 'ABORTED_BEFORE_DISPATCH',
      message: 'the call of "asks" was not started: the session ended',
    });
    await settle();
    expect(log).toEqual(['before', 'after']);
    expect(program.ledger[1]).toMatchObject({ status: 'abandoned' });
  });
});

test('parallel: declared exclusive tools run one at a time, and all others pass them', async () => {
  const exclusive = { concurrency: 'exclusive' };
  const { tools, log, end } = held(['x', exclusive], ['y', exclusive], ['z']);
  const program = open(tools, { dispatch: 'parallel', maxInFlight: 8 });
  for (const name of ['x', 'y', 'z']) void program.call(name, {});
  await settle();
  expect(log).toEqual(['x', 'z']);
  end('x');
  await settle();
  expect(log).toEqual(['x', 'z', 'y']);
});

test('concurrency may depend on the arguments; who cannot say that he is safe is not', async () => {
  const seen: unknown[] = [];
  const tools = registryWith([
    makeTool('t', {
      parameters: { type: 'object', properties: { mode: { default: 'read' } } },
      concurrency: (args) => {
        seen.push(args);
        if (args.mode === 'broken') throw new Error('x');
        return args.mode === 'read' ? 'safe' : ('maybe' as never);
      },
    }),
  ]);
  const program = open(tools);
  await Promise.all([{}, { mode: 'write' }, { mode: 'broken' }].map((args) => program.call('t', args)));
  expect(seen).toEqual([{ mode: 'read' }, { mode: 'write' }, { mode: 'broken' }]);
});

test('sub-calls are numbered under the call that they belong to, and numbering goes on after a resume', async () => {
  const tools = registryWith([makeTool('t')]);
  const events: unknown[] = [];
  tools.on('tools/dispatch-start', ({ callId, parentCallId, rootCallId, wireName, toolId, arguments: args }) => {
    events.push([callId, parentCallId, rootCallId, wireName, toolId, args]);
  });
  tools.on(
    'tools/dispatch',
    ({ callId, isError, code, content }) => void events.push([callId, isError, code, content]),
  );
  const program = open(tools);
  const outcome = await program.call('t', { a: 1 });
  program.resume({ callId: 'wait-1', rootCallId: 'root' });
  await program.call('nobody', {});
  expect(outcome).toMatchObject({
    callId: 'outer:code:1',
    rootCallId: 'root',
    parent: { callId: 'outer', rootCallId: 'root' },
  });
  expect(events).toEqual([
    ['outer:code:1', 'outer', 'root', 't', 'host:core:t', { a: 1 }],
    ['outer:code:1', false, undefined, [{ type: 'text', text: 't' }]],
    ['wait-1:code:2', 'wait-1', 'root', 'nobody', 'nobody', {}],
    ['wait-1:code:2', true, 'UNKNOWN_TOOL', [{ type: 'text', text: 'Error: unknown tool "nobody"' }]],
  ]);
  expect(program.ledger).toMatchObject([
    { callId: 'outer:code:1', toolId: 'host:core:t', status: 'ok' },
    { callId: 'wait-1:code:2', toolId: 'nobody', status: 'failed', code: 'UNKNOWN_TOOL' },
  ]);
});

test('policy of sub-calls sees the outer call', async () => {
  const tools = registryWith([makeTool('t')]);
  tools.hook('guard', ({ parent, rootCallId, scope }) => ({
    deny: `${parent?.callId} ${rootCallId} ${scope.sessionId}`,
  }));
  expect(await open(tools).call('t', {})).toMatchObject({ message: 'the call of "t" was denied: outer root s' });
});

test('arguments are those of the moment of the call, not of its turn', async () => {
  const { tools, end } = held(['first']);
  tools.register(makeTool('echo', { execute: (args) => args }));
  const program = open(tools);
  void program.call('first', {});
  const args = { n: 1 };
  const second = program.call('echo', args);
  args.n = 2;
  await settle();
  end('first');
  expect((await second).value).toEqual({ n: 1 });
});

describe('the end of a program', () => {
  test('an aborted signal ends queued calls and asks running ones', async () => {
    const controller = new AbortController();
    const { tools } = held(
      [
        'write',
        {
          execute: (_: unknown, { signal }: any) =>
            new Promise((_r, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        },
      ],
      ['next'],
    );
    const program = open(tools, { signal: controller.signal });
    const calls = [program.call('write', {}), program.call('next', {})];
    await settle();
    controller.abort('stopped');
    expect(await Promise.all(calls)).toMatchObject([
      {
        code: 'ABORTED',
        message: 'the call of "write" was aborted while it ran: stopped; its effects may have happened',
      },
      {
        code: 'ABORTED_BEFORE_DISPATCH',
        message: 'the call of "next" was not started: the program\'s calls were aborted',
      },
    ]);
    expect(program.ledger.map(({ status }) => status)).toEqual(['failed', 'abandoned']);
  });

  test('abandoning it settles what is open at once, aborts it, and drops late results', async () => {
    const events: string[] = [];
    const { tools, end, log } = held(['a'], ['b']);
    tools.on('tools/dispatch', ({ callId, code }) => void events.push(`${callId} ${code}`));
    tools.on('tools/result', ({ callId }) => void events.push(`result ${callId}`));
    const program = open(tools);
    const calls = [program.call('a', {}), program.call('b', {})];
    await settle();
    program.abandon('the run expired');
    program.abandon('again');
    expect(await Promise.all(calls)).toMatchObject([
      { code: 'ABORTED', message: 'the outcome of "a" is unknown: the run expired; its effects may have happened' },
      { code: 'ABORTED_BEFORE_DISPATCH', message: 'the call of "b" was not started: the run expired' },
    ]);
    end('a');
    await settle();
    expect(events).toEqual(['outer:code:1 ABORTED']);
    expect(log).toEqual(['a']);
    expect(program.ledger.map(({ status }) => status)).toEqual(['unknown', 'abandoned']);
    expect(await program.call('a', {})).toMatchObject({ message: 'the call of "a" was not started: the run expired' });
  });
});

test('beforeDispatch refuses a call before anything of it is told', async () => {
  const tools = registryWith([makeTool('read', { replaySafe: true }), makeTool('write')]);
  const events: string[] = [];
  tools.on('tools/dispatch-start', ({ wireName }) => void events.push(wireName));
  const program = open(tools, {
    beforeDispatch(tool) {
      if (!tool.replaySafe) throw new ToolCallError('DENIED', `${tool.id} is not replay-safe`);
    },
  });
  expect(await program.call('read', {})).toMatchObject({ isError: false });
  expect(await program.call('write', {})).toMatchObject({
    code: 'DENIED',
    message: 'host:core:write is not replay-safe',
  });
  expect(events).toEqual(['read']);
});

test('contexts and images of sub-results are kept in the order of dispatch', async () => {
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
  const gates = [gate(), gate()];
  const tools = registryWith([
    makeTool('slow', {
      concurrency: 'safe',
      async execute(_args, { deferContext }) {
        await gates[0]!.promise;
        deferContext({ content: [{ type: 'text', text: 'from slow' }] });
        throw new Error('failed');
      },
    }),
    makeTool('picture', {
      concurrency: 'safe',
      async execute() {
        await gates[1]!.promise;
        return toolResult({ value: 'cat', content: [{ type: 'text', text: 'a cat' }, image] });
      },
    }),
  ]);
  const program = open(tools);
  const calls = [program.call('slow', {}), program.call('picture', {})];
  gates[1]!.resolve();
  await settle();
  gates[0]!.resolve();
  await Promise.all(calls);
  expect(program.takeContexts()).toEqual([
    { content: [{ type: 'text', text: 'from slow' }], callId: 'outer:code:1' },
    { content: [{ type: 'text', text: 'a cat' }, image], callId: 'outer:code:2' },
  ]);
  expect(program.takeContexts()).toEqual([]);
});

test('bindings give values and reject with message, code and the name of the tool; direct-only tools have none', async () => {
  const tools = registryWith([
    makeTool('ok', { execute: () => ({ n: 1 }) }),
    makeTool('own', {
      execute: () =>
        toolResult({ value: { isError: true }, content: [{ type: 'text', text: 'own failure' }], isError: true }),
    }),
    makeTool('shot', { directOnly: true }),
    makeTool('secret', { hidden: true }),
  ]);
  const program = open(tools);
  const { global, functions, errorClass } = program.bindings();
  expect([global, errorClass, Object.keys(functions)]).toEqual([
    'tools',
    { name: 'ToolCallError', memberNameProperty: 'toolName' },
    ['ok', 'own', 'secret'],
  ]);
  const call = (name: string, args?: unknown) => (functions[name] as (args: unknown) => Promise<unknown>)(args);
  expect(await call('ok')).toEqual({ n: 1 });
  await expect(call('own')).rejects.toMatchObject({
    name: 'CodeCallError',
    message: 'own failure',
    code: 'TOOL_FAILED',
    member: 'own',
  });
  await expect(call('ok', { when: new Date() })).rejects.toMatchObject({ code: 'INVALID_ARGS', member: 'ok' });
  const own = program.binding(tools.view({}).find('own')!, { resolveOwnErrors: true }) as (
    args: unknown,
  ) => Promise<unknown>;
  expect(await own({})).toEqual({ isError: true });
});

test('updates of sub-calls come with their id', async () => {
  const updates: unknown[] = [];
  const tools = registryWith([makeTool('t', { execute: (_args, { update }) => update({ half: true }) })]);
  await open(tools, { onUpdate: (callId, partial) => updates.push([callId, partial]) }).call('t', {});
  expect(updates).toEqual([['outer:code:1', { half: true }]]);
});

test('a bound that is none is misuse', () => {
  const tools = registryWith([]);
  expect(() => open(tools, { maxInFlight: 0 })).toThrow('maxInFlight must be a whole number of at least 1, found 0');
});
