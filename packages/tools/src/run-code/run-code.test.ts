import { createQuickJsRuntime, type QuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StubTools, stubRuntime } from '../testing/stub-runtime.ts';
import { makeTool, registryWith, run, settle } from '../testing/tools.ts';
import { toolResult } from '../tool-result.ts';
import type { ToolDefinition, ToolRegistryServices } from '../types.ts';

const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };

/** A registry over a stub runtime whose program is the given function. */
function over(
  tools: readonly ToolDefinition[],
  program: (tools: StubTools, request: any) => unknown,
  services: ToolRegistryServices = {},
) {
  const runtime = stubRuntime(program);
  return Object.assign(registryWith(tools, { mode: 'code' }, { runtime: () => runtime, ...services }), { runtime });
}

const runCode = (tools: ReturnType<typeof registryWith>, code = 'return 1', more: object = {}) =>
  run(tools, 'run_code', { code }, more);

describe('what comes back', () => {
  test('is the logs, then the value: a string as it is, anything else as readable JSON', async () => {
    const results: [object, string][] = [
      [{ logs: ['a', 'b'], value: 'text' }, 'a\nb\ntext'],
      [{ value: { n: 1, list: [true, null] } }, '{ "n": 1, "list": [true, null] }'],
      [{ logs: ['only logs'] }, 'only logs'],
      [{ value: null }, 'null'],
      [{}, '(the program ended without output)'],
    ];
    for (const [given, text] of results) {
      const outcome = await runCode(over([makeTool('t')], () => given));
      expect(outcome.content).toEqual([{ type: 'text', text }]);
      expect(outcome).not.toHaveProperty('meta');
    }
    expect((await runCode(over([makeTool('t')], () => ({ logs: ['a'], value: 2 })))).value).toEqual({
      logs: ['a'],
      result: 2,
    });
  });

  test('says which calls did not go well, also where the program went on', async () => {
    const tools = over([makeTool('bad', { execute: () => Promise.reject(new Error('down')) })], async (tools) => {
      await tools['bad']!().catch(() => {});
      return { value: 'went on' };
    });
    expect(await runCode(tools)).toMatchObject({
      isError: false,
      meta: { calls: [{ toolId: 'host:core:bad', status: 'failed', code: 'TOOL_FAILED' }] },
    });
  });

  test('of a failed program is kind, message, line, hint, calls and captured output', async () => {
    const tools = over([makeTool('t')], async (tools) => {
      await tools['t']!();
      return {
        logs: ['row 1'],
        error: { kind: 'timeout', message: 'the program ran too long', line: 3, hint: 'do less' },
      };
    });
    const outcome = await runCode(tools);
    expect(outcome).toMatchObject({ code: 'CODE_RUN_FAILED', hint: 'do less', meta: { kind: 'timeout', line: 3 } });
    expect(outcome.message?.replace(/\d+ ms/, 'n ms')).toBe(
      'code run failed (timeout): the program ran too long (line 3)\nCalls:\n- host:core:t: ok, n ms\nCaptured output:\nrow 1',
    );
  });
});

describe('a runtime that misbehaves is contained, and its calls are ended', () => {
  test.each<[string, () => unknown, string]>([
    [
      'rejects',
      () => Promise.reject(new Error('no threads')),
      'code run failed (internal): the runtime failed: no threads',
    ],
    ['gives logs that are none', () => ({ logs: 'x', value: 1 }), ''],
    ['gives a value that is not JSON', () => ({ value: new Map() }), 'code run failed (invalid-output): '],
    ['gives an error that is none', () => ({ error: 'oops' }), 'code run failed (internal): oops'],
    [
      'gives an error without fields',
      () => ({ error: {} }),
      'code run failed (internal): threw a value without a message',
    ],
  ])('%s', async (_name, given, message) => {
    const outcome = await runCode(over([makeTool('t')], given));
    if (message === '') expect(outcome).toMatchObject({ value: { logs: [], result: 1 } });
    else
      expect(outcome).toMatchObject({
        code: 'CODE_RUN_FAILED',
        message: expect.stringMatching(`^${message.replace(/[()]/g, '\\$&')}`),
      });
  });

  test('gives nothing at all', async () => {
    const runtime = { ...stubRuntime(() => ({})), run: async () => undefined as never };
    const tools = registryWith([makeTool('t')], { mode: 'code' }, { runtime: () => runtime });
    expect(await runCode(tools)).toMatchObject({ message: 'code run failed (internal): the runtime gave no result' });
  });

  test('calls that a program leaves behind are aborted, and what does not listen is recorded as unknown', async () => {
    const aborted: unknown[] = [];
    const tools = over(
      [
        makeTool('listens', {
          concurrency: 'safe',
          execute: (_args, { signal }) =>
            new Promise((_, reject) =>
              signal.addEventListener('abort', () => {
                aborted.push(signal.reason);
                reject(signal.reason);
              }),
            ),
        }),
        makeTool('deaf', { concurrency: 'safe', execute: () => new Promise(() => {}) }),
        makeTool('queued'),
      ],
      async (tools) => {
        for (const name of ['listens', 'deaf', 'queued']) tools[name]!().catch(() => {});
        await settle();
        return { value: 'done' };
      },
    );
    const outcome = await runCode(tools);
    expect(aborted).toEqual(['the program has ended']);
    expect(outcome).toMatchObject({ value: { result: 'done' } });
    expect((outcome.meta as any).calls.map((call: any) => call.status)).toEqual(['failed', 'unknown', 'abandoned']);
  });
});

