// Programs where the TypeScript reader cannot be loaded: what is JavaScript still runs, and the rest says what is missing.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as Cell from './index.ts';

const reader = vi.hoisted(() => ({ refusal: undefined as Error | undefined }));

vi.mock('node:module', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:module')>();
  const createRequire = (base: string) => {
    const require = real.createRequire(base);
    const load = (name: string): unknown => {
      if (reader.refusal && name === '@swc/wasm-typescript') throw reader.refusal;
      return require(name);
    };
    return Object.assign(load, require);
  };
  return { ...real, createRequire };
});

const notInstalled = () => Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
const TYPED = 'return 1;\nconst n: number = 1;';

let prepareCell: typeof Cell.prepareCell;
let stripTypes: typeof Cell.stripTypes;
beforeEach(async () => {
  // A reader that was loaded once is kept.
  vi.resetModules();
  ({ prepareCell, stripTypes } = await import('./index.ts'));
});

describe('without the TypeScript reader', () => {
  test('JavaScript runs, and its mistakes are told as such', () => {
    reader.refusal = notInstalled();
    expect(prepareCell({ program: 'return 1;' }).ok).toBe(true);
    expect(prepareCell({ program: 'return f<a>(b);' }).ok).toBe(true);
    expect(prepareCell({ program: TYPED, language: 'javascript' })).toMatchObject({ kind: 'syntax', line: 2 });
  });

  test('TypeScript is refused as unavailable, where it begins, and is read once the reader is there', () => {
    reader.refusal = notInstalled();
    expect(prepareCell({ program: TYPED })).toEqual({
      ok: false,
      kind: 'unavailable',
      message: 'The program is no JavaScript, and the TypeScript reader @swc/wasm-typescript is not installed',
      line: 2,
      column: 8,
      hint: 'Write plain JavaScript, or install the reader.',
    });
    expect(stripTypes(TYPED)).toMatchObject({ ok: false, problem: { kind: 'unavailable' } });
    reader.refusal = undefined;
    expect(prepareCell({ program: TYPED }).ok).toBe(true);
    expect(stripTypes(TYPED).ok).toBe(true);
  });

  test('a reader that fails to load is told apart from one that is not there', () => {
    reader.refusal = new RangeError('out of memory');
    expect(prepareCell({ program: 'let a: string;' })).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('cannot be loaded: out of memory'),
    });
  });
});
