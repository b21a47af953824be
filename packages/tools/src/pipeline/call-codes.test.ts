// Every code of the pipeline, with the sentence that a model reads.
import { expect, test } from 'vitest';
import { ToolCallError } from '../errors.ts';
import { gate, makeTool, registryWith, run } from '../testing/tools.ts';
import { toolResult } from '../tool-result.ts';
import { TOOL_ERROR_CODES, type ToolErrorCode } from '../types.ts';

const seen = new Set<ToolErrorCode>();

async function failure(outcome: ReturnType<typeof run>) {
  const { isError, code, message, hint, content, value } = await outcome;
  expect(isError).toBe(true);
  expect(value).toBeUndefined();
  seen.add(code!);
  expect(content).toEqual([{ type: 'text', text: `Error: ${message}${hint === undefined ? '' : `\n${hint}`}` }]);
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

test('UNKNOWN_TOOL suggests up to three near names, or none', async () => {
  const tools = registryWith(
    ['get_sites', 'get_site', 'list_site', 'list_pages', 'delete'].map((name) => makeTool(name)),
  );
  expect(await failure(run(tools, 'list_sites'))).toEqual({
    code: 'UNKNOWN_TOOL',
    message: 'unknown tool "list_sites"; did you mean "list_site", "get_sites", "list_pages"?',
  });
  expect((await failure(run(tools, 'quux'))).message).toBe('unknown tool "quux"');
});

test('UNKNOWN_TOOL of a tool that the mode does not show gives the call inside a program', async () => {
  const runtime = { language: 'typescript' } as never;
  const tools = registryWith([makeTool('read-file')], { mode: 'code' }, { runtime: () => runtime });
  expect(await failure(run(tools, 'read-file'))).toEqual({
    code: 'UNKNOWN_TOOL',
    message:
      '"read-file" is not called directly here; call it inside a program: run_code({ "code": "return await tools[\\"read-file\\"]({})" })',
  });
});

test('the call inside a program has the arguments that were sent, unless they are long or none', async () => {
  const tools = registryWith(
    [makeTool('a')],
    { mode: 'code' },
    { runtime: () => ({ language: 'typescript' }) as never },
  );
  const told = async (args: unknown) =>
    (await failure(tools.execute({ name: 'a', arguments: args, callId: 'c', scope: {} }))).message?.replace(
      /.*tools/,
      '',
    );
  expect(await told({ n: 1, s: 'x' })).toBe('.a({\\"n\\":1,\\"s\\":\\"x\\"})" })');
  expect(await told({ s: 'x'.repeat(501) })).toBe('.a({ /* the same arguments */ })" })');
  for (const none of [undefined, null, [1], 'x', { f: () => 1 }]) expect(await told(none)).toBe('.a({})" })');
});

test('INVALID_ARGS lists every violation with its path', async () => {
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'array', items: { type: 'integer' } } },
    required: ['city'],
  };
  const tools = registryWith([makeTool('forecast', { parameters })]);
  expect(await failure(run(tools, 'forecast', { ciyt: 'Oslo', days: [1, 'two'] }))).toEqual({
    code: 'INVALID_ARGS',
    message: 'invalid arguments for "forecast": city: is required; days[1]: expected integer, found string',
    hint: '"ciyt" is not a known key; did you mean "city"?',
  });
});

test('INVALID_ARGS names what is not JSON, or not an object', async () => {
  const tools = registryWith([makeTool('t')]);
  const message = async (args: unknown) => (await failure(run(tools, 't', args))).message;
  expect(await message({ rows: [{ when: new Date() }] })).toMatch(
    /^invalid arguments for "t": arguments\.rows\[0\]\.when: .*Date/,
  );
  expect(await message('{"a":1}')).toBe(
    'invalid arguments for "t": expected one object, found a string; parse JSON text first',
  );
  expect(await message([1])).toBe('invalid arguments for "t": expected one object, found an array');
});

