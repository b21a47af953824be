import { PassThrough } from 'node:stream';
import { Context } from 'cordis';
import { describe, expect, test } from 'vitest';
import ToolsService from '../cordis.ts';
import { makeTool, registryWith, run, settle } from '../testing/tools.ts';
import type { ApprovalQuestion, ApprovalService } from '../types.ts';
import accessPlugin, { installAccess } from './access.ts';
import retryPlugin, { installRetry } from './retry.ts';
import spillPlugin, { installSpill } from './spill.ts';
import approvalPlugin, { createTerminalApproval } from './terminal-approval.ts';
import timeoutPlugin, { installTimeout } from './timeout.ts';

const visible = (tools: ReturnType<typeof registryWith>, scope: object = {}) =>
  tools.view({ ...scope }).tools.map((tool) => tool.name);

describe('access rules', () => {
  const setup = (answer: 'allow' | 'deny' = 'allow') => {
    const asked: string[] = [];
    const approval: ApprovalService = {
      async request({ tool, reason }) {
        asked.push(tool.name);
        expect(reason).toBe('a rule of the access policy asks for it');
        return { decision: answer };
      },
    };
    const tools = registryWith(
      ['files.read', 'files.delete', 'files.old.delete', 'mail'].map((name) => makeTool(name)),
      {},
      { approval: () => approval },
    );
    return { tools, asked };
  };

  test('of several owners are combined: the most restrictive wins', () => {
    const { tools } = setup();
    const undo = installAccess(tools, { rules: [{ allow: ['files.*'] }, { deny: ['*.delete'] }] });
    expect(visible(tools)).toEqual(['files.old.delete', 'files.read']);
    installAccess(tools, { rules: [{ allow: ['*'] }, { deny: ['files.old.*'] }] });
    expect(visible(tools)).toEqual(['files.read']);
    undo();
    expect(visible(tools)).toEqual(['files.delete', 'files.read', 'mail']);
  });

  test('hold for the scopes that they name', () => {
    const { tools } = setup();
    installAccess(tools, {
      rules: [
        { when: { agentId: ['intern*', 'guest'] }, deny: ['mail'] },
        { when: { agentId: 'guest' }, allow: [] },
      ],
    });
    expect(visible(tools, { agentId: 'intern-7' })).toEqual(['files.delete', 'files.old.delete', 'files.read']);
    expect(visible(tools, { agentId: 'guest' })).toEqual([]);
    expect(visible(tools)).toHaveLength(4);
  });

  test('ask a person before calls of the tools that they name', async () => {
    const { tools, asked } = setup();
    const undo = installAccess(tools, { rules: [{ ask: ['mail'] }, { deny: ['files.old.*'] }] });
    expect(await run(tools, 'mail')).toMatchObject({ value: 'mail' });
    expect(await run(tools, 'files.read')).toMatchObject({ value: 'files.read' });
    undo();
    await run(tools, 'mail');
    expect(asked).toEqual(['mail']);
    const strict = setup('deny');
    installAccess(strict.tools, { rules: [{ ask: ['*'] }] });
    expect(await run(strict.tools, 'mail')).toMatchObject({ code: 'DENIED' });
  });

  test('of a wrong shape are refused with their place', () => {
    const { tools } = setup();
    expect(() => installAccess(tools, { rules: [{ alow: ['a'] }] } as never)).toThrow(/rules\[0\]\.?.*alow.*allow/);
  });
});

describe('time limits', () => {
  test('end calls that take too long, by the last pattern that matches', async () => {
    const forever = { execute: () => new Promise(() => {}) };
    const tools = registryWith([
      makeTool('slow', forever),
      makeTool('slower', { execute: () => settle().then(() => 'done') }),
    ]);
    const undo = installTimeout(tools, { limits: { '*': 5, slower: 60_000 } });
    expect(await run(tools, 'slow')).toMatchObject({
      code: 'TOOL_TIMEOUT',
      message: 'tool "slow" took longer than 5 ms and was aborted; its effects may have happened',
    });
    expect(await run(tools, 'slower')).toMatchObject({ value: 'done' });
    undo();
  });
});

