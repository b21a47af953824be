// A scripted model goes the whole way, over tools of every source and a real server process.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type CodeMode, type CodeModeResult, createCodeMode } from '@codeseam/code-mode';
import type { CodeRuntime } from '@codeseam/code-runtime';
import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import { connectMcpServers, type McpServers } from '@codeseam/mcp-client';
import { createNamespaceRegistry, namespaceTool } from '@codeseam/namespaces';
import { type ClientTools, createToolRegistry, type ToolRegistry, type ToolScope } from '@codeseam/tools';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const EVERYTHING = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);

let runtime: CodeRuntime;
let tools: ToolRegistry;
let servers: McpServers;
let codeMode: CodeMode;
const executed: string[] = [];

beforeAll(async () => {
  runtime = await createQuickJsRuntime({ workers: 1 });
  // A person who takes a moment.
  const approval = {
    request: async () => {
      await sleep(200);
      return { decision: 'allow' as const };
    },
  };
  tools = createToolRegistry({}, { runtime: () => runtime, approval: () => approval });
  const text = { type: 'string' };
  const define = (name: string, description: string, execute: (args: any) => unknown) => ({
    name,
    description,
    parameters: { type: 'object', properties: { text } },
    execute: (args: unknown) => {
      executed.push(name);
      return execute(args);
    },
    replaySafe: true,
  });
  tools.register(define('read_note', 'Reads a note.', () => 'buy milk'));
  tools.register(define('delete_notes', 'Deletes all notes.', () => 'deleted'));
  tools.register(define('publish', 'Publishes a text.', ({ text: published }) => ({ published })));
  tools
    .registrar({ source: 'plugin', owner: 'diary' })
    .register(define('diary_add', 'Adds an entry to the diary.', (entry) => entry));
  tools.hook('preExecute', (call) => {
    if (call.tool.name === 'delete_notes') return { decision: 'deny', reason: 'notes are kept' };
    if (call.tool.name === 'publish') return { decision: 'ask', reason: 'it is for everybody' };
    return undefined;
  });
  servers = connectMcpServers(
    { servers: { everything: { command: process.execPath, args: [EVERYTHING] } } },
    { tools },
  );
  await servers.ready;
  const namespaces = createNamespaceRegistry();
  namespaces.register(
    {
      id: 'diary',
      globalName: 'Diary',
      description: 'The diary.',
      requiredToolNames: ['diary_add'],
      createScope: () => ({ add: namespaceTool('diary_add', ([entry]) => ({ text: entry })) }),
    },
    { owner: 'diary' },
  );
  codeMode = createCodeMode({
    tools,
    runtime,
    namespaces,
    config: {
      timeoutMs: 60_000,
      agents: { crowded: { maxSuspendedRuns: 1 }, forgetful: { snapshotTtlSeconds: 2 } },
    },
  });
}, 60_000);

afterAll(async () => {
  await codeMode.dispose();
  await servers.close();
  await tools.dispose();
  await runtime.dispose();
});

const clientTools: ClientTools = {
  clientId: 'app',
  tools: [
    {
      name: 'show',
      description: 'Shows a text to the person.',
      parameters: { type: 'object' },
      execute: () => 'shown',
    },
  ],
};

/** Plays a model: each step sees the last result and sends the next call, as a model would, by name on the wire. */
async function play(
  scope: ToolScope,
  steps: ((last: CodeModeResult | undefined) => { name: 'exec' | 'wait'; input: object })[],
): Promise<CodeModeResult[]> {
  const results: CodeModeResult[] = [];
  for (const [at, step] of steps.entries()) {
    const { name, input } = step(results.at(-1));
    const outcome = await tools.execute({ callId: `call-${at + 1}`, name, arguments: input, scope, clientTools });
    results.push(outcome.value as never);
  }
  return results;
}

const runIdOf = (result: CodeModeResult | undefined): string => (result?.status === 'waiting' ? result.runId : 'none');

