// What somebody does in the first hour, over the real packages, runtime and MCP server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mcpServersOf } from '@codeseam/mcp-client/cordis';
import type { NamespaceRegistry } from '@codeseam/namespaces';
import { namespaceTool } from '@codeseam/namespaces';
import type { ToolRegistry } from '@codeseam/tools';
import type { Context } from 'cordis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installedServer, openComposition, ROWS, SCOPE, serversRow } from './open-composition.ts';

test('a program with five dependent awaits over a real MCP server is one exec', async () => {
  const { exec, codeMode } = await openComposition([
    ...ROWS,
    serversRow({ everything: installedServer('everything') }),
  ]);
  const result = await exec(
    `let total = 1;
     for (let step = 0; step < 5; step++) {
       const { content } = await MCP.everything.getSum({ a: total, b: total });
       total = Number(/is (\\d+)/.exec(content[0].text)[1]);
     }
     return total;`,
  );
  expect(result).toMatchObject({
    status: 'completed',
    value: 32,
    telemetry: { callCount: 5, execCount: 1, waitCount: 0 },
  });
  expect(codeMode.transcript(SCOPE).map((row) => row.toolId)).toEqual(Array(5).fill('mcp:everything:get-sum'));
}, 30_000);

test('in mode code the model sees exactly exec and wait, and in native every schema', async () => {
  const rows = [...ROWS, serversRow({ everything: installedServer('everything') })];
  const composition = await openComposition(rows);
  const { loader, ctx } = composition;
  const names = async () => {
    const { tools } = composition;
    return (await tools.present(tools.view(SCOPE))).tools.map((tool) => tool.name);
  };
  expect(await names()).toEqual(['exec', 'wait']);

  await loader.update(rows.map((row) => (row.id === 'tools' ? { ...row, config: { mode: 'native' } } : row)));
  await loader.settled();
  // The servers belong to the old registry; they start again for the new one.
  await Promise.all(mcpServersOf(ctx).map((servers) => servers.ready));
  const native = await names();
  expect(native).toContain('mcp__everything__get-sum');
  expect(native).not.toContain('exec');
}, 60_000);

describe('a program cannot hold the host', () => {
  test('a hot loop ends as timeout while timers of the host fire', async () => {
    const { exec } = await openComposition(
      ROWS.map((row) => (row.id === 'code-mode' ? { ...row, config: { enabled: true, timeoutMs: 500 } } : row)),
    );
    let ticks = 0;
    const timer = setInterval(() => ticks++, 20);
    const result = await exec('while (true) {}');
    clearInterval(timer);
    expect(result).toMatchObject({ status: 'failed', code: 'timeout' });
    expect(ticks).toBeGreaterThan(5);
  });

  test('an allocation bomb ends as memory_limit_exceeded, and the next program is clean', async () => {
    const { exec, value } = await openComposition();
    const result = await exec('const all = []; for (;;) all.push(new Array(10000).fill(7));');
    expect(result).toMatchObject({ status: 'failed', code: 'memory_limit_exceeded' });
    expect(await value('return typeof all')).toBe('undefined');
  });
});

test('process, require, import and fetch reach nothing', async () => {
  const { exec, value } = await openComposition();
  expect(
    await value('return [typeof process, typeof require, typeof fetch, typeof Worker, typeof WebAssembly]'),
  ).toEqual(Array(5).fill('undefined'));
  for (const program of [
    "return require('node:fs')",
    "return await import('node:fs')",
    "import fs from 'node:fs'; return 1",
  ]) {
    expect(await exec(program)).toMatchObject({ status: 'failed', code: 'module_access_denied' });
  }
  const climb = "return (async () => {}).constructor('return typeof process')()";
  expect(await value(climb)).toBe('undefined');
});

test('an error on line 7, after comments and an interface, is reported at line 7', async () => {
  const { exec } = await openComposition();
  const program = [
    '// Adds prices.',
    '/* Two lines',
    '   of comment. */',
    'interface Price { cents: number }',
    'const prices: Price[] = [{ cents: 1 }];',
    '',
    "throw new RangeError('too cheap: ' + prices.length);",
  ].join('\n');
  const result = await exec(program, 'typescript');
  expect(result).toMatchObject({ status: 'failed', code: 'guest_error', line: 7 });
  expect(result.status === 'failed' && result.error).toContain('too cheap: 1');
});

