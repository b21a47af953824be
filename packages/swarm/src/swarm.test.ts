import { createCodeMode } from '@codeseam/code-mode';
import codeModePlugin from '@codeseam/code-mode/cordis';
import type { CodeRuntime } from '@codeseam/code-runtime';
import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import { createToolRegistry } from '@codeseam/tools';
import Tools from '@codeseam/tools/cordis';
import { Context } from 'cordis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import swarmPlugin from './cordis.ts';
import { type AgentRequest, type AgentsService, createSwarm, type SwarmConfig } from './index.ts';

let runtime: CodeRuntime;
beforeAll(async () => {
  runtime = await createQuickJsRuntime({ workers: 1 });
});
afterAll(() => runtime.dispose());

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Agents of this process: each works on its prompt with the tools of the registry, at most so many at once. */
class InProcessAgents implements AgentsService {
  readonly seen: AgentRequest[] = [];
  running = 0;
  most = 0;
  constructor(readonly work: (request: AgentRequest, signal: AbortSignal) => Promise<string>) {}

  async run(request: AgentRequest, signal: AbortSignal) {
    this.seen.push(request);
    this.most = Math.max(this.most, ++this.running);
    const runId = `agent-${this.seen.length}`;
    try {
      const text = await this.work(request, signal);
      return {
        status: 'completed' as const,
        runId,
        text,
        ...(request.schema ? { value: JSON.parse(text) as never } : {}),
      };
    } catch (error) {
      return {
        status: signal.aborted ? ('aborted' as const) : ('failed' as const),
        runId,
        error: (error as Error).message,
      };
    } finally {
      this.running--;
    }
  }
}

function harness(work: (request: AgentRequest, signal: AbortSignal) => Promise<string>, config?: SwarmConfig) {
  const tools = createToolRegistry({}, { runtime: () => runtime });
  tools.register({
    name: 'double',
    description: 'Doubles.',
    parameters: { type: 'object' },
    execute: ({ n }) => n * 2,
  });
  const codeMode = createCodeMode({ tools, runtime, config: { timeoutMs: 60_000 } });
  const agents = new InProcessAgents(work);
  const undo = createSwarm({ codeMode, agents, ...(config ? { config } : {}) });
  closing.push(async () => {
    await codeMode.dispose();
    await tools.dispose();
  });
  let calls = 0;
  const scope = { sessionId: 's', agentRunId: 'r' };
  const exec = (code: string) => codeMode.exec({ code }, { scope, callId: `call-${++calls}` });
  return { tools, codeMode, agents, undo, exec, scope };
}

