import { describe, expect, test } from 'vitest';
import { gate, makeTool, registryWith, run, settle } from '../testing/tools.ts';
import { toolResult } from '../tool-result.ts';
import type { ApprovalQuestion, ToolCallOutcome } from '../types.ts';

test('the stages run in order, hooks by their order and then as added', async () => {
  const order: string[] = [];
  const tools = registryWith([
    makeTool('t', {
      parameters: { type: 'object', properties: { n: { type: 'number', default: 1 } } },
      output: {
        schema: { type: 'number' },
        render: (value) => {
          order.push(`render ${value}`);
          return [{ type: 'text', text: `n=${value}` }];
        },
      },
      execute({ n }) {
        order.push(`body ${n}`);
        return n;
      },
      finalizeContent(content) {
        order.push('finalize');
        return content;
      },
    }),
  ]);
  tools.hook('preExecute', () => void order.push('pre late'), { order: 5 });
  tools.hook('preExecute', ({ arguments: args }) => void order.push(`pre ${JSON.stringify(args)}`));
  tools.hook('guard', () => void order.push('guard'));
  tools.hook('around', async (_call, next) => {
    order.push('around outer');
    return next();
  });
  tools.hook('around', async (_call, next) => {
    order.push('around inner');
    return next();
  });
  tools.hook('postExecute', (_call, outcome) => void order.push(`post ${outcome.value}`));
  tools.on('tools/attempt', ({ attempt }) => void order.push(`attempt ${attempt}`));
  tools.on('tools/result', ({ value }) => void order.push(`result ${value}`));
  await run(tools, 't');
  expect(order).toEqual([
    'pre {"n":1}',
    'pre late',
    'guard',
    'around outer',
    'around inner',
    'body 1',
    'attempt 1',
    'render 1',
    'post 1',
    'finalize',
    'result 1',
  ]);
});

test('arguments are a frozen snapshot, with the defaults of the top level', async () => {
  const parameters = {
    type: 'object',
    properties: {
      page: { type: 'integer', default: 1 },
      filter: { type: 'object', properties: { deep: { default: 2 } } },
    },
  };
  const held = gate();
  let got: any;
  const tools = registryWith([
    makeTool('t', {
      parameters,
      async execute(args) {
        await held.promise;
        got = args;
      },
    }),
  ]);
  const given = { filter: { a: [1] } };
  const running = run(tools, 't', given);
  given.filter.a.push(2);
  held.resolve();
  const outcome = await running;
  expect(got).toEqual({ filter: { a: [1] }, page: 1 });
  expect(Object.isFrozen(got.filter.a)).toBe(true);
  expect(outcome.arguments).toEqual(got);
  expect(outcome.value).toBeNull();
});

describe('preExecute', () => {
  test('may replace arguments, which are snapshotted, filled and validated again', async () => {
    const parameters = {
      type: 'object',
      properties: { path: { type: 'string' }, depth: { type: 'number', default: 1 } },
      required: ['path'],
    };
    const tools = registryWith([makeTool('t', { parameters, execute: (args) => args })]);
    const replacement: { path: unknown } = { path: '/safe' };
    const undo = tools.hook('preExecute', () => ({ decision: 'allow', arguments: replacement }));
    expect(await run(tools, 't', { path: '/etc' })).toMatchObject({ value: { path: '/safe', depth: 1 } });
    replacement.path = 7;
    expect(await run(tools, 't', { path: '/etc' })).toMatchObject({ code: 'INVALID_ARGS' });
    undo();
    expect(await run(tools, 't', { path: '/etc' })).toMatchObject({ value: { path: '/etc', depth: 1 } });
  });

  test('a later deny wins over an ask, and an ask is not undone by a later allow', async () => {
    const asked: ApprovalQuestion[] = [];
    const tools = registryWith(
      [makeTool('t')],
      {},
      {
        approval: () => ({
          async request(question) {
            asked.push(question);
            return { decision: 'allow' };
          },
        }),
      },
    );
    tools.hook('preExecute', () => ({ decision: 'ask', reason: 'one' }));
    tools.hook('preExecute', () => ({ decision: 'allow', arguments: { rewritten: true } }));
    tools.hook('preExecute', () => ({ decision: 'ask', reason: 'two' }));
    expect(await run(tools, 't', {}, { scope: { sessionId: 's' } })).toMatchObject({ isError: false });
    expect(asked).toMatchObject([
      { reason: 'one; two', arguments: { rewritten: true }, scope: { sessionId: 's' }, tool: { id: 'host:core:t' } },
    ]);
    tools.hook('preExecute', () => ({ decision: 'deny', reason: 'closed' }));
    expect(await run(tools, 't')).toMatchObject({ code: 'DENIED' });
    expect(asked).toHaveLength(1);
  });
});

