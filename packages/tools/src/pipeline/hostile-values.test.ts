// Whatever a tool, hook or service throws or gives is contained.
import { expect, test } from 'vitest';
import { makeTool, registryWith, run, settle } from '../testing/tools.ts';
import { toolResult } from '../tool-result.ts';

const throwingProxy = () =>
  new Proxy(
    {},
    {
      get() {
        throw new Error('trap');
      },
      has() {
        throw new Error('trap');
      },
      getPrototypeOf() {
        throw new Error('trap');
      },
      ownKeys() {
        throw new Error('trap');
      },
      getOwnPropertyDescriptor() {
        throw new Error('trap');
      },
    },
  );

const thrown: [string, () => unknown, string | RegExp][] = [
  ['undefined', () => undefined, 'threw undefined'],
  ['null', () => null, 'threw null'],
  ['a string', () => 'plain', 'plain'],
  ['an empty string', () => '', 'failed without a message'],
  ['a symbol', () => Symbol('s'), 'threw Symbol(s)'],
  ['a bigint', () => 7n, 'threw 7'],
  ['a null-prototype object', () => Object.create(null), 'threw a value without a message'],
  ['a message that is no string', () => ({ message: { toString: () => 'no' } }), 'threw a value without a message'],
  ['a proxy', throwingProxy, 'threw a value that cannot be read'],
  [
    'a getter that throws',
    () =>
      Object.defineProperty(new Error(), 'message', {
        get() {
          throw new Error('again');
        },
      }),
    'threw a value that cannot be read',
  ],
  [
    'a toString that throws',
    () => ({
      toString() {
        throw new Error('x');
      },
    }),
    'threw a value without a message',
  ],
  ['a very long message', () => new Error('x'.repeat(1_000_000)), /^x{16000,16400}…$/],
  [
    'a revoked proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
    'threw a value that cannot be read',
  ],
  ['a function', () => () => {}, /^threw a value without a message|execute$/],
];

test.each(thrown)('a body that throws %s', async (_name, make, message) => {
  const tools = registryWith([makeTool('t', { execute: () => Promise.reject(make()) })]);
  const outcome = await run(tools, 't');
  expect(outcome).toMatchObject({ isError: true, code: 'TOOL_FAILED' });
  if (typeof message === 'string') expect(outcome.message).toBe(message);
  else expect(outcome.message).toMatch(message);
});

test.each(thrown)('a hook, a guard and an approval that throw %s deny', async (_name, make) => {
  const fail = () => {
    throw make();
  };
  const tools = registryWith([makeTool('t')], {}, { approval: () => ({ request: fail }) });
  for (const install of [
    () => tools.hook('preExecute', fail),
    () => tools.hook('guard', fail),
    () => tools.hook('postExecute', fail),
    () => tools.hook('preExecute', () => ({ decision: 'ask' })),
  ]) {
    const undo = install();
    expect(await run(tools, 't')).toMatchObject({ isError: true, code: 'DENIED' });
    undo();
  }
  const undo = tools.hook('around', fail as never);
  expect(await run(tools, 't')).toMatchObject({ isError: true, code: 'TOOL_FAILED' });
  undo();
  tools.on('tools/result', fail);
  expect(await run(tools, 't')).toMatchObject({ isError: false });
});

test.each([
  ['a proxy', throwingProxy],
  ['a class instance', () => new Map([[1, 2]])],
  ['a function', () => () => {}],
  [
    'a cycle',
    () => {
      const a: any = {};
      a.a = a;
      return a;
    },
  ],
  ['NaN', () => Number.NaN],
  ['a bigint', () => 1n],
  ['a hole', () => new Array(2)],
  [
    'a throwing getter',
    () => ({
      get a() {
        throw new Error('x');
      },
    }),
  ],
  ['content that is none', () => toolResult({ value: 1, content: 'text' as never })],
  ['content without text', () => toolResult({ value: 1, content: [{ type: 'text' } as never] })],
  ['metadata that is none', () => toolResult({ value: 1, meta: [] as never })],
  ['contexts that are none', () => toolResult({ value: 1, additionalContexts: {} as never })],
  [
    'a result with throwing getters',
    () =>
      Object.defineProperty(toolResult({ value: 1 }), 'content', {
        enumerable: true,
        get() {
          throw new Error('x');
        },
      }),
  ],
])('a body that gives %s has no valid output', async (_name, make) => {
  const tools = registryWith([makeTool('t', { execute: () => make() })]);
  const outcome = await run(tools, 't');
  expect(outcome).toMatchObject({ isError: true });
  expect(['INVALID_TOOL_OUTPUT', 'TOOL_FAILED']).toContain(outcome.code);
});

test('a value of 9,999 levels passes; a render that fails or gives nonsense is an invalid output', async () => {
  const deep = () => {
    let value: unknown = 'end';
    for (let level = 0; level < 9_999; level++) value = [value];
    return value;
  };
  const broken = (render: () => never) =>
    makeTool(`r${Math.random()}`.replace('.', ''), { output: { schema: {}, render } });
  const fails = broken(() => {
    throw throwingProxy();
  });
  const nonsense = broken(() => 'text' as never);
  const tools = registryWith([makeTool('deep', { execute: deep }), fails, nonsense]);
  expect(await run(tools, 'deep')).toMatchObject({ isError: false });
  expect(await run(tools, fails.name)).toMatchObject({ code: 'INVALID_TOOL_OUTPUT' });
  expect(await run(tools, nonsense.name)).toMatchObject({ code: 'INVALID_TOOL_OUTPUT' });
});

test('a thenable is awaited like a promise, and one that settles twice counts once', async () => {
  const tools = registryWith([
    makeTool('t', {
      execute: () => ({
        // biome-ignore lint/suspicious/noThenProperty: this test is about one.
        then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
          resolve('first');
          reject(new Error('second'));
          resolve('third');
        },
      }),
    }),
  ]);
  expect(await run(tools, 't')).toMatchObject({ value: 'first' });
  await settle();
});

test('an error that only claims to be ours keeps no code of its own', async () => {
  const fake = Object.assign(new Error('x'), {
    [Symbol.for('codeseam.ToolCallError')]: true,
    code: 'ROOT',
    meta: { a: new Date() },
  });
  const tools = registryWith([makeTool('t', { execute: () => Promise.reject(fake) })]);
  expect(await run(tools, 't')).toMatchObject({ code: 'TOOL_FAILED', message: 'x' });
});
