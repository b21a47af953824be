import { expect, test } from 'vitest';
import { claimServing } from './self-upstream.ts';

test('a config that a process above serves is refused, another one is not', () => {
  const env: NodeJS.ProcessEnv = {};
  const undo = claimServing('/a/cordis.yml', env);
  const child = { ...env };
  expect(() => claimServing('/a/cordis.yml', child)).toThrow('is being served by a process above');
  claimServing('/b/cordis.yml', child);
  expect(() => claimServing('/a/cordis.yml', { ...child })).toThrow(/above this one already/);
  undo();
  expect(env).toEqual({});
  claimServing('/a/cordis.yml', env);
});

test('fronts do not stand behind each other without end, and nonsense in the environment is no claim', () => {
  const env: NodeJS.ProcessEnv = { CODESEAM_SERVING: 'nonsense' };
  for (let depth = 0; depth < 8; depth += 1) claimServing(`/config/${depth}`, env);
  expect(() => claimServing('/config/8', env)).toThrow('8 fronts stand behind each other already');
});