test('a namespace over two tools works, and vanishes with its tools', async () => {
  const { ctx, exec, value, tools } = await openComposition();
  const issues = new Map([[1, 'open']]);
  const plugin = {
    name: 'issues',
    inject: ['tools', 'namespaces'],
    apply(inner: Context) {
      const registry = inner.get('tools') as ToolRegistry;
      const number = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] };
      registry.register({
        name: 'get_issue',
        description: 'The state of an issue.',
        parameters: number,
        execute: async (args: { number: number }) => issues.get(args.number) ?? 'unknown',
      });
      registry.register({
        name: 'close_issue',
        description: 'Closes an issue.',
        parameters: number,
        execute: async (args: { number: number }) => {
          issues.set(args.number, 'closed');
          return true;
        },
      });
      (inner.get('namespaces') as NamespaceRegistry).register({
        id: 'issues',
        globalName: 'Issues',
        description: 'Issues of a project.',
        requiredToolNames: ['get_issue', 'close_issue'],
        createScope: () => ({
          get: namespaceTool('get_issue', ([number]) => ({ number })),
          close: namespaceTool('close_issue', ([number]) => ({ number })),
        }),
      });
    },
  };
  const fiber = await ctx.plugin(plugin);
  expect(await value('await Issues.close(1); return await Issues.get(1)')).toBe('closed');
  const described = async () => (await tools.present(tools.view(SCOPE))).tools[0]?.description ?? '';
  expect(await described()).toContain('Issues');

  await fiber.dispose();
  expect(await exec('return await Issues.get(1)')).toMatchObject({ status: 'failed', code: 'guest_error' });
  expect(await value('return typeof Issues')).toBe('undefined');
});

describe('a bad config names its field', () => {
  test.each([
    ['code-mode', { enabled: true, timeoutMs: 5 }, /timeoutMs.*100.*60[,_]?000/],
    ['code-mode', { enabled: true, timeOutMs: 500 }, /timeOutMs.*timeoutMs/],
    ['tools', { mode: 'cod' }, /mode.*native.*code.*both/],
    ['tools', { maxParallelSubCalls: 0 }, /maxParallelSubCalls/],
    ['runtime', { memoryLimitBytes: 'much' }, /memoryLimitBytes/],
    ['runtime', { wokers: 2 }, /wokers.*workers/],
  ])('row %s with %j', async (id, config, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'codeseam-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { loader } = await openComposition(ROWS.map((row) => (row.id === id ? { ...row, config } : row)));
    const row = loader.rows().find((candidate) => candidate.id === id)!;
    expect(row).toMatchObject({ state: 'failed', error: { code: 'INVALID_CONFIG' } });
    expect(row.error!.message).toMatch(message);
    expect(row.error!.message).toContain(`row ${id}: `);
  });
});

describe('the runtime is one row', () => {
  const swapped = (name: string) => ROWS.map((row) => (row.id === 'runtime' ? { id: 'runtime', name } : row));

  test('swapping it while things run changes where the next program runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'codeseam-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // A small runtime: it answers every program with its text.
    writeFileSync(
      join(folder, 'parrot.mjs'),
      `const ended = { logs: [], output: [], usage: { computeMs: 0, wallMs: 0, calls: 0 } };
       const start = ({ program }) => ({
         result: Promise.resolve({ ...ended, value: program }), state: 'ended', usage: ended.usage,
         onState: () => () => {}, onControl: () => () => {}, pending: () => [], cancel() {}, release() {},
         park: async () => ({ bytes: 0 }), hold: async () => 'ended', freeze: async () => { throw new Error('no') },
       });
       const runtime = { languages: ['typescript', 'javascript'], language: 'typescript', isolation: 'parrot', resumable: false,
         maxLimits: {}, start, run: (request) => start(request).result, dispose: async () => {} };
       export default { name: 'parrot', apply: (ctx) => void ctx.provide('codeRuntime', runtime) };`,
    );
    const { loader, value, exec } = await openComposition();
    expect(await value('return 6 * 7')).toBe(42);
    await loader.update(swapped(join(folder, 'parrot.mjs')));
    await loader.settled();
    expect(await value('return 6 * 7')).toBe('return 6 * 7');
    await loader.update(ROWS.filter((row) => row.id !== 'runtime'));
    await loader.settled();
    expect(await exec('return 6 * 7')).toMatchObject({ status: 'failed', code: 'runtime_unavailable' });
    await loader.update(ROWS);
    await loader.settled();
    expect(await value('return 6 * 7')).toBe(42);
  });

  test('the worker-thread runtime takes the same programs', async () => {
    const { value } = await openComposition(swapped('@codeseam/code-runtime-worker'));
    expect(await value('const n: number = 6; return n * 7', 'typescript')).toBe(42);
  });
});

test('flipping the mode in a running composition changes what the model sees and nothing else', async () => {
  const { ctx, loader } = await openComposition();
  const seen = async () => {
    const registry = ctx.get('tools') as ToolRegistry;
    registry.register({
      name: 'echo',
      description: 'Gives it back.',
      parameters: { type: 'object' },
      execute: async () => 1,
    });
    return (await registry.present(registry.view(SCOPE))).tools.map((tool) => tool.name);
  };
  const withMode = (mode: string) =>
    ROWS.map((row) => (row.id === 'tools' ? { ...row, config: { mode, transport: 'exec' } } : row));
  expect(await seen()).toEqual(['exec', 'wait']);
  for (const [mode, names] of [
    ['native', ['echo']],
    ['both', ['echo', 'exec', 'wait']],
    ['code', ['exec', 'wait']],
  ] as const) {
    await loader.update(withMode(mode));
    await loader.settled();
    expect([...(await seen())].sort()).toEqual(names);
  }
});