test('INVALID_TOOL_OUTPUT says where, that effects may have happened, and not the value', async () => {
  const output = { schema: { type: 'object', properties: { id: { type: 'integer', maximum: 9 } }, required: ['id'] } };
  const tools = registryWith([
    makeTool('save', { output, execute: () => ({ id: 4711 }) }),
    makeTool('date', { execute: () => [new Date(0)] }),
  ]);
  expect(await failure(run(tools, 'save'))).toEqual({
    code: 'INVALID_TOOL_OUTPUT',
    message:
      'tool "save" ran, but its result is not what it declares: id: must be at most 9. Its effects may have happened',
    hint: 'look at the state before calling it again',
  });
  expect((await failure(run(tools, 'date'))).message).toMatch(
    /^tool "date" ran, but its result is not what it declares: value\[0\]: .*Date.*\. Its effects may have happened$/,
  );
});

test('UNSUPPORTED_SCHEMA says that a schema could not be applied, and for a result that effects may have happened', async () => {
  const tree = { type: 'object', properties: { child: { $ref: '#' } } };
  const deep = () => {
    let value: object = {};
    for (let depth = 0; depth < 9_000; depth++) value = { child: value };
    return value;
  };
  const tools = registryWith([
    makeTool('in', { parameters: tree }),
    makeTool('out', { output: { schema: tree }, execute: deep }),
  ]);
  expect(await failure(run(tools, 'in', deep()))).toEqual({
    code: 'UNSUPPORTED_SCHEMA',
    message:
      'the arguments of tool "in" could not be checked against its schema: the value is nested too deeply for it',
  });
  expect((await failure(run(tools, 'out'))).message).toBe(
    'the result of tool "out" could not be checked against its schema: the value is nested too deeply for it. Its effects may have happened',
  );
});

test('DENIED gives the reason of a hook, a guard or a person, and a policy that fails denies', async () => {
  const tools = registryWith(
    [makeTool('t')],
    {},
    {
      approval: () => ({ request: async () => ({ decision: 'deny', reason: 'not on Fridays' }) }),
    },
  );
  const message = async () => (await failure(run(tools, 't'))).message;
  const cases: [() => () => void, string][] = [
    [
      () => tools.hook('preExecute', () => ({ decision: 'deny', reason: 'read-only session' })),
      'the call of "t" was denied: read-only session',
    ],
    [
      () => tools.hook('guard', () => ({ deny: 'outside the folder' })),
      'the call of "t" was denied: outside the folder',
    ],
    [() => tools.hook('preExecute', () => ({ decision: 'ask' })), 'the call of "t" was denied: not on Fridays'],
    [
      () => tools.hook('preExecute', () => Promise.reject(new Error('no database'))),
      'the call of "t" was denied: a preExecute hook failed: no database',
    ],
    [
      () => tools.hook('preExecute', () => ({ decision: 'permit' }) as never),
      'the call of "t" was denied: a preExecute hook failed: its decision is none of allow, deny, ask',
    ],
    [
      () => tools.hook('guard', () => Promise.resolve() as never),
      'the call of "t" was denied: a guard hook failed: guards are synchronous, and this one gave a promise',
    ],
    [() => tools.hook('postExecute', () => ({ block: 'secrets inside' })), 'secrets inside'],
    [
      () => tools.hook('postExecute', () => Promise.reject(new Error('scanner down'))),
      'tool "t" ran, but its result is withheld: a postExecute hook failed: scanner down',
    ],
  ];
  for (const [install, expected] of cases) {
    const undo = install();
    expect(await message()).toBe(expected);
    undo();
  }
  expect((await run(tools, 't')).isError).toBe(false);
});

test('APPROVAL_REQUIRED says that there is nobody to ask', async () => {
  const tools = registryWith([makeTool('pay')]);
  tools.hook('preExecute', () => ({ decision: 'ask', reason: 'it costs money' }));
  expect(await failure(run(tools, 'pay'))).toEqual({
    code: 'APPROVAL_REQUIRED',
    message: 'the call of "pay" needs an approval: it costs money, and there is nobody to ask',
    hint: 'mount an approval service, or let the policy allow the tool',
  });
});

