// Golden files: the texts that models get. Regenerate with `vitest run -u` and read the difference.
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { stubRuntime } from '../testing/stub-runtime.ts';
import { makeTool, registryWith } from '../testing/tools.ts';
import { toolResult } from '../tool-result.ts';
import type { ToolDefinition } from '../types.ts';

const golden = (name: string) => `../fixtures/goldens/${name}`;

const sample: ToolDefinition[] = [
  makeTool('forecast', {
    description: 'The weather of the coming days. */ alert(1) /*\nSecond line with {{city}} and `ticks`.',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Name of the city.' },
        days: { type: 'integer', default: 3, minimum: 1 },
        units: { enum: ['c', 'f'] },
      },
      required: ['city'],
      additionalProperties: false,
    },
    output: {
      schema: {
        type: 'object',
        properties: { days: { type: 'array', items: { $ref: '#/$defs/Day' } } },
        required: ['days'],
        additionalProperties: false,
        $defs: {
          Day: {
            type: 'object',
            properties: { high: { type: 'number' }, low: { type: ['number', 'null'] } },
            required: ['high', 'low'],
            additionalProperties: false,
          },
        },
      },
    },
  }),
  makeTool('class', { description: 'A name that is a keyword.' }),
  makeTool('open-door', {
    description: '',
    parameters: { type: 'object', properties: { 'how wide': { type: 'number' } } },
  }),
  makeTool('screenshot', { directOnly: true }),
];

function presented(language: 'typescript' | 'python') {
  const tools = registryWith(sample, { mode: 'code' }, { runtime: () => stubRuntime(() => ({}), language) });
  const mcp = tools.registrar({ source: 'mcp', owner: 'tree' });
  mcp.register(
    makeTool('walk', {
      description: 'Walks a tree.',
      parameters: {
        type: 'object',
        properties: { root: { $ref: '#/$defs/Node' } },
        required: ['root'],
        $defs: {
          Node: {
            type: 'object',
            properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
            required: ['name'],
          },
        },
      },
    }),
  );
  mcp.register(makeTool('$resources.read', { hidden: true, description: 'Reads a resource.' }));
  return tools.present(tools.view({}));
}

const textOf = async (language: 'typescript' | 'python') =>
  (await presented(language)).sections.map((section) => `<!-- ${section.id} -->\n\n${section.render()}\n`).join('\n');

test('the TypeScript sections', async () => {
  await expect(await textOf('typescript')).toMatchFileSnapshot(golden('sdk-typescript.md'));
});

test('the Python sections', async () => {
  await expect(await textOf('python')).toMatchFileSnapshot(golden('sdk-python.md'));
});

test('the tool list', async () => {
  const { tools } = await presented('typescript');
  await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot(golden('tool-list.json'));
});

test('dispatch events and deferred contexts of one program', async () => {
  const told: unknown[] = [];
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
  const runtime = stubRuntime(async (tools) => {
    await Promise.all([tools['picture']!({}), tools['forecast']!({ city: 'Oslo' })]);
    await tools['forecast']!({ days: 0 }).catch(() => {});
    return { value: 'done' };
  });
  const tools = registryWith(
    [
      makeTool('picture', {
        execute: () => toolResult({ value: 'cat', content: [{ type: 'text', text: 'a cat' }, image] }),
      }),
      {
        ...sample[0]!,
        execute: () =>
          toolResult({
            value: { days: [] },
            additionalContexts: [{ content: [{ type: 'text', text: 'No data for Oslo.' }] }],
          }),
      },
    ],
    { mode: 'code' },
    { runtime: () => runtime },
  );
  tools.on('tools/dispatch-start', ({ startedAt: _, ...event }) => void told.push(['dispatch-start', event]));
  tools.on('tools/dispatch', ({ startedAt: _, durationMs: __, ...event }) => void told.push(['dispatch', event]));
  const outcome = await tools.execute({
    callId: 'call-1',
    name: 'run_code',
    arguments: { code: '…' },
    scope: { sessionId: 's' },
  });
  told.push(['additionalContexts', outcome.additionalContexts]);
  await expect(`${JSON.stringify(told, null, 2)}\n`).toMatchFileSnapshot(golden('dispatch-events.json'));
});

describe('the TypeScript declarations', () => {
  const declarations = async () =>
    /```ts\n([\s\S]*?)\n```/.exec((await textOf('typescript')).replace(/````+ts/, '```ts'))![1]!;

  function problems(program: string): string[] {
    const host = ts.createCompilerHost({});
    const { getSourceFile } = host;
    host.getSourceFile = (name, ...rest) =>
      name === 'program.ts'
        ? ts.createSourceFile(name, program, ts.ScriptTarget.ES2022)
        : getSourceFile.call(host, name, ...rest);
    const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts'], types: [] };
    return ts
      .getPreEmitDiagnostics(ts.createProgram(['program.ts'], options, host))
      .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '));
  }

  test('compile under strict, take right calls and refuse wrong ones', async () => {
    const good = `
      async function run() {
        const { days } = await tools.forecast({ city: 'Oslo' });
        const high: number = days[0]!.high;
        await tools.class();
        await tools['open-door']({ 'how wide': 2 });
        await tools.mcp__tree__walk({ root: { name: 'a', children: [{ name: 'b' }] } });
        try {} catch (error) { if (error instanceof ToolCallError) return [error.toolName, error.code, high]; }
      }`;
    const bad = `
      void tools.forecast();
      void tools.forecast({ city: 1 });
      void tools.forecast({ city: 'Oslo', units: 'k' });
      void tools.screenshot({});
      void tools.mcp__tree__walk({ root: { children: [] } });`;
    const sdk = await declarations();
    expect(problems(`${sdk}\n${good}`)).toEqual([]);
    expect(problems(`${sdk}\n${bad}`)).toHaveLength(5);
  });
});