test('contexts and images of its calls follow the outer result, also where the program fails, and a block replaces them', async () => {
  const picture = makeTool('picture', {
    execute: () => toolResult({ value: 'cat', content: [{ type: 'text', text: 'a cat' }, image] }),
  });
  const tools = over([picture], async (tools) => {
    await tools['picture']!();
    return { error: { kind: 'exception', message: 'late failure' } };
  });
  expect(await runCode(tools)).toMatchObject({
    isError: true,
    additionalContexts: [
      { content: [{ type: 'text', text: 'a cat' }, image], callId: expect.stringMatching(/:code:1$/) },
    ],
  });
  tools.hook('postExecute', ({ tool }) => (tool.name === 'run_code' ? { block: 'no pictures' } : undefined));
  expect(await runCode(tools)).toMatchObject({ message: 'no pictures', additionalContexts: [] });
});

test('policy reads the program before it runs and may rewrite it; a denial leaves the runtime alone', async () => {
  const tools = over([makeTool('t')], (_tools, request) => ({ value: request.program }));
  const seen: unknown[] = [];
  const undo = tools.hook('preExecute', ({ arguments: args, transportInfo, tool }) => {
    seen.push([args, transportInfo, tool.control]);
    return { decision: 'allow', arguments: { code: 'return 2' } };
  });
  expect(await runCode(tools, 'return 1')).toMatchObject({ value: { result: 'return 2' } });
  expect(seen).toEqual([
    [{ code: 'return 1', description: 'Run a program' }, { toolKind: 'run_code', toolInputKind: 'typescript' }, true],
  ]);
  undo();
  tools.hook('guard', () => ({ deny: 'no programs today' }));
  expect(await runCode(tools)).toMatchObject({ code: 'DENIED' });
  expect(tools.runtime.requests).toHaveLength(1);
});

test('calls of a program run under the scope and the client tools of the outer call, ordered and bounded', async () => {
  const scopes: unknown[] = [];
  const tools = over(
    [
      makeTool('t', {
        execute: (_args, { scope, parent, rootCallId }) => void scopes.push([scope, parent, rootCallId]),
      }),
    ],
    async (tools) => {
      await tools['t']!();
      return { value: await tools['open_file']!() };
    },
  );
  const clientTools = { clientId: 'ide', tools: [makeTool('open_file')] };
  const outcome = await tools.execute({
    callId: 'c1',
    name: 'run_code',
    arguments: { code: 'x' },
    scope: { sessionId: 's' },
    clientTools,
  });
  expect(outcome).toMatchObject({ value: { result: 'open_file' } });
  expect(scopes).toEqual([[{ sessionId: 's' }, { callId: 'c1', rootCallId: 'c1' }, 'c1']]);
});

test('an abort of the outer call ends the program', async () => {
  const controller = new AbortController();
  const tools = over([makeTool('t')], async (_tools, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { error: { kind: 'abort', message: 'aborted' } };
  });
  const running = runCode(tools, 'x', { signal: controller.signal });
  await settle();
  controller.abort();
  expect(await running).toMatchObject({ code: 'ABORTED', message: 'code run failed (abort): aborted' });
});

test('its card has the description as title and the program as input; its result has no card of its own', async () => {
  const tools = over([makeTool('t', { title: 'Tea', presentResult: () => ({ title: 'Made' }) })], () => ({ value: 1 }));
  const request = { name: 'run_code', arguments: { code: 'return 1', description: 'Count to one' }, scope: {} };
  expect(tools.callCard(request)).toEqual({
    title: 'Count to one',
    kind: 'execute',
    input: { language: 'typescript', text: 'return 1' },
  });
  const outcome = await tools.execute({ callId: '1', ...request });
  expect(tools.resultCard(request, outcome)).toEqual({ content: [{ type: 'text', text: '1' }] });
  expect(tools.callCard({ name: 't', arguments: { a: 1 }, scope: {} })).toEqual({
    title: 'Tea',
    input: { language: 'json', text: '{ "a": 1 }' },
  });
  expect(tools.resultCard({ name: 't', scope: {} }, outcome)).toMatchObject({ title: 'Made' });
  expect(tools.callCard({ name: 'nobody', arguments: undefined, scope: {} })).toEqual({
    title: 'nobody',
    input: { language: 'json', text: '{}' },
  });
});