describe('approval', () => {
  test('nobody is asked about a call that could not run, and everything is checked again after the answer', async () => {
    const held = gate<{ decision: 'allow' }>();
    let asked = 0;
    const ran: unknown[] = [];
    const parameters = { type: 'object', properties: { n: { type: 'number' } } };
    const tools = registryWith(
      [makeTool('t', { parameters, execute: (args) => void ran.push(args) })],
      {},
      {
        approval: () => ({
          request() {
            asked++;
            return held.promise;
          },
        }),
      },
    );
    tools.hook('preExecute', () => ({ decision: 'ask' }));
    expect(await run(tools, 't', { n: 'x' })).toMatchObject({ code: 'INVALID_ARGS' });
    expect(asked).toBe(0);
    const restricted = run(tools, 't', { n: 1 });
    await settle();
    tools.restrict({ deny: ['t'] });
    held.resolve({ decision: 'allow' });
    expect(await restricted).toMatchObject({ code: 'UNKNOWN_TOOL', message: 'tool "t" is no longer available' });
    expect(ran).toEqual([]);
  });

  test('a service that fails or answers nonsense denies, and an abort ends the wait', async () => {
    const answers: (() => Promise<any>)[] = [
      () => Promise.reject(new Error('no connection')),
      async () => ({ decision: 'sure' }),
      async () => undefined,
      () => {
        throw new Error('broken');
      },
      () => new Promise(() => {}),
    ];
    const tools = registryWith([makeTool('t')], {}, { approval: () => ({ request: () => answers.shift()!() }) });
    tools.hook('preExecute', () => ({ decision: 'ask' }));
    expect((await run(tools, 't')).message).toBe('the call of "t" was denied: the approval failed: no connection');
    expect((await run(tools, 't')).message).toBe('the call of "t" was denied');
    expect((await run(tools, 't')).message).toBe('the call of "t" was denied');
    expect((await run(tools, 't')).message).toBe('the call of "t" was denied: the approval failed: broken');
    const controller = new AbortController();
    const waiting = run(tools, 't', {}, { signal: controller.signal });
    await settle();
    controller.abort();
    expect(await waiting).toMatchObject({ code: 'ABORTED_BEFORE_DISPATCH' });
  });

  test('what an MCP server calls destructive asks where there is somebody to ask, unless it is trusted', async () => {
    const destructive = makeTool('wipe', { annotations: { destructiveHint: true } });
    const asked: string[] = [];
    let service = true;
    const make = (trust: string[]) => {
      const tools = registryWith(
        [],
        { trust },
        {
          approval: () =>
            service
              ? {
                  async request({ tool, reason }) {
                    asked.push(`${tool.id}: ${reason}`);
                    return { decision: 'allow' };
                  },
                }
              : undefined,
        },
      );
      tools.registrar({ source: 'mcp', owner: 'disk' }).register(destructive);
      tools
        .registrar({ source: 'plugin', owner: 'disk' })
        .register(makeTool('own', { annotations: { destructiveHint: true } }));
      return tools;
    };
    const tools = make([]);
    expect(await run(tools, 'mcp__disk__wipe')).toMatchObject({ value: 'wipe' });
    expect(await run(tools, 'own')).toMatchObject({ value: 'own' });
    expect(asked).toEqual(['mcp:disk:wipe: its server calls it destructive']);
    expect(await run(make(['mcp:disk:*']), 'mcp__disk__wipe')).toMatchObject({ value: 'wipe' });
    service = false;
    expect(await run(tools, 'mcp__disk__wipe')).toMatchObject({ value: 'wipe' });
    expect(asked).toHaveLength(1);
  });
});

