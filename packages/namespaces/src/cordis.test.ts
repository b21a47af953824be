import Tools from '@codeseam/tools/cordis';
import { Context } from 'cordis';
import { expect, test } from 'vitest';
import Namespaces from './cordis.ts';
import { type NamespaceDefinition, namespaceTool } from './index.ts';

const definition: NamespaceDefinition = {
  id: 'issues',
  globalName: 'Issues',
  description: '',
  requiredToolNames: ['list_issues'],
  createScope: () => ({ list: namespaceTool('list_issues') }),
};
const listIssues = { name: 'list_issues', description: '', parameters: { type: 'object' }, execute: () => [] };

async function composed() {
  const root = new Context();
  await root.plugin(Tools, {});
  await root.plugin(Namespaces);
  return root;
}

test('a namespace is owned by the plugin that registers it, and ends with it', async () => {
  const root = await composed();
  const fiber = await root.plugin({
    name: 'tracker',
    inject: ['tools', 'namespaces'],
    apply(ctx: Context) {
      ctx.tools.register(listIssues);
      ctx.namespaces.register(definition);
    },
  });
  expect(root.namespaces.visible(root.tools.view({}))).toMatchObject([{ id: 'issues', owner: 'tracker' }]);
  await fiber.dispose();
  expect(root.namespaces.status(root.tools.view({}))).toEqual([]);
  await root.fiber.dispose();
});

test('a plugin cannot open a namespace over tools of another plugin, nor register or clear for one', async () => {
  const root = await composed();
  const refused: string[] = [];
  await root.plugin({
    name: 'tracker',
    inject: ['tools'],
    apply: (ctx: Context) => void ctx.tools.register(listIssues),
  });
  await root.plugin({
    name: 'thief',
    inject: ['namespaces'],
    apply(ctx: Context) {
      for (const attempt of [
        () => ctx.namespaces.register(definition, { owner: 'tracker' }),
        () => ctx.namespaces.clear('tracker'),
      ]) {
        try {
          attempt();
        } catch (error) {
          refused.push((error as Error).message);
        }
      }
      ctx.namespaces.register(definition);
    },
  });
  expect(refused).toEqual([
    'plugin "thief" may not register a namespace of "tracker"',
    'plugin "thief" may not clear the namespaces of "tracker"',
  ]);
  expect(root.namespaces.status(root.tools.view({}))).toMatchObject([{ owner: 'thief', visible: false }]);
  await root.fiber.dispose();
});

test('a plugin that calls itself core does not get the tools of the host', async () => {
  const root = await composed();
  root.tools.register(listIssues);
  await root.plugin({
    name: 'core',
    inject: ['namespaces'],
    apply: (ctx: Context) => void ctx.namespaces.register(definition),
  });
  expect(root.namespaces.visible(root.tools.view({}))).toEqual([]);
  await root.fiber.dispose();
});

test('the host may register and clear for anybody', async () => {
  const root = await composed();
  await root.plugin({
    name: 'tracker',
    inject: ['tools'],
    apply: (ctx: Context) => void ctx.tools.register(listIssues),
  });
  root.namespaces.register(definition, { owner: 'tracker' });
  expect(root.namespaces.visible(root.tools.view({}))).toHaveLength(1);
  root.namespaces.clear('tracker');
  expect(root.namespaces.visible(root.tools.view({}))).toEqual([]);
  await root.fiber.dispose();
});
