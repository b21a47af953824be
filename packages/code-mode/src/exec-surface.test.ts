import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createHarness, deferred, readTool, tool } from './testing/harness.ts';
import type { CodeModeResult } from './types.ts';

const runIdOf = (result: CodeModeResult) => (result.status === 'waiting' ? result.runId : '');

describe('what is sent', () => {
  test.each<[unknown, string, string]>([
    [undefined, 'invalid_input', '`code` is missing'],
    [{}, 'invalid_input', '`code` is missing'],
    [{ code: 5 }, 'invalid_input', '`code` must be a string, not a number'],
    [{ code: ['return 1'] }, 'invalid_input', '`code` must be a string, not an array'],
    [{ code: ' \n' }, 'invalid_input', '`code` is empty'],
    [{ code: 'return 1', command: 'return 2' }, 'invalid_input', '`command` is another name for `code`'],
    [{ code: 'return 1', restartSafe: 'yes' }, 'invalid_input', '`restartSafe` must be true or false, not a string'],
    [{ code: 'return 1', language: 'python' }, 'unsupported_language', '`language` "python" is not available here'],
    [
      { code: 'return 1', language: { type: 'javascript' } },
      'unsupported_language',
      '`language` an object is not available',
    ],
    [{ code: '```python\nprint(1)\n```' }, 'unsupported_language', 'exec runs JavaScript, not python'],
    [{ code: 'npm install lodash' }, 'invalid_input', 'is a shell command, and exec runs JavaScript'],
  ])('%j is answered with what to do', async (input, code, error) => {
    const { codeMode, callOptions } = await createHarness();
    const result = await codeMode.exec(input as never, callOptions());
    expect(result).toMatchObject({ status: 'failed', code, error: expect.stringContaining(error), calls: [] });
  });

  test('command is accepted in place of code, and both where they are equal', async () => {
    const { codeMode, callOptions } = await createHarness();
    expect(await codeMode.exec({ command: 'return 1' } as never, callOptions())).toMatchObject({ value: 1 });
    expect(await codeMode.exec({ code: 'return 2', command: 'return 2' } as never, callOptions())).toMatchObject({
      value: 2,
    });
  });

  test('TypeScript is recognised, and one language alone can be asked for', async () => {
    const typed = 'interface P { n: number }\nconst p: P = { n: 4 };\nreturn p.n as number';
    const both = await createHarness();
    expect(await both.exec(typed)).toMatchObject({ value: 4 });
    const js = await createHarness({ config: { languages: ['javascript'] } });
    const refused = await js.exec(typed);
    expect(refused).toMatchObject({ status: 'failed', code: 'syntax_error', line: 1 });
    expect(await js.codeMode.exec({ code: 'return 1', language: 'typescript' }, js.callOptions())).toMatchObject({
      code: 'unsupported_language',
    });
    const announced = await both.codeMode.exec({ code: typed, language: 'javascript' }, both.callOptions());
    expect(announced.status === 'failed' && announced.hint).toMatch(/set the language to typescript/);
  });
});

describe('policy', () => {
  test('sees the program before it runs, with its kind, and may refuse it', async () => {
    const { exec, tools, codeMode, callOptions } = await createHarness();
    const seen: unknown[] = [];
    tools.hook('preExecute', (call) => {
      seen.push([call.tool.name, call.transportInfo, (call.arguments as { code: string }).code]);
      return String((call.arguments as { code: string }).code).includes('evil')
        ? { decision: 'deny', reason: 'no evil' }
        : undefined;
    });
    expect(await exec('return "evil"')).toMatchObject({
      status: 'failed',
      code: 'denied',
      error: expect.stringContaining('no evil'),
    });
    await codeMode.exec({ code: 'return 1', language: 'typescript' }, callOptions());
    expect(seen).toEqual([
      ['exec', { toolKind: 'code_mode_exec', toolInputKind: 'javascript' }, 'return "evil"'],
      ['exec', { toolKind: 'code_mode_exec', toolInputKind: 'typescript' }, 'return 1'],
    ]);
  });

  test.each([
    ['code', { code: 'return 2' }],
    ['its alias', { code: 'return 1', command: 'return 2' }],
  ])('may rewrite %s, and the rewritten program runs', async (_what, rewritten) => {
    const { exec, tools } = await createHarness();
    tools.hook('preExecute', () => ({ decision: 'allow', arguments: rewritten }));
    expect(await exec('return 1')).toMatchObject({ status: 'completed', value: 2 });
  });

  test('and approvals hold for nested calls as for direct ones', async () => {
    const { exec, tools } = await createHarness({
      tools: [tool('delete_all', () => 'deleted'), tool('list', () => 'listed')],
    });
    tools.hook('preExecute', (call) =>
      call.tool.name === 'delete_all' ? { decision: 'deny', reason: 'never' } : undefined,
    );
    tools.hook('postExecute', (call) => (call.tool.name === 'list' ? { value: 'changed' } : undefined));
    expect(await exec('return [await tools.list({}), await tools.delete_all({}).catch((e) => e.code)]')).toMatchObject({
      value: ['changed', 'DENIED'],
    });
  });

  test('denied tools are nowhere, also not by a guessed id', async () => {
    const { exec, tools, codeMode } = await createHarness({
      tools: [tool('secret', () => 'x'), tool('open', () => 'y')],
    });
    tools.restrict({ deny: ['secret'] });
    const result = await exec(`
      const found = await tools.search('secret');
      return [ALL_TOOLS.map((t) => t.name), found.map((t) => t.name), 'secret' in tools, Object.keys(tools).includes('secret'),
        await tools.callValue('host:core:secret', {}).catch((e) => e.message), await tools.describe('secret').catch((e) => e.message)]`);
    expect(result).toMatchObject({
      value: [
        ['open'],
        [],
        false,
        false,
        expect.stringContaining('there is no tool "host:core:secret"'),
        expect.stringContaining('there is no tool'),
      ],
    });
    expect(JSON.stringify(await codeMode.inspect({}))).not.toContain('secret');
  });
});

