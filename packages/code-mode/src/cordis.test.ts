import Namespaces from '@codeseam/namespaces/cordis';
import Tools from '@codeseam/tools/cordis';
import { Context } from 'cordis';
import { expect, test } from 'vitest';
import codeModePlugin from './cordis.ts';
import { MemoryRunStore, type SuspendedProgram } from './index.ts';
import { sharedRuntime, tool } from './testing/harness.ts';

async function composed(config: unknown, tools: object = {}) {
  const root = new Context();
  await root.plugin(Tools, tools as never);
  root.provide('codeRuntime', await sharedRuntime());
  await root.plugin(Namespaces);
  const fiber = root.plugin(codeModePlugin as never, config as never);
  await fiber;
  root.tools.register(tool('add', ({ a, b }) => a + b));
  root.tools.register(tool('photo', () => 'x', { directOnly: true }));
  const names = async () => (await root.tools.present(root.tools.view({}))).tools.map(({ name }) => name);
  return { root, fiber, names };
}

test.each([[undefined], [false], [{}], [{ enabled: false }], [{ timeoutMs: 500 }]])(
  'with the config %j the presentation stays as it is and no service is there',
  async (config) => {
    const { root, names } = await composed(config);
    expect(await names()).toEqual(['add', 'photo']);
    expect(root.get('codeMode')).toBeUndefined();
    await root.fiber.dispose();
  },
);

test.each([[true], [{ enabled: true }]])(
  'with the config %j the model gets exec, wait and direct-only tools; disposal undoes it',
  async (config) => {
    const { root, fiber, names } = await composed(config);
    expect(await names()).toEqual(['exec', 'photo', 'wait']);
    const result = await root.codeMode.exec(
      { code: 'return await tools.add({ a: 1, b: 2 })' },
      { scope: {}, callId: 'c1' },
    );
    expect(result).toMatchObject({ status: 'completed', value: 3 });
    await (fiber as unknown as { dispose(): Promise<void> }).dispose();
    expect(await names()).toEqual(['add', 'photo']);
    expect(root.get('codeMode')).toBeUndefined();
    await root.fiber.dispose();
  },
);

test('a config with an unknown field is refused with the nearest one', async () => {
  await expect(composed({ enabled: true, timeoutMS: 5 })).rejects.toThrow(/unknown key, did you mean timeoutMs/);
});

test('the life of a run is told as events on the context', async () => {
  const { root } = await composed(true);
  const told: string[] = [];
  root.on('code-mode/suspended', ({ reason }) => void told.push(`suspended ${reason}`));
  root.on('code-mode/resumed', () => void told.push('resumed'));
  root.on('code-mode/ended', ({ status }) => void told.push(status));
  const first = await root.codeMode.exec({ code: 'await yield_control(); return 1' }, { scope: {}, callId: 'c1' });
  if (first.status !== 'waiting') throw new Error('not waiting');
  await root.codeMode.wait({ runId: first.runId }, { scope: {}, callId: 'c2' });
  expect(told).toEqual(['suspended yield', 'resumed', 'completed']);
  await root.fiber.dispose();
});

test('a store of suspended runs that a plugin provides is used, also one that comes after code mode', async () => {
  const { root } = await composed(true);
  const store = new MemoryRunStore<SuspendedProgram>();
  root.provide('suspendedRunStore', store);
  const first = await root.codeMode.exec({ code: 'await yield_control(); return 1' }, { scope: {}, callId: 'c1' });
  if (first.status !== 'waiting') throw new Error('not waiting');
  expect(store.find(first.runId)).toMatchObject({ runId: first.runId });
  await root.fiber.dispose();
  expect(store.size).toBe(0);
});