describe('a scripted model', () => {
  test('searches, reads, calls, waits and is done, over host, plugin, MCP and client tools', async () => {
    const presentation = await tools.present(tools.view({ sessionId: 's1' }, { clientTools }));
    expect(presentation.tools.map(({ name }) => name)).toEqual(['exec', 'wait']);
    const [found, declared, published, done] = await play({ sessionId: 's1' }, [
      () => ({
        name: 'exec',
        input: { code: 'return (await tools.search("sum of two numbers")).map((t) => t.callPath ?? t.id)' },
      }),
      () => ({ name: 'exec', input: { code: 'return (await MCP.everything.$api("getSum")).header' } }),
      () => {
        return {
          name: 'exec',
          input: {
            code: `
              const note = await tools.read_note({});
              const sum = await MCP.everything.getSum({ a: 2, b: 40 });
              const denied = await tools.delete_notes({}).catch((e) => e.code);
              await yield_control('published next');
              const [entry, shown] = await Promise.all([Diary.add(note), tools.show({})]);
              const { published } = await tools.publish({ text: sum.content[0].text });
              return { note, denied, entry, shown, published };`,
          },
        };
      },
      (last) => {
        return { name: 'wait', input: { runId: runIdOf(last) } };
      },
    ]);
    expect(found).toMatchObject({ status: 'completed', value: expect.arrayContaining(['MCP.everything.getSum']) });
    expect(declared).toMatchObject({ status: 'completed', value: expect.stringContaining('function getSum') });
    expect(published).toMatchObject({ status: 'waiting', reason: 'yield', telemetry: { callCount: 3 } });
    expect(done).toMatchObject({
      status: 'completed',
      value: {
        note: 'buy milk',
        denied: 'DENIED',
        entry: { text: 'buy milk' },
        shown: 'shown',
        published: expect.stringContaining('42'),
      },
      telemetry: { callCount: 6, waitCount: 1 },
    });
    expect(executed).not.toContain('delete_notes');
    const rows = codeMode.transcript({ sessionId: 's1' });
    expect(rows.map(({ toolId, parentCallId, outcome }) => [toolId, parentCallId, outcome])).toEqual(
      expect.arrayContaining([
        ['host:core:read_note', 'call-3', 'ok'],
        ['mcp:everything:get-sum', 'call-3', 'ok'],
        ['host:core:publish', 'call-4', 'ok'],
        ['plugin:diary:diary_add', 'call-4', 'ok'],
        ['client:app:show', 'call-4', 'ok'],
      ]),
    );
  }, 60_000);

  test('meets abort, another session, expiry and a full store, and leaves nothing behind', async () => {
    const slow = 'MCP.everything.triggerLongRunningOperation({ duration: 30, steps: 3 })';
    // It is suspended with its call under way, however slow the machine is.
    const suspended = `const call = ${slow}; await yield_control(); return await call`;

    const controller = new AbortController();
    const unwatch = tools.on('tools/dispatch-start', () => controller.abort());
    const open = codeMode.exec(
      { code: `return await ${slow}` },
      { scope: { sessionId: 's2' }, callId: 'a', signal: controller.signal },
    );
    expect(await open).toMatchObject({ status: 'failed', code: 'aborted' });
    unwatch();

    const crowded = { agentId: 'crowded', sessionId: 's2' };
    const waiting = await codeMode.exec({ code: suspended }, { scope: crowded, callId: 'b' });
    expect(waiting).toMatchObject({
      status: 'waiting',
      pendingToolCalls: [{ tool: 'mcp:everything:trigger-long-running-operation' }],
    });
    const first = { runId: runIdOf(waiting) };
    expect(await codeMode.wait(first, { scope: { ...crowded, sessionId: 'other' }, callId: 'c' })).toMatchObject({
      code: 'invalid_input',
    });
    expect(await codeMode.exec({ code: suspended }, { scope: crowded, callId: 'd' })).toMatchObject({
      code: 'too_many_suspended_runs',
    });

    const forgetful = { agentId: 'forgetful', sessionId: 's2' };
    const ended = new Promise<string>((resolve) => codeMode.on('code-mode/ended', ({ runId }) => resolve(runId)));
    const second = { runId: runIdOf(await codeMode.exec({ code: suspended }, { scope: forgetful, callId: 'e' })) };
    expect(await ended).toBe(second.runId);
    expect(await codeMode.wait(second, { scope: forgetful, callId: 'f' })).toMatchObject({ code: 'snapshot_expired' });

    await codeMode.endSession({ sessionId: 's2' });
    expect(codeMode.transcript({ sessionId: 's2' })).toEqual([]);
    expect(await codeMode.wait(first, { scope: crowded, callId: 'g' })).toMatchObject({ code: 'invalid_input' });
    expect(await codeMode.wait(second, { scope: forgetful, callId: 'h' })).toMatchObject({ code: 'invalid_input' });
    expect(await codeMode.exec({ code: 'return 1' }, { scope: crowded, callId: 'i' })).toMatchObject({ value: 1 });
  }, 60_000);
});