describe('what the model is shown', () => {
  const names = async (harness: Awaited<ReturnType<typeof createHarness>>, scope = {}) =>
    (await harness.tools.present(harness.tools.view(scope))).tools.map(({ name }) => name);

  test.each<[object, object | undefined, string[] | RegExp]>([
    // registry config, code mode config (undefined: not mounted), what is presented
    [{}, {}, ['exec', 'photo', 'wait']],
    [{ transport: 'exec' }, {}, ['exec', 'photo', 'wait']],
    [{ mode: 'native' }, {}, ['photo', 't']],
    [{ mode: 'native', transport: 'exec' }, {}, ['photo', 't']],
    [{ mode: 'code' }, {}, ['exec', 'photo', 'wait']],
    [{ mode: 'both' }, {}, ['exec', 'photo', 't', 'wait']],
    [{ mode: 'code', transport: 'exec' }, {}, ['exec', 'photo', 'wait']],
    [{ mode: 'both', transport: 'exec' }, {}, ['exec', 'photo', 't', 'wait']],
    [{ mode: 'code', transport: 'run_code' }, {}, ['photo', 'run_code']],
    [{ mode: 'both', transport: 'run_code' }, {}, ['photo', 'run_code', 't']],
    [{ transport: 'run_code' }, {}, ['photo', 't']],
    [{}, undefined, ['photo', 't']],
    [{ mode: 'code' }, undefined, ['photo', 'run_code']],
    [{ mode: 'code', transport: 'exec' }, undefined, /transport "exec" needs code mode/],
  ])('registry %j with code mode %j presents %j', async (registry, config, presented) => {
    const harness = await createHarness({
      registry,
      tools: [
        tool('t', () => 1),
        tool('photo', () => 1, { directOnly: true }),
        tool('tool_search', () => 1, { control: true }),
      ],
    });
    if (config === undefined) await harness.codeMode.dispose();
    if (presented instanceof RegExp) await expect(names(harness)).rejects.toThrow(presented);
    else expect(await names(harness)).toEqual(presented);
  });

  test('inspect says that code mode is idle where the registry is native', async () => {
    const { codeMode } = await createHarness({ registry: { mode: 'native' } });
    expect((await codeMode.inspect({})).problem).toBe('code mode is idle: the registry presents tools natively');
  });

  test('a view without tools, with disableTools or an empty allow list engages nothing, and exec called directly runs all the same', async () => {
    const harness = await createHarness({ tools: [tool('t', () => 1)] });
    harness.tools.restrict({ allow: [], when: ({ agentId }) => agentId === 'none' });
    expect(await names(harness, { disableTools: true })).toEqual([]);
    expect(await names(harness, { agentId: 'none' })).toEqual([]);
    expect(await harness.exec('return ALL_TOOLS.length', { scope: { agentId: 'none' } })).toMatchObject({ value: 0 });
  });

  test('a host tool that is called exec is an ordinary entry; code mode’s own are not', async () => {
    const { exec, tools } = await createHarness({
      tools: [tool('exec', ({ command }) => `ran ${command}`), tool('t', () => 1)],
    });
    expect(
      await exec(
        'return [await tools.exec({ command: "ls" }), await tools.callValue("host:core:exec", { command: "pwd" }), ALL_TOOLS.map((t) => t.name)]',
      ),
    ).toMatchObject({
      value: ['ran ls', 'ran pwd', ['exec', 't']],
    });
    expect(await exec('return await tools.callValue("wait", { runId: "x" })')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('there is no tool "wait"'),
    });
    const both = await tools.present(tools.view({}));
    expect(both.tools.map(({ name }) => name)).toEqual(['exec', 'wait']);
  });

  test('a direct call of a hidden tool says how a program calls it', async () => {
    const { tools } = await createHarness({
      tools: [
        tool('add', () => 1, {
          parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
        }),
      ],
    });
    const outcome = await tools.execute({ callId: '1', name: 'add', arguments: { a: 1 }, scope: {} });
    expect(outcome).toMatchObject({ isError: true, code: 'UNKNOWN_TOOL' });
    expect(`${outcome.message} ${outcome.hint}`).toContain(
      JSON.stringify('return await tools.callValue("host:core:add", {"a":1})'),
    );
  });

  test('discovery controls are hidden on both sides', async () => {
    const { exec } = await createHarness({
      tools: [tool('tool_search', () => 1, { control: true }), tool('t', () => 1)],
    });
    expect(
      await exec(
        'return [ALL_TOOLS.length, (await tools.search("tool_search")).map((t) => t.name), "tool_search" in tools]',
      ),
    ).toMatchObject({ value: [1, [], false] });
  });

  test('agents have their own settings', async () => {
    const { exec } = await createHarness({
      tools: [tool('slow', () => deferred().promise)],
      config: { timeoutMs: 60_000, agents: { hasty: { timeoutMs: 300 } } },
    });
    expect(await exec('await tools.slow({})', { scope: { agentId: 'hasty' } })).toMatchObject({ status: 'waiting' });
  });

  test('the same tools give the same text, whatever the order of registration', async () => {
    const first = await createHarness({ tools: [tool('b', () => 1), tool('a', () => 1)] });
    const second = await createHarness({ tools: [tool('a', () => 1), tool('b', () => 1)] });
    const text = async ({ tools }: typeof first) => JSON.stringify((await tools.present(tools.view({}))).tools);
    expect(await text(first)).toBe(await text(second));
  });
});

