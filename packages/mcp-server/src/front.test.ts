import { expect, test } from 'vitest';
import { deferred, httpClient, stdioClient, surface, textOf, tool, until } from './fixtures/harness.ts';

const add = tool('add', ({ a, b }) => a + b, {
  parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  output: { schema: { type: 'number' } },
});

async function overBoth(options: Parameters<typeof surface>[0]) {
  const made = await surface(options);
  const { url } = await made.front.serveHttp({ port: 0 });
  const { client: stdio } = await stdioClient(made.front);
  return { ...made, url, clients: { stdio, http: await httpClient(url) } };
}

test.each(['stdio', 'http'] as const)('over %s a client sees exec and wait, and a program runs', async (kind) => {
  const { clients } = await overBoth({ tools: [add] });
  const client = clients[kind];
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['exec', 'wait']);
  expect(client.getInstructions()).toContain('run it with `exec`');
  const result = await client.callTool({ name: 'exec', arguments: { code: 'return await tools.add({ a: 1, b: 2 })' } });
  expect(result.isError).toBeUndefined();
  expect(result.structuredContent).toMatchObject({ status: 'completed', value: 3, telemetry: { callCount: 1 } });
  expect(textOf(result)).toContain('3');
});

test('a program that fails is an error of the call, with code and hint', async () => {
  const { clients } = await overBoth({ tools: [add] });
  const result = await clients.http.callTool({ name: 'exec', arguments: { code: 'throw new Error("no luck")' } });
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toMatchObject({
    status: 'failed',
    code: 'guest_error',
    error: expect.stringContaining('no luck'),
  });
  expect(textOf(result)).toContain('no luck');
});

test('a program that waits is gone on with by wait, in its own session only', async () => {
  const slow = deferred<string>();
  const { clients, url } = await overBoth({ tools: [tool('slow', () => slow.promise)] });
  const waiting = await clients.http.callTool({
    name: 'exec',
    arguments: { code: 'const slow = tools.slow(); await yield_control(); return await slow' },
  });
  expect(waiting.structuredContent).toMatchObject({ status: 'waiting', runId: expect.any(String) });
  expect(waiting.isError).toBeUndefined();
  const { runId } = waiting.structuredContent as { runId: string };
  slow.resolve('done');
  const other = await httpClient(url);
  const foreign = await other.callTool({ name: 'wait', arguments: { runId } });
  expect(foreign).toMatchObject({ isError: true, structuredContent: { status: 'failed', code: 'invalid_input' } });
  const done = await clients.http.callTool({ name: 'wait', arguments: { runId } });
  expect(done.structuredContent).toMatchObject({ status: 'completed', value: 'done' });
});

test('a tool that is not shown is refused, with what to do instead', async () => {
  const { clients } = await overBoth({ tools: [add] });
  const result = await clients.stdio.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('exec');
});

test('in mode native every tool is shown and called by itself, values as structured content', async () => {
  const place = tool('place', () => ({ city: 'Oslo' }), {
    title: 'Place',
    output: { schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
    annotations: { readOnlyHint: true },
  });
  const broken = tool('broken', () => {
    throw new Error('it broke');
  });
  const { front } = await surface({ tools: [add, place, broken], registry: { mode: 'native' }, codeMode: false });
  const { client } = await stdioClient(front);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['add', 'broken', 'place']);
  expect(tools[2]).toMatchObject({
    title: 'Place',
    outputSchema: { required: ['city'] },
    annotations: { readOnlyHint: true },
  });
  expect(client.getInstructions()).toBeUndefined();
  const placed = await client.callTool({ name: 'place' });
  expect(placed).toMatchObject({ structuredContent: { city: 'Oslo' } });
  // A number cannot be structured content by itself before 2026: the list and the result wrap it alike.
  expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
    structuredContent: { result: 3 },
  });
  expect(await client.callTool({ name: 'broken' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('it broke') }],
  });
});

test('direct-only tools stand beside exec, with their images', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
  const look = tool('look', () => ({ seen: true }), {
    directOnly: true,
    finalizeContent: () => [{ type: 'image', data: png, mimeType: 'image/png' }],
  });
  const { clients } = await overBoth({ tools: [look, add] });
  expect((await clients.http.listTools()).tools.map(({ name }) => name)).toEqual(['exec', 'look', 'wait']);
  const result = await clients.http.callTool({ name: 'look' });
  expect(result.content).toEqual([{ type: 'image', data: png, mimeType: 'image/png' }]);
});

test.each(['stdio', 'http'] as const)(
  'over %s the client is told when what it is shown has changed, and only then',
  async (kind) => {
    const { tools, clients } = await overBoth({ tools: [add] });
    const client = clients[kind];
    tools.restrict({ deny: ['unseen'] });
    let told = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      told += 1;
    });
    await client.listTools();
    const off = tools.register(tool('more', () => 1));
    await until(
      () => told,
      (times) => times === 1,
    );
    expect((await client.listTools()).tools[0]?.description).toContain('more');
    off();
    await until(
      () => told,
      (times) => times === 2,
    );
    tools.register(tool('unseen', () => 1));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(told).toBe(2);
  },
);