test('TOOL_TIMEOUT aborts the body, and gives up on one that does not listen', async () => {
  const reasons: unknown[] = [];
  const tools = registryWith([
    makeTool('listens', {
      timeoutMs: 5,
      execute: (_args, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(new Error('stopped'));
          }),
        ),
    }),
    makeTool('deaf', { timeoutMs: 5, execute: () => new Promise(() => {}) }),
  ]);
  const sentence = (name: string) =>
    `tool "${name}" took longer than 5 ms and was aborted; its effects may have happened`;
  expect(await failure(run(tools, 'listens'))).toEqual({ code: 'TOOL_TIMEOUT', message: sentence('listens') });
  expect(reasons).toHaveLength(1);
  expect(await failure(run(tools, 'deaf'))).toEqual({ code: 'TOOL_TIMEOUT', message: sentence('deaf') });
});

test('ABORTED_BEFORE_DISPATCH and ABORTED tell whether the body was reached', async () => {
  const bodies: string[] = [];
  const held = gate();
  const tools = registryWith([
    makeTool('t', {
      async execute() {
        bodies.push('ran');
        await held.promise;
        return 'done';
      },
    }),
  ]);
  const signal = AbortSignal.abort('the user pressed stop');
  expect(await failure(run(tools, 't', {}, { signal }))).toEqual({
    code: 'ABORTED_BEFORE_DISPATCH',
    message: 'the call of "t" was aborted before it started: the user pressed stop',
  });
  expect(bodies).toEqual([]);
  const controller = new AbortController();
  const running = run(tools, 't', {}, { signal: controller.signal });
  while (bodies.length === 0) await new Promise(setImmediate);
  controller.abort();
  held.resolve();
  expect(await failure(running)).toEqual({
    code: 'ABORTED',
    message: 'the call of "t" was aborted while it ran; its effects may have happened',
  });
});

test('an abort awaits the body and replaces only a success', async () => {
  const tools = registryWith([
    makeTool('fails', {
      execute: (_args, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('disk full')))),
    }),
    makeTool('aborts', {
      execute: (_args, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }),
  ]);
  const abortedCall = async (name: string) => {
    const controller = new AbortController();
    const running = run(tools, name, {}, { signal: controller.signal });
    await new Promise(setImmediate);
    controller.abort();
    return failure(running);
  };
  expect(await abortedCall('fails')).toEqual({ code: 'TOOL_FAILED', message: 'disk full' });
  expect((await abortedCall('aborts')).code).toBe('ABORTED');
});

test('TOOL_FAILED carries the message of what was thrown, or the text of a result that the tool itself calls an error', async () => {
  const tools = registryWith([
    makeTool('throws', { execute: () => Promise.reject(new TypeError('no such city')) }),
    makeTool('own', {
      execute: () =>
        toolResult({ value: { isError: true }, content: [{ type: 'text', text: 'quota exceeded' }], isError: true }),
    }),
  ]);
  expect(await failure(run(tools, 'throws'))).toEqual({ code: 'TOOL_FAILED', message: 'no such city' });
  expect(await run(tools, 'own')).toMatchObject({
    isError: true,
    code: 'TOOL_FAILED',
    message: 'quota exceeded',
    value: { isError: true },
    content: [{ type: 'text', text: 'quota exceeded' }],
  });
});

test('CODE_RUN_FAILED is the failure of a program', async () => {
  const tools = registryWith(
    [makeTool('t')],
    { mode: 'code' },
    {
      runtime: () =>
        ({
          language: 'typescript',
          run: async () => ({
            logs: ['got 3 rows'],
            output: [],
            error: { kind: 'exception', name: 'TypeError', message: 'x is not a function', line: 2 },
          }),
        }) as never,
    },
  );
  expect(await failure(run(tools, 'run_code', { code: 'x()' }))).toEqual({
    code: 'CODE_RUN_FAILED',
    message: 'code run failed (exception): TypeError: x is not a function (line 2)\nCaptured output:\ngot 3 rows',
  });
});

test('a tool may choose code, hint and message itself', async () => {
  const tools = registryWith([
    makeTool('t', {
      execute() {
        throw new ToolCallError('DENIED', 'outside of business hours', { hint: 'try after 9' });
      },
    }),
  ]);
  expect(await failure(run(tools, 't'))).toEqual({
    code: 'DENIED',
    message: 'outside of business hours',
    hint: 'try after 9',
  });
});

test('no code is left without its sentence here', () => {
  expect([...seen].sort()).toEqual([...TOOL_ERROR_CODES].sort());
});