describe('around', () => {
  test('may call again, with other arguments or another signal, and every attempt is told', async () => {
    const bodies: unknown[] = [];
    const attempts: unknown[] = [];
    const tools = registryWith([
      makeTool('t', {
        parameters: { type: 'object', properties: { n: { type: 'number' }, d: { type: 'number', default: 9 } } },
        execute(args, { signal }) {
          bodies.push([args, signal.aborted]);
          if (bodies.length < 3) throw new Error(`try ${bodies.length}`);
          return 'third';
        },
      }),
    ]);
    tools.on('tools/attempt', ({ attempt, isError, toolId }) => void attempts.push([attempt, isError, toolId]));
    tools.hook('around', async (_call, next) => {
      await next().catch(() => {});
      await next({ arguments: { n: 2 } }).catch(() => {});
      return next({ signal: AbortSignal.abort() });
    });
    const outcome = await run(tools, 't', { n: 1 });
    expect(outcome).toMatchObject({ value: 'third', arguments: { n: 1, d: 9 } });
    expect(bodies).toEqual([
      [{ n: 1, d: 9 }, false],
      [{ n: 2, d: 9 }, false],
      [{ n: 1, d: 9 }, true],
    ]);
    expect(attempts).toEqual([
      [1, true, 'host:core:t'],
      [2, true, 'host:core:t'],
      [3, false, 'host:core:t'],
    ]);
  });

  test('replaced arguments are validated, and the caller’s abort reaches every attempt', async () => {
    const tools = registryWith([
      makeTool('t', { parameters: { type: 'object', properties: { n: { type: 'number' } } } }),
    ]);
    tools.hook('around', (_call, next) => next({ arguments: { n: 'x' } }));
    expect(await run(tools, 't')).toMatchObject({
      code: 'INVALID_ARGS',
      message: 'invalid arguments for "t": n: expected number, found string',
    });
  });

  test('a cached result is held to the schema of the tool, and nonsense is refused', async () => {
    const tools = registryWith([makeTool('t', { output: { schema: { type: 'string' } } })]);
    const undo = tools.hook('around', async () => ({ value: 7 }));
    expect(await run(tools, 't')).toMatchObject({ code: 'INVALID_TOOL_OUTPUT' });
    undo();
    tools.hook('around', async () => undefined as never);
    expect(await run(tools, 't')).toMatchObject({
      code: 'DENIED',
      message: 'the call of "t" was denied: an around hook failed: it gave no result object',
    });
  });
});

describe('postExecute', () => {
  const rendered = makeTool('t', {
    output: {
      schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      render: ({ n }) => [{ type: 'text', text: `n is ${n}` }],
    },
    execute: () => ({ n: 1 }),
  });

  test('a replaced value is validated, frozen and rendered again; replaced content leaves the value', async () => {
    const tools = registryWith([rendered]);
    const next = { n: 2 };
    const undo = tools.hook('postExecute', () => ({ value: next }));
    const outcome = await run(tools, 't');
    next.n = 3;
    expect(outcome).toMatchObject({ value: { n: 2 }, content: [{ type: 'text', text: 'n is 2' }] });
    expect(Object.isFrozen(outcome.value)).toBe(true);
    undo();
    tools.hook('postExecute', () => ({ content: [{ type: 'text', text: 'redacted' }] }));
    expect(await run(tools, 't')).toMatchObject({ value: { n: 1 }, content: [{ type: 'text', text: 'redacted' }] });
  });

  test('a value that is no result of the tool is an invalid output, and both at once are refused', async () => {
    const tools = registryWith([rendered]);
    const undo = tools.hook('postExecute', () => ({ value: { n: 'x' } }));
    expect(await run(tools, 't')).toMatchObject({ code: 'INVALID_TOOL_OUTPUT' });
    undo();
    tools.hook('postExecute', () => ({ value: { n: 1 }, content: [] }) as never);
    expect(await run(tools, 't')).toMatchObject({
      code: 'DENIED',
      message:
        'tool "t" ran, but its result is withheld: a postExecute hook replaced both value and content, where it may replace one',
    });
  });

  test('a block leaves neither value, content nor contexts but its own', async () => {
    const tools = registryWith([
      makeTool('t', {
        execute: () =>
          toolResult({
            value: 'secret',
            meta: { trace: 1 },
            additionalContexts: [{ content: [{ type: 'text', text: 'secret' }] }],
          }),
      }),
    ]);
    tools.hook('postExecute', () => ({
      block: 'leaks',
      additionalContexts: [{ content: [{ type: 'text', text: 'why' }] }],
    }));
    const outcome = await run(tools, 't');
    expect(JSON.stringify(outcome)).not.toContain('secret');
    expect(outcome).toMatchObject({
      message: 'leaks',
      additionalContexts: [{ content: [{ type: 'text', text: 'why' }] }],
    });
  });

  test('content taken out of a failure is also out of the message that a program reads', async () => {
    const tools = registryWith([makeTool('t', { execute: () => Promise.reject(new Error('token=abc')) })]);
    tools.hook('postExecute', (_call, outcome) =>
      outcome.isError ? { content: [{ type: 'text', text: 'failed (redacted)' }] } : undefined,
    );
    const outcome = await run(tools, 't');
    expect(outcome).toMatchObject({ isError: true, code: 'TOOL_FAILED', message: 'failed (redacted)' });
    expect(JSON.stringify(outcome)).not.toContain('token');
  });

  test('refusals do not reach it: nothing has run', async () => {
    const tools = registryWith([makeTool('t')]);
    let asked = 0;
    tools.hook('postExecute', () => void asked++);
    tools.hook('guard', () => ({ deny: 'no' }));
    await run(tools, 't');
    expect(asked).toBe(0);
  });
});

