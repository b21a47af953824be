import { createCodeMode } from '@codeseam/code-mode';
import { createQuickJsRuntime, type QuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import { createToolRegistry, defineTool, type ToolsConfig, toolResult } from '@codeseam/tools';
import * as six from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import * as five from 'ai5';
import { MockLanguageModelV2 } from 'ai5/test';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { toToolSet } from './index.ts';

let runtime: QuickJsRuntime;
beforeAll(async () => {
  runtime = await createQuickJsRuntime();
});
afterAll(() => runtime.dispose());

function registry(config: ToolsConfig = { mode: 'native' }) {
  const tools = createToolRegistry(config, { runtime: () => runtime });
  tools.register(
    defineTool({
      name: 'price',
      description: 'The price of one thing.',
      parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
      execute({ item }) {
        if (item === 'gold') throw new Error('not for sale');
        return item.length;
      },
    }),
  );
  tools.register({
    name: 'photo',
    description: 'A photo.',
    parameters: { type: 'object' },
    directOnly: true,
    execute: () =>
      toolResult({
        value: 'cat',
        content: [
          { type: 'text', text: 'a cat' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        ],
      }),
  });
  return tools;
}

type Call = { name: string; input: object };

/** A model that makes the calls of its script, one turn each, and then says `done`. It keeps what it was sent. */
function scripted(turns: Call[][]) {
  const sent: any[] = [];
  const reply = (options: any) => {
    sent.push(options);
    const calls = turns[sent.length - 1] ?? [];
    const content = calls.map(({ name, input }, index) => ({
      type: 'tool-call' as const,
      toolCallId: `call-${sent.length}-${index}`,
      toolName: name,
      input: JSON.stringify(input),
    }));
    return { calls, content: calls.length > 0 ? content : [{ type: 'text' as const, text: 'done' }] };
  };
  const v3 = new MockLanguageModelV3({
    doGenerate: async (options) => {
      const { calls, content } = reply(options);
      return {
        content,
        finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
  const v2 = new MockLanguageModelV2({
    doGenerate: async (options) => {
      const { calls, content } = reply(options);
      return {
        content,
        finishReason: calls.length > 0 ? 'tool-calls' : 'stop',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        warnings: [],
      };
    },
  });
  return {
    v3,
    v2,
    sent,
    results: () =>
      sent
        .flatMap(({ prompt }) => prompt)
        .filter(({ role }: any) => role === 'tool')
        .flatMap(({ content }: any) => content),
  };
}

type PresentedToolSet = Awaited<ReturnType<typeof toToolSet>>;

/** The adapter as it is where this version of the SDK is installed as `ai`, and a real loop of that version. */
const versions = [
  {
    name: 'AI SDK 6',
    image: 'image-data',
    adapter: async () => ({ toToolSet }),
    loop: ({ tools, system, middleware }: PresentedToolSet, script: ReturnType<typeof scripted>) =>
      six.generateText({
        model: six.wrapLanguageModel({ model: script.v3, middleware: middleware as never }),
        tools,
        system,
        prompt: 'go',
        stopWhen: six.stepCountIs(8),
      }),
  },
  {
    name: 'AI SDK 5',
    image: 'media',
    async adapter() {
      vi.resetModules();
      vi.doMock('ai', () => import('ai5'));
      try {
        return await import('./index.ts');
      } finally {
        vi.doUnmock('ai');
      }
    },
    loop: ({ tools, system, middleware }: PresentedToolSet, script: ReturnType<typeof scripted>) =>
      five.generateText({
        model: five.wrapLanguageModel({ model: script.v2, middleware: middleware as never }),
        tools: tools as never,
        system,
        prompt: 'go',
        stopWhen: five.stepCountIs(8) as never,
      }),
  },
];

describe.each(versions)('$name', ({ adapter, loop, image }) => {
  let present: typeof toToolSet;
  beforeAll(async () => {
    present = (await adapter()).toToolSet;
  });

  test('native: schemas go out, calls go through the pipeline, results come back as text, errors as errors', async () => {
    const tools = registry();
    tools.hook('guard', ({ arguments: args }) =>
      (args as { item?: string }).item === 'secret' ? { deny: 'hush' } : undefined,
    );
    const set = await present(tools, { scope: { sessionId: 's' } });
    const script = scripted([
      [
        { name: 'price', input: { item: 'bread' } },
        { name: 'price', input: { item: 'gold' } },
        { name: 'price', input: { itme: 'x' } },
        { name: 'price', input: { item: 'secret' } },
      ],
      [{ name: 'photo', input: {} }],
    ]);
    const { text } = await loop(set, script);
    expect(text).toBe('done');
    expect(script.sent[0].tools.map(({ name, inputSchema }: any) => [name, inputSchema.required])).toEqual([
      ['photo', undefined],
      ['price', ['item']],
    ]);
    const outputs = new Map(script.results().map(({ toolCallId, output }: any) => [toolCallId, output]));
    expect([...outputs.values()]).toEqual([
      { type: 'text', value: '5' },
      { type: 'error-text', value: 'not for sale' },
      { type: 'error-text', value: expect.stringContaining('item: is required') },
      { type: 'error-text', value: 'the call of "price" was denied: hush' },
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a cat' },
          { type: image, data: 'AAAA', mediaType: 'image/png' },
        ],
      },
    ]);
  });

  test('code over run_code: one tool and its instructions, direct-only tools beside it', async () => {
    const tools = registry({ mode: 'code' });
    const set = await present(tools, { scope: {} });
    const script = scripted([[{ name: 'run_code', input: { code: 'return await tools.price({ item: "apple" })' } }]]);
    await loop(set, script);
    expect(script.sent[0].tools.map(({ name }: any) => name)).toEqual(['photo', 'run_code']);
    expect(JSON.stringify(script.sent[0].prompt[0])).toContain('Programs for run_code');
    expect(script.results()[0].output).toEqual({ type: 'text', value: '5' });
  });

  test('code over exec: exec and wait', async () => {
    const tools = registry({ mode: 'code' });
    const codeMode = createCodeMode({ tools, runtime });
    const set = await present(tools, { scope: { sessionId: 's' } });
    const script = scripted([[{ name: 'exec', input: { code: 'return await tools.price({ item: "apple" })' } }]]);
    await loop(set, script);
    expect(script.sent[0].tools.map(({ name }: any) => name)).toEqual(['exec', 'photo', 'wait']);
    expect(script.results()[0].output.value).toContain('completed');
    await codeMode.dispose();
  });

  test('both: schemas and the control tool', async () => {
    const set = await present(registry({ mode: 'both' }), { scope: {} });
    const script = scripted([
      [
        { name: 'price', input: { item: 'tea' } },
        { name: 'run_code', input: { code: 'return 1' } },
      ],
    ]);
    await loop(set, script);
    expect(script.results().map(({ output }: any) => output.value)).toEqual(['3', '1']);
  });

  test('a request with other tools than were presented is not sent', async () => {
    const set = await present(registry(), { scope: {} });
    const script = scripted([]);
    const { price: _, ...fewer } = set.tools;
    await expect(loop({ ...set, tools: fewer }, script)).rejects.toThrow(
      'the request\'s tools are not what was presented: missing "price"',
    );
    const more = { ...set.tools, extra: set.tools['price']! };
    await expect(loop({ ...set, tools: more }, script)).rejects.toThrow('not presented "extra"');
    expect(script.sent).toEqual([]);
  });
});

test('tools of a client, an abort and updates reach the pipeline', async () => {
  const tools = registry();
  const updates: unknown[] = [];
  const clientTools = {
    clientId: 'ide',
    tools: [
      {
        name: 'open_file',
        description: 'Opens a file.',
        parameters: { type: 'object' },
        execute: (_args: unknown, { update, signal }: any) => {
          update({ opened: 1 });
          return signal.aborted ? 'aborted' : 'opened';
        },
      },
    ],
  };
  const set = await toToolSet(tools, {
    scope: {},
    clientTools,
    onUpdate: (callId, partial) => updates.push([callId, partial]),
  });
  const execute = set.tools['open_file']!.execute as any;
  expect(await execute({}, { toolCallId: 'c1', messages: [] })).toEqual({
    value: 'opened',
    content: [{ type: 'text', text: 'opened' }],
  });
  expect(updates).toEqual([['c1', { opened: 1 }]]);
  await expect(execute({}, { toolCallId: 'c2', messages: [], abortSignal: AbortSignal.abort() })).rejects.toMatchObject(
    { code: 'ABORTED_BEFORE_DISPATCH' },
  );
});

test('a provider-hosted tool goes out only where its type is allowed', async () => {
  const hosted = { type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} };
  const send = async (allowTypes: string[]) => {
    const { middleware, presentation } = await toToolSet(registry(), { scope: {}, allowTypes });
    return middleware.transformParams({ params: { tools: [...presentation.tools, hosted] } });
  };
  await expect(send([])).rejects.toThrow('not presented "web_search"');
  expect((await send(['web_search'])).tools).toHaveLength(3);
});

test('no tools, no engagement', async () => {
  const set = await toToolSet(createToolRegistry(), { scope: {} });
  expect(set).toMatchObject({ tools: {}, system: '' });
  expect(await set.middleware.transformParams({ params: { tools: [{ name: 'own' }] } })).toEqual({
    tools: [{ name: 'own' }],
  });
});