describe('retries', () => {
  const flaky = (name: string, failures: number, more: object = {}) => {
    let attempts = 0;
    return makeTool(name, {
      execute() {
        attempts++;
        if (attempts <= failures) throw new Error(`failure ${attempts}`);
        return `attempt ${attempts}`;
      },
      ...more,
    });
  };

  test('repeat what failed where a repetition can do no harm, and nothing else', async () => {
    const tools = registryWith([
      flaky('read', 2, { replaySafe: true }),
      flaky('write', 1),
      flaky('listed', 1),
      flaky('hopeless', 9, { replaySafe: true }),
    ]);
    const attempts: string[] = [];
    tools.on('tools/attempt', ({ toolId, attempt }) => void attempts.push(`${toolId} ${attempt}`));
    installRetry(tools, { attempts: 3, backoffMs: 0, tools: ['listed'] });
    expect(await run(tools, 'read')).toMatchObject({ value: 'attempt 3' });
    expect(await run(tools, 'write')).toMatchObject({ code: 'TOOL_FAILED', message: 'failure 1' });
    expect(await run(tools, 'listed')).toMatchObject({ value: 'attempt 2' });
    expect(await run(tools, 'hopeless')).toMatchObject({ message: 'failure 3' });
    expect(attempts).toEqual([
      'host:core:read 1',
      'host:core:read 2',
      'host:core:read 3',
      'host:core:write 1',
      'host:core:listed 1',
      'host:core:listed 2',
      'host:core:hopeless 1',
      'host:core:hopeless 2',
      'host:core:hopeless 3',
    ]);
  });

  test('give each attempt its own time', async () => {
    let attempts = 0;
    const tools = registryWith([
      makeTool('t', { replaySafe: true, execute: () => (++attempts < 2 ? new Promise(() => {}) : 'second') }),
    ]);
    installRetry(tools, { backoffMs: 0 });
    installTimeout(tools, { limits: { '*': 20 } });
    expect(await run(tools, 't')).toMatchObject({ value: 'second' });
  });

  test('end with an abort', async () => {
    const controller = new AbortController();
    const tools = registryWith([flaky('t', 9, { replaySafe: true })]);
    installRetry(tools, { attempts: 5, backoffMs: 60_000 });
    const running = run(tools, 't', {}, { signal: controller.signal });
    await settle();
    controller.abort();
    expect(await running).toMatchObject({ isError: true });
  });
});

describe('spilling', () => {
  test('shows the beginning of an oversized result and lets the same session read on', async () => {
    const text = Array.from({ length: 300 }, (_, line) => `line ${line} ☂`).join('\n');
    const tools = registryWith([makeTool('log', { execute: () => text }), makeTool('short')]);
    const undo = installSpill(tools, { maxBytes: 1_000 });
    const scope = { sessionId: 's' };
    const shown = await run(tools, 'log', {}, { scope });
    expect(shown.value).toBe(text);
    const first = (shown.content[0] as { text: string }).text;
    const [, ref, offset] = /read on with read_result\(\{ "ref": "([^"]+)", "offset": (\d+) \}\)\)$/.exec(first)!;
    expect(first.startsWith('line 0 ☂\nline 1 ☂')).toBe(true);
    let whole = text.slice(0, Number(offset));
    expect(first.startsWith(whole)).toBe(true);
    for (let at = Number(offset); at < text.length; ) {
      const { value } = await run(tools, 'read_result', { ref, offset: at, limit: 500 }, { scope });
      const [part] = (value as string).split('\n… (go on at offset');
      whole += part;
      at += part!.length;
    }
    expect(whole).toBe(text);
    expect(await run(tools, 'read_result', { ref }, { scope: { sessionId: 'other' } })).toMatchObject({
      code: 'TOOL_FAILED',
    });
    expect((await run(tools, 'short', {}, { scope })).content).toEqual([{ type: 'text', text: 'short' }]);
    undo();
    expect((await run(tools, 'log', {}, { scope })).content).toEqual([{ type: 'text', text }]);
  });

  test('leaves what a program calls alone, and forgets the oldest', async () => {
    const tools = registryWith([makeTool('log', { execute: () => 'x'.repeat(2_000) })]);
    installSpill(tools, { maxBytes: 1_000, keepBytes: 3_000 });
    const inner = await run(tools, 'log', {}, { parent: { callId: 'p', rootCallId: 'p' } });
    expect(inner.content).toEqual([{ type: 'text', text: 'x'.repeat(2_000) }]);
    const refs = [];
    for (let n = 0; n < 2; n++)
      refs.push(/"ref": "([^"]+)"/.exec(JSON.stringify((await run(tools, 'log')).content).replaceAll('\\"', '"'))![1]);
    expect(await run(tools, 'read_result', { ref: refs[0] })).toMatchObject({
      message: expect.stringContaining('the oldest results go first'),
    });
    expect(await run(tools, 'read_result', { ref: refs[1] })).toMatchObject({ isError: false });
  });
});