describe('agents.run', () => {
  test('gives the text of a subagent that works with the same tools', async () => {
    const made = harness(async ({ prompt, callId }) => {
      const code = `return await tools.double({ n: ${Number(prompt)} })`;
      const { value } = await made.tools.execute({
        callId,
        name: 'exec',
        arguments: { code },
        scope: { agentId: 'sub' },
      });
      return String((value as { value: unknown }).value);
    });
    expect(
      await made.exec('return await agents.run("21", { label: "doubling", agentId: "worker", model: "small" })'),
    ).toMatchObject({ status: 'completed', value: '42' });
    expect(made.agents.seen).toMatchObject([
      {
        prompt: '21',
        label: 'doubling',
        agentId: 'worker',
        model: 'small',
        callId: 'r:1:call-1',
        scope: { sessionId: 's' },
      },
    ]);
  });

  test('gives a value where a schema is given', async () => {
    const { exec } = harness(async () => '{"n": 7}');
    expect(await exec('return (await agents.run("x", { schema: { type: "object" } })).n')).toMatchObject({ value: 7 });
  });

  test('rejects with run id and status of an agent that failed, and can be caught', async () => {
    const { exec } = harness(async () => {
      throw new Error('out of ideas');
    });
    expect(
      await exec(
        'try { await agents.run("x") } catch (e) { return [e.name, e.message, e.runId, e.status, e instanceof SwarmAgentError] }',
      ),
    ).toMatchObject({
      value: ['SwarmAgentError', 'out of ideas', 'agent-1', 'failed', true],
    });
    expect(await exec('await agents.run("x")')).toMatchObject({
      status: 'failed',
      code: 'guest_error',
      error: 'SwarmAgentError: out of ideas',
    });
  });

  test.each([
    ['agents.run()', 'takes a prompt'],
    ['agents.run("x", { modle: "a" })', 'no option "modle"'],
    ['agents.run("x", { label: 5 })', 'label of agents.run must be a text'],
  ])('%s says what is wrong', async (call, problem) => {
    const { exec, agents } = harness(async () => 'never');
    expect(await exec(`return await ${call}`)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(problem),
    });
    expect(agents.seen).toEqual([]);
  });

  test('phases and logs are notes, and a phase goes with its agents', async () => {
    const { exec, agents } = harness(async ({ phase }) => phase ?? 'none');
    expect(
      await exec(
        'const a = await agents.run("1"); phase("Research"); log("two questions"); return [a, await agents.run("2"), await agents.run("3", { phase: "Own" })]',
      ),
    ).toMatchObject({
      value: ['none', 'Research', 'Own'],
      output: [
        { type: 'note', text: 'phase: Research' },
        { type: 'note', text: 'two questions' },
      ],
    });
    expect(agents.seen).toHaveLength(3);
  });

  test('at most so many run at once, in a phase and in a program', async () => {
    const { exec, agents } = harness(
      async () => {
        await new Promise((done) => setTimeout(done, 5));
        return 'ok';
      },
      { maxAtOnce: 3, maxPerPhase: 6, maxPerRun: 8 },
    );
    expect(
      await exec('return (await Promise.all(Array.from({ length: 6 }, (_, i) => agents.run("a" + i)))).length'),
    ).toMatchObject({ value: 6 });
    expect(agents.most).toBe(3);
    const many =
      'const all = await Promise.allSettled(Array.from({ length: 7 }, () => agents.run("a"))); phase("next"); const more = await Promise.allSettled(Array.from({ length: 3 }, () => agents.run("b")));';
    expect(
      await exec(
        `${many} return [...all, ...more].filter((r) => r.status === 'rejected').map((r) => r.reason.message)`,
      ),
    ).toMatchObject({
      value: ['a phase may start 6 agents; begin the next one with phase("title")', 'a program may start 8 agents'],
    });
  });

  test('a program that is suspended while an agent works is given its answer once', async () => {
    let finish = (_: string) => {};
    const { exec, codeMode, agents, scope } = harness(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const first = await exec('const answer = agents.run("slow"); await yield_control("look"); return await answer');
    expect(first).toMatchObject({ status: 'waiting', reason: 'yield' });
    finish('at last');
    const runId = first.status === 'waiting' ? first.runId : '';
    expect(await codeMode.wait({ runId }, { scope, callId: 'w' })).toMatchObject({
      status: 'completed',
      value: 'at last',
    });
    expect(agents.seen).toHaveLength(1);
  });

  test('the end of a program aborts its agents', async () => {
    const { exec, codeMode, scope, agents } = harness(
      (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    );
    const first = await exec('const answer = agents.run("slow"); await yield_control(); return await answer');
    expect(first.status).toBe('waiting');
    await codeMode.endSession(scope);
    await expect.poll(() => agents.running).toBe(0);
  });
});

test('the globals are there only while both are on', async () => {
  const { exec, undo } = harness(async () => 'x');
  expect(await exec('return [typeof agents, typeof phase, typeof log, typeof SwarmAgentError]')).toMatchObject({
    value: ['object', 'function', 'function', 'function'],
  });
  undo();
  expect(await exec('return [typeof agents, typeof phase, typeof log]')).toMatchObject({
    value: ['undefined', 'undefined', 'undefined'],
  });
});

test('in cordis it is off without enabled: true, and ends with its plugin', async () => {
  const root = new Context();
  await root.plugin(Tools, {});
  root.provide('codeRuntime', runtime);
  root.provide('agents', new InProcessAgents(async () => 'done'));
  await root.plugin(codeModePlugin as never, { enabled: true, timeoutMs: 60_000 } as never);
  const type = async () =>
    (await root.codeMode.exec({ code: 'return typeof agents' }, { scope: {}, callId: 'c' })) as { value?: unknown };
  await root.plugin(swarmPlugin as never, {} as never);
  expect((await type()).value).toBe('undefined');
  const fiber = await root.plugin(swarmPlugin as never, { enabled: true } as never);
  expect((await type()).value).toBe('object');
  await (fiber as { dispose(): Promise<void> }).dispose();
  expect((await type()).value).toBe('undefined');
  await root.fiber.dispose();
});