test('code is required; a missing description is filled in', async () => {
  const tools = over([makeTool('t')], () => ({}));
  expect(await run(tools, 'run_code', { cod: 'x' })).toMatchObject({
    code: 'INVALID_ARGS',
    message: 'invalid arguments for "run_code": code: is required; cod: unknown key; did you mean "code"?',
  });
  expect((await runCode(tools)).arguments).toEqual({ code: 'return 1', description: 'Run a program' });
});

test('a Python runtime gets the text as it was sent', async () => {
  const runtime = stubRuntime((_tools, request) => ({ value: request.program }), 'python');
  const tools = registryWith([makeTool('t')], { mode: 'code' }, { runtime: () => runtime });
  expect(await runCode(tools, 'print(1)\nreturn 2')).toMatchObject({ value: { result: 'print(1)\nreturn 2' } });
  expect(tools.callCard({ name: 'run_code', arguments: { code: 'x' }, scope: {} })).toMatchObject({
    input: { language: 'python' },
  });
});

describe('over the QuickJS runtime', () => {
  let runtime: QuickJsRuntime;
  beforeAll(async () => {
    runtime = await createQuickJsRuntime();
  });
  afterAll(() => runtime.dispose());

  const real = (tools: readonly ToolDefinition[]) => registryWith(tools, { mode: 'code' }, { runtime: () => runtime });

  test('a TypeScript program calls tools under any name, and only what it returns and prints comes back', async () => {
    const tools = real([
      makeTool('list-cities', { execute: () => ['Oslo', 'Rome'] }),
      makeTool('temperature', {
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        concurrency: 'safe',
        execute: ({ city }) => city.length,
      }),
    ]);
    const outcome = await runCode(
      tools,
      '```ts\nconst cities: string[] = await tools["list-cities"]();\nconst degrees = await Promise.all(cities.map((city) => tools.temperature({ city })));\nconsole.log("asked", cities.length);\nreturn { sum: degrees.reduce((a, b) => a + b, 0) };\n```',
    );
    expect(outcome.value).toEqual({ logs: ['asked 2'], result: { sum: 8 } });
  });

  test('a failed call rejects with ToolCallError in the guest', async () => {
    const tools = real([
      makeTool('pay', { parameters: { type: 'object', properties: { eur: { type: 'number' } }, required: ['eur'] } }),
    ]);
    tools.hook('guard', ({ arguments: args }) =>
      (args as { eur?: number }).eur! > 100 ? { deny: 'too much' } : undefined,
    );
    const outcome = await runCode(
      tools,
      `const seen = [];
       for (const args of [{}, { eur: 500 }]) {
         try { await tools.pay(args); } catch (error) { seen.push([error instanceof ToolCallError, error.name, error.toolName, error.code, error.message]); }
       }
       return seen;`,
    );
    expect((outcome.value as any).result).toEqual([
      [true, 'ToolCallError', 'pay', 'INVALID_ARGS', 'invalid arguments for "pay": eur: is required'],
      [true, 'ToolCallError', 'pay', 'DENIED', 'the call of "pay" was denied: too much'],
    ]);
  });

  test('an uncaught failure fails the program with its line and calls', async () => {
    const tools = real([makeTool('t', { execute: () => Promise.reject(new Error('disk full')) })]);
    const outcome = await runCode(tools, 'console.log("before");\n\nawait tools.t({});');
    expect(outcome).toMatchObject({ code: 'CODE_RUN_FAILED', meta: { kind: 'exception', line: 3 } });
    expect(outcome.message).toContain('ToolCallError: disk full (line 3)');
    expect(outcome.message).toContain('- host:core:t: failed (TOOL_FAILED)');
    expect(outcome.message).toContain('Captured output:\nbefore');
  });

  test('calls that change something keep their order under Promise.all', async () => {
    const log: string[] = [];
    const tools = real([
      makeTool('write', {
        async execute({ n }) {
          log.push(`start ${n}`);
          await settle();
          log.push(`end ${n}`);
        },
      }),
    ]);
    await runCode(tools, 'await Promise.all([1, 2, 3].map((n) => tools.write({ n })));');
    expect(log).toEqual(['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3']);
  });
});