describe('approval at a terminal', () => {
  const terminal = (isTTY = true) => {
    const input = Object.assign(new PassThrough(), { isTTY });
    const output = Object.assign(new PassThrough(), { isTTY });
    let shown = '';
    output.on('data', (chunk) => {
      shown += chunk;
    });
    return { input, output, shown: () => shown, service: createTerminalApproval({ input, output }) };
  };
  const question = (args: object = { path: '/tmp/x' }, reason?: string): ApprovalQuestion => ({
    callId: '1',
    rootCallId: '1',
    tool: registryWith([makeTool('wipe')])
      .view({})
      .find('wipe')!,
    arguments: args as never,
    ...(reason === undefined ? {} : { reason }),
    scope: {},
  });
  const { signal } = new AbortController();

  test('y and yes allow, anything else and the end of the input deny', async () => {
    const { input, service, shown } = terminal();
    for (const [line, decision] of [
      ['y', 'allow'],
      [' YES ', 'allow'],
      ['', 'deny'],
      ['yep', 'deny'],
      ['n', 'deny'],
    ] as const) {
      const asked = service.request(question(), signal);
      await settle();
      input.write(`${line}\n`);
      expect((await asked).decision).toBe(decision);
    }
    expect(shown()).toContain('Approval needed: host:core:wipe\n  with: { "path": "/tmp/x" }\nRun it? [y/N] ');
    const last = service.request(question({}, 'it is dangerous'), signal);
    await settle();
    expect(shown()).toContain('  why: it is dangerous');
    input.end();
    expect(await last).toEqual({ decision: 'deny', reason: 'the terminal was closed' });
  });

  test('asks one question at a time, and an abort takes its question back', async () => {
    const { input, service, shown } = terminal();
    const controller = new AbortController();
    const first = service.request(question({ n: 1 }), controller.signal);
    const second = service.request(question({ n: 2 }), signal);
    await settle();
    expect(shown()).not.toContain('"n": 2');
    controller.abort();
    expect(await first).toEqual({ decision: 'deny', reason: 'the call was aborted' });
    await settle();
    expect(shown()).toContain('"n": 2');
    input.write('y\n');
    expect((await second).decision).toBe('allow');
    expect(await service.request(question(), controller.signal)).toMatchObject({ decision: 'deny' });
  });

  test('without a terminal it denies and says why', async () => {
    const { service, shown } = terminal(false);
    expect(await service.request(question(), signal)).toEqual({
      decision: 'deny',
      reason: 'there is no terminal to ask on',
    });
    expect(shown()).toBe('');
  });

  test('arguments can neither repaint the question nor flood the screen', async () => {
    const { input, service, shown } = terminal();
    const asked = service.request(question({ evil: '\u001b[2J\u001b[H\r harmless', long: 'x'.repeat(10_000) }), signal);
    await settle();
    input.write('n\n');
    await asked;
    for (const control of ['\u001b', '\r']) expect(shown()).not.toContain(control);
    expect(shown().length).toBeLessThan(5_000);
  });
});

test('each is a cordis plugin of its own, undone with its fiber', async () => {
  const root = new Context();
  await root.plugin(ToolsService, { mode: 'native' } as never);
  root.tools.register(makeTool('a'));
  const mounted = [
    await root.plugin(accessPlugin as never, { rules: [{ deny: ['a'] }] } as never),
    await root.plugin(timeoutPlugin as never, { limits: { '*': 1_000 } } as never),
    await root.plugin(retryPlugin as never, {} as never),
    await root.plugin(spillPlugin as never, { maxBytes: 512 } as never),
    await root.plugin(approvalPlugin as never, {} as never),
  ];
  expect(root.tools.view({}).tools.map((tool) => tool.id)).toEqual(['plugin:@codeseam/tools/spill:read_result']);
  expect(root.get('approval')).toBeDefined();
  for (const fiber of mounted) await fiber.dispose();
  expect(root.tools.view({}).tools.map((tool) => tool.id)).toEqual(['host:core:a']);
  expect(root.get('approval')).toBeUndefined();
  await expect((async () => await root.plugin(retryPlugin as never, { attempts: 99 } as never))()).rejects.toThrow(
    /attempts/,
  );
});
