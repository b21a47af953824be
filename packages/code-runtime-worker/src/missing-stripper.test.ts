// Where the TypeScript reader is not installed a TypeScript program fails by itself, and JavaScript runs.
import { expect, test, vi } from 'vitest';
import { createWorkerRuntime } from './runtime.ts';

vi.mock('node:module', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:module')>();
  const createRequire = (base: string) => {
    const require = real.createRequire(base);
    const load = (name: string): unknown => {
      if (name !== '@swc/wasm-typescript') return require(name);
      throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
    };
    return Object.assign(load, require);
  };
  return { ...real, createRequire };
});

test('a program that needs the missing reader is unavailable', async () => {
  const runtime = createWorkerRuntime();
  const run = (program: string) => runtime.run({ program, bindings: [] });
  expect((await run('const n: number = 1; return n;')).error).toEqual({
    kind: 'unavailable',
    message: 'The program is no JavaScript, and the TypeScript reader @swc/wasm-typescript is not installed',
    line: 1,
    column: 8,
    hint: 'Write plain JavaScript, or install the reader.',
  });
  expect((await run('return 1;')).value).toBe(1);
  await runtime.dispose();
});