describe('restartSafe', () => {
  const readOnly = { replaySafe: true };

  test('suspends at the first wait with a tool call pending, and its results say that it may be replayed', async () => {
    const { codeMode, callOptions, wait } = await createHarness({ tools: [tool('read', () => 'text', readOnly)] });
    const first = await codeMode.exec(
      {
        code: 'await tools.search("read"); const a = await tools.read({}); const b = await tools.read({}); return a + b',
        restartSafe: true,
      },
      callOptions(),
    );
    expect(first).toMatchObject({ status: 'waiting', replaySafe: true, telemetry: { searchCount: 1, callCount: 1 } });
    expect(await wait(runIdOf(first))).toMatchObject({ status: 'completed', value: 'texttext', replaySafe: true });
  });

  test('a program without tool calls completes at once', async () => {
    const { codeMode, callOptions } = await createHarness();
    expect(
      await codeMode.exec({ code: 'return (await tools.search("x")).length', restartSafe: true }, callOptions()),
    ).toMatchObject({ status: 'completed', value: 0, replaySafe: true });
  });

  test('a call of a tool that is not read-only, or of a client, fails the run before it is made', async () => {
    let made = 0;
    const { codeMode, callOptions } = await createHarness({ tools: [tool('write', () => ++made)] });
    for (const name of ['write', 'mine']) {
      const result = await codeMode.exec(
        { code: `try { await tools.${name}({}) } catch {} return 'caught'`, restartSafe: true },
        callOptions({ clientTools: { clientId: 'c', tools: [tool('mine', () => ++made, readOnly)] } }),
      );
      expect(result).toMatchObject({ status: 'failed', code: 'denied', error: expect.stringContaining(name) });
    }
    expect(made).toBe(0);
  });

  test('a recorded program is replayed under the same restriction', async () => {
    const { codeMode, callOptions } = await createHarness({ tools: [tool('write', () => 1)] });
    expect(await codeMode.replay({ code: 'return 5' }, callOptions())).toMatchObject({
      status: 'completed',
      value: 5,
      replaySafe: true,
    });
    expect(await codeMode.replay({ code: 'await tools.write({})' }, callOptions())).toMatchObject({ code: 'denied' });
  });
});

