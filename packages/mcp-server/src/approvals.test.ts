import type { ElicitRequest } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { httpClient, stdioClient, surface, textOf, tool, until } from './fixtures/harness.ts';

/** A surface on which `drop` asks before each call, directly or from a program. */
async function asking(options: Parameters<typeof surface>[0] = {}) {
  const dropped: unknown[] = [];
  const drop = tool('drop', (args) => {
    dropped.push(args);
    return 'dropped';
  });
  const made = await surface({ tools: [drop], codeMode: { timeoutMs: 60_000 }, ...options });
  made.tools.hook('preExecute', (call) =>
    call.tool.name === 'drop' ? { decision: 'ask', reason: 'it drops things' } : undefined,
  );
  const { url } = await made.front.serveHttp({ port: 0 });
  return { ...made, url, dropped };
}

const DROP = { name: 'exec', arguments: { code: 'return await tools.drop({ table: "users" })' } };

test.each(['stdio', 'http'] as const)('over %s the client is asked, and its answer decides the call', async (kind) => {
  const { front, url, dropped } = await asking();
  const questions: ElicitRequest['params'][] = [];
  const answers = [
    { action: 'accept', content: { allow: true } },
    { action: 'accept', content: { allow: false } },
    { action: 'decline' },
  ] as const;
  const options = { capabilities: { elicitation: {} } };
  const prepare = (made: import('@modelcontextprotocol/client').Client) =>
    made.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params);
      return answers[questions.length - 1]! as never;
    });
  const client =
    kind === 'http' ? await httpClient(url, options, prepare) : (await stdioClient(front, options, prepare)).client;
  expect((await client.callTool(DROP)).structuredContent).toMatchObject({ status: 'completed', value: 'dropped' });
  expect(questions[0]?.message).toContain('host:core:drop');
  expect(questions[0]?.message).toContain('"table": "users"');
  expect(questions[0]?.message).toContain('it drops things');
  for (const _ of ['not allowed', 'declined']) {
    expect(await client.callTool(DROP)).toMatchObject({
      isError: true,
      structuredContent: { status: 'failed', code: 'nested_tool_failed' },
    });
  }
  expect(dropped).toEqual([{ table: 'users' }]);
});

test('a run whose client cannot be asked waits and says so, until the host decides', async () => {
  const { front, url, dropped } = await asking({ codeMode: { timeoutMs: 300 } });
  const client = await httpClient(url);
  const waiting = await client.callTool(DROP);
  expect(waiting.structuredContent).toMatchObject({
    status: 'waiting',
    pendingToolCalls: [{ tool: 'host:core:drop', approval: 'pending' }],
  });
  expect(textOf(waiting)).toMatch(/approval/i);
  const [pending] = front.approvals.pending();
  expect(pending).toMatchObject({ tool: 'host:core:drop', arguments: { table: 'users' }, reason: 'it drops things' });
  expect(dropped).toEqual([]);
  expect(front.approvals.decide(pending!.callId, 'allow')).toBe(true);
  expect(front.approvals.decide(pending!.callId, 'allow')).toBe(false);
  const { runId } = waiting.structuredContent as { runId: string };
  const done = await until(
    async () => (await client.callTool({ name: 'wait', arguments: { runId } })).structuredContent as { status: string },
    ({ status }) => status !== 'waiting',
  );
  expect(done).toMatchObject({ status: 'completed', value: 'dropped' });
});

test('where nobody else decides, a program whose client cannot be asked is told so at once', async () => {
  const { front, url, dropped } = await asking({ front: { unaskable: 'deny' } });
  const client = await httpClient(url);
  const denied = await client.callTool(DROP);
  expect(denied).toMatchObject({ isError: true, structuredContent: { status: 'failed', code: 'nested_tool_failed' } });
  expect(textOf(denied)).toContain('this client cannot show the question (it lacks elicitation)');
  expect(front.approvals.pending()).toEqual([]);
  expect(dropped).toEqual([]);
});

test('a direct call that nobody can be asked about is denied with the reason', async () => {
  const { url, dropped } = await asking({ registry: { mode: 'native' } });
  const client = await httpClient(url);
  const result = await client.callTool({ name: 'drop', arguments: {} });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('elicitation');
  expect(dropped).toEqual([]);
});

test('a question ends with the session that was asked', async () => {
  const { front, url } = await asking({ codeMode: { timeoutMs: 300 } });
  const client = await httpClient(url);
  await client.callTool(DROP);
  expect(front.approvals.pending()).toHaveLength(1);
  await (client.transport as unknown as { terminateSession(): Promise<void> }).terminateSession();
  await until(
    () => front.approvals.pending().length,
    (length) => length === 0,
  );
});