test('finalizeContent has the last word on successes and failures, and one that fails hides the content', async () => {
  const seen: string[] = [];
  const finalizeContent = (content: readonly unknown[], outcome: ToolCallOutcome) => {
    seen.push(outcome.code ?? 'ok');
    return [...content, { type: 'text', text: 'final' }] as never;
  };
  const tools = registryWith([
    makeTool('good', { finalizeContent }),
    makeTool('bad', { finalizeContent, execute: () => Promise.reject(new Error('x')) }),
    makeTool('broken', {
      execute: () => 'secret',
      finalizeContent() {
        throw new Error('boom');
      },
    }),
  ]);
  expect((await run(tools, 'good')).content).toEqual([
    { type: 'text', text: 'good' },
    { type: 'text', text: 'final' },
  ]);
  expect((await run(tools, 'bad')).content).toEqual([
    { type: 'text', text: 'Error: x' },
    { type: 'text', text: 'final' },
  ]);
  expect(seen).toEqual(['ok', 'TOOL_FAILED']);
  const hidden = await run(tools, 'broken');
  expect(hidden).toMatchObject({ isError: true, code: 'INVALID_TOOL_OUTPUT' });
  expect(JSON.stringify(hidden)).not.toContain('secret');
});

test('content, metadata and contexts of a result are rebuilt; content of an unknown type becomes text', async () => {
  const tools = registryWith([
    makeTool('t', {
      execute: (_args, { deferContext }) => {
        deferContext({ content: [{ type: 'text', text: 'deferred' }] });
        return toolResult({
          value: 1,
          content: [
            { type: 'image', data: 'AAAA', mimeType: 'image/png', extra: 1 } as never,
            { type: 'video', data: 'x' } as never,
          ],
          meta: { took: 3 },
          additionalContexts: [{ content: [{ type: 'text', text: 'own' }] }],
        });
      },
    }),
  ]);
  const { callId, ...outcome } = await run(tools, 't');
  expect(outcome).toMatchObject({
    value: 1,
    meta: { took: 3 },
    content: [
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'text', text: '{ "type": "video", "data": "x" }' },
    ],
    additionalContexts: [
      { content: [{ type: 'text', text: 'own' }], callId },
      { content: [{ type: 'text', text: 'deferred' }], callId },
    ],
  });
  expect(outcome.content[0]).not.toHaveProperty('extra');
});

test('updates stream while a call runs and are dropped afterwards', async () => {
  const updates: unknown[] = [];
  let late: (partial: any) => void = () => {};
  const tools = registryWith([
    makeTool('t', {
      execute(_args, { update }) {
        late = update;
        update({ done: 1 });
        update(new Map() as never);
      },
    }),
  ]);
  await run(tools, 't', {}, { onUpdate: (partial: unknown) => updates.push(partial) });
  late({ done: 2 });
  expect(updates).toEqual([{ done: 1 }]);
  expect(tools.warnings).toEqual([expect.stringMatching(/^an update of t was dropped: update: .*Map/)]);
});

test('an outcome is frozen through and through', async () => {
  const tools = registryWith([makeTool('t', { execute: () => toolResult({ value: { a: [1] }, meta: { m: {} } }) })]);
  const outcome = await run(tools, 't');
  for (const part of [
    outcome,
    outcome.value,
    (outcome.value as any).a,
    outcome.content,
    outcome.content[0],
    outcome.meta,
    outcome.additionalContexts,
  ]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
});

test('a failing observer touches neither the work nor the other observers', async () => {
  const tools = registryWith([makeTool('t')]);
  const told: string[] = [];
  tools.on('tools/result', () => {
    throw new Error('first');
  });
  tools.on('tools/result', () => Promise.reject(new Error('second')) as never);
  tools.on(
    'tools/result',
    () =>
      Object.defineProperty({}, 'then', {
        get: () => {
          throw new Error('third');
        },
      }) as never,
  );
  tools.on('tools/result', ({ name }) => void told.push(name));
  expect(await run(tools, 't')).toMatchObject({ isError: false });
  await settle();
  expect(told).toEqual(['t']);
  expect([...tools.warnings].sort()).toEqual([
    'a listener of tools/result failed: first',
    'a listener of tools/result failed: second',
    'a listener of tools/result failed: third',
  ]);
});