describe('the transcript', () => {
  test('has each nested call under its parent; after a wait that call is the parent and numbering goes on', async () => {
    const gate = deferred();
    const { execUntilCall, wait, codeMode, tools } = await createHarness({
      tools: [readTool('quick', () => 1), readTool('gate', () => gate.promise)],
    });
    const events: unknown[] = [];
    tools.on(
      'tools/dispatch',
      ({ callId, parentCallId, toolId, isError }) => void events.push([callId, parentCallId, toolId, isError]),
    );
    const { runId } = await execUntilCall(
      'await tools.quick({}); await tools.gate({}); await tools.quick({}); return 1',
    );
    gate.resolve(1);
    await wait(runId);
    const expected = [
      ['call-1:code:1', 'call-1', 'host:core:quick', false],
      ['call-2:code:2', 'call-2', 'host:core:gate', false],
      ['call-2:code:3', 'call-2', 'host:core:quick', false],
    ];
    expect(events).toEqual(expected);
    const rows = expected.map(([callId, parentCallId, toolId]) => ({
      callId,
      parentCallId,
      toolId,
      outcome: 'ok',
      ms: expect.any(Number),
    }));
    expect(codeMode.transcript(runId)).toEqual(rows);
    expect(codeMode.transcript({ sessionId: 'session-1' })).toEqual(rows);
    expect(codeMode.transcript({ sessionId: 'other' })).toEqual([]);
    await codeMode.endSession({ sessionId: 'session-1' });
    expect(codeMode.transcript(runId)).toEqual([]);
  });

  test('is serialisable: results survive a store and load unchanged', async () => {
    const { exec } = await createHarness({
      tools: [
        tool('fails', () => {
          throw new Error('no');
        }),
      ],
    });
    for (const code of ['return { a: [1, null] }', 'await tools.fails({})', 'await yield_control()']) {
      const result = await exec(code);
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    }
  });
});

describe('images and contexts of nested calls', () => {
  test('come beside the outer result in the order of dispatch, also when the program waits or fails', async () => {
    const picture = (name: string) => ({ type: 'image' as const, data: 'aGk=', mimeType: `image/${name}` });
    const { tools } = await createHarness({
      tools: [
        tool('draw', ({ name }, { deferContext }) => {
          deferContext({ content: [picture(name)] });
          return name;
        }),
      ],
    });
    const run = (code: string) => tools.execute({ callId: 'c1', name: 'exec', arguments: { code }, scope: {} });
    const kinds = (outcome: Awaited<ReturnType<typeof run>>) =>
      outcome.additionalContexts.map(({ content }) => (content[0] as { mimeType: string }).mimeType);
    expect(kinds(await run('await tools.draw({ name: "a" }); await tools.draw({ name: "b" }); return 1'))).toEqual([
      'image/a',
      'image/b',
    ]);
    expect(kinds(await run('await tools.draw({ name: "a" }); throw new Error("x")'))).toEqual(['image/a']);
    expect(kinds(await run('await tools.draw({ name: "a" }); await yield_control()'))).toEqual(['image/a']);
  });
});

describe('streaming', () => {
  test('updates of nested calls and output go to the call that is open', async () => {
    const { exec } = await createHarness({
      tools: [
        tool('work', (_, { update }) => {
          update({ done: 1 });
          return 1;
        }),
      ],
    });
    const seen: unknown[] = [];
    await exec('text("hi"); await tools.work({})', { onUpdate: (update) => void seen.push(update) });
    expect(seen).toEqual([{ output: { type: 'text', text: 'hi' } }, { callId: 'call-1:code:1', update: { done: 1 } }]);
  });

  test('while nobody waits they are dropped, and those that come later go to the wait', async () => {
    const gate = deferred();
    const { execUntilCall, wait } = await createHarness({
      tools: [
        readTool('work', async (_, { update }) => {
          await gate.promise;
          update({ done: 2 });
        }),
      ],
    });
    const first: unknown[] = [];
    const second: unknown[] = [];
    const { runId } = await execUntilCall('await tools.work({}); text("after")', {
      onUpdate: (it) => void first.push(it),
    });
    const open = wait(runId, { onUpdate: (it) => void second.push(it) });
    await sleep(100);
    gate.resolve(1);
    await open;
    expect(first).toEqual([]);
    expect(second).toEqual([
      { callId: 'call-1:code:1', update: { done: 2 } },
      { output: { type: 'text', text: 'after' } },
    ]);
  });
});