test('the first list waits a moment for upstream servers, so that it is not empty', async () => {
  const ready = deferred<void>();
  const { tools, front } = await surface({ front: { ready: ready.promise, listWaitMs: 5_000 } });
  const { client } = await stdioClient(front);
  const list = client.listTools();
  await new Promise((resolve) => setTimeout(resolve, 50));
  tools.register(add);
  ready.resolve();
  expect((await list).tools.map(({ name }) => name)).toEqual(['exec', 'wait']);
});

test('a call that comes before any list waits for upstream servers as the list does', async () => {
  const ready = deferred<void>();
  const { tools, front } = await surface({ front: { ready: ready.promise, listWaitMs: 5_000 } });
  const { client } = await stdioClient(front);
  const call = client.callTool({ name: 'exec', arguments: { code: 'return await tools.add({ a: 1, b: 2 })' } });
  await new Promise((resolve) => setTimeout(resolve, 50));
  tools.register(add);
  ready.resolve();
  expect(await call).toMatchObject({ structuredContent: { status: 'completed', value: 3 } });
});

test('without a tool there is nothing to show', async () => {
  const { front } = await surface();
  const { client } = await stdioClient(front);
  expect((await client.listTools()).tools).toEqual([]);
});

test('progress is told while a program runs, to who has asked for it', async () => {
  const gate = deferred<void>();
  const step = tool('step', async () => {
    await gate.promise;
    return 1;
  });
  const { clients } = await overBoth({ tools: [step] });
  for (const client of Object.values(clients)) {
    const messages: string[] = [];
    const running = client.callTool(
      { name: 'exec', arguments: { code: 'return await tools.step()' } },
      { onprogress: ({ message }) => messages.push(message ?? '') },
    );
    await until(
      () => messages,
      (seen) => seen.includes('calling step'),
    );
    gate.resolve();
    expect((await running).structuredContent).toMatchObject({ status: 'completed' });
  }
});

test('cancelling a call ends its program and the calls of that', async () => {
  const { clients, signals } = await withHanging();
  for (const client of Object.values(clients)) {
    const controller = new AbortController();
    const running = client.callTool(
      { name: 'exec', arguments: { code: 'return await tools.hang()' } },
      { signal: controller.signal },
    );
    await until(
      () => signals.length,
      (length) => length > 0,
    );
    controller.abort('enough');
    await expect(running).rejects.toThrow();
    const signal = signals.pop()!;
    await until(() => signal.aborted, Boolean);
  }
});

async function withHanging() {
  const signals: AbortSignal[] = [];
  const hang = tool('hang', (_args, { signal }) => {
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  return { ...(await overBoth({ tools: [hang, add], codeMode: { timeoutMs: 10_000 } })), signals };
}

test.each(['stdio', 'http'] as const)('over %s two programs run at once', async (kind) => {
  const { clients } = await overBoth({ tools: [add] });
  const exec = (code: string) => clients[kind].callTool({ name: 'exec', arguments: { code } });
  const [one, two] = await Promise.all([
    exec('return await tools.add({ a: 1, b: 1 })'),
    exec('return await tools.add({ a: 2, b: 2 })'),
  ]);
  expect([one, two].map((result) => (result.structuredContent as { value: number }).value)).toEqual([2, 4]);
});

test('the end of a session ends its runs', async () => {
  const { clients, signals } = await withHanging();
  const waiting = clients.http.callTool({
    name: 'exec',
    arguments: { code: 'await yield_control(); return await tools.hang()' },
  });
  const { runId } = (await waiting).structuredContent as { runId: string };
  void clients.http.callTool({ name: 'wait', arguments: { runId } }).catch(() => {});
  await until(
    () => signals.length,
    (length) => length === 1,
  );
  await (clients.http.transport as any).terminateSession();
  await until(() => signals[0]!.aborted, Boolean);
});

test('a client that goes away over stdio ends the session', async () => {
  const { front, signals } = await withHanging();
  const { client, served } = await stdioClient(front);
  void client.callTool({ name: 'exec', arguments: { code: 'return await tools.hang()' } }).catch(() => {});
  await until(
    () => signals.length,
    (length) => length === 1,
  );
  await client.close();
  await served.closed;
  await until(() => signals[0]!.aborted, Boolean);
});

test('a client of revision 2026-07-28 is served over both transports', async () => {
  const { front } = await surface({ tools: [add] });
  const { url } = await front.serveHttp({ port: 0 });
  const options = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const clients = [await httpClient(url, options), (await stdioClient(front, options)).client];
  for (const client of clients) {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['exec', 'wait']);
    const yielded = await client.callTool({
      name: 'exec',
      arguments: { code: 'await yield_control(); return await tools.add({ a: 1, b: 2 })' },
    });
    const { runId } = yielded.structuredContent as { runId: string };
    const done = await client.callTool({ name: 'wait', arguments: { runId } });
    expect(done.structuredContent).toMatchObject({ status: 'completed', value: 3 });
  }
});
