import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CellLanguage, checkCell, prepareCell } from './index.ts';
import { SourceCache } from './source-cache.ts';

interface CellCase {
  program: string;
  /** What the request says it is. */
  as?: CellLanguage;
  /** What it turns out to be. */
  language?: CellLanguage;
  refused?: string;
  line?: number;
  column?: number;
}

const cases: CellCase[] = JSON.parse(readFileSync(new URL('./fixtures/cell-cases.json', import.meta.url), 'utf8'));

describe('prepareCell', () => {
  test.each(cases)('$program', ({ program, as, language, refused, line, column }) => {
    const cell = prepareCell({ program, language: as });
    if (refused === undefined) {
      expect(cell).toMatchObject({ ok: true, language });
      if (language === 'javascript')
        expect(cell.ok && cell.code.replace(/^\/\//, '#!').slice(2)).toBe(program.slice(2));
      return;
    }
    expect(cell).toMatchObject({ ok: false, kind: refused, ...(line ? { line } : {}), ...(column ? { column } : {}) });
    expect(!cell.ok && cell.message).toMatch(/^\S.{3,200}$/);
  });

  test('takes a typed program for JavaScript in no case where that is asked for', () => {
    const cell = prepareCell({ program: 'const n: number = 1', language: 'javascript' });
    expect(cell).toMatchObject({ ok: false, hint: expect.stringContaining('set the language to typescript') });
    expect(prepareCell({ program: 'return f<a>(b)', language: 'javascript' })).toMatchObject({
      ok: true,
      code: 'return f<a>(b)',
    });
  });

  test('says what to do about modules, exports and decorators', () => {
    const hint = (program: string) => {
      const cell = prepareCell({ program });
      return cell.ok ? undefined : cell.hint;
    };
    expect(hint('require("fs")')).toMatch(/already there as globals/);
    expect(hint('export const x = 1')).toMatch(/with return/);
    expect(hint('@dec class A {}')).toMatch(/Decorators are not supported/);
    expect(hint('const a = <div>x</div>')).toMatch(/JSX is not supported/);
  });

  test.each([
    ['function f() { await 1 }', 16],
    ['return xs.map((x) => await g(x))', 22],
    ['const f = (x: number) => { const y: string = await g(x); return y }', 46],
    ['function f() { for await (const x of y) {} }', 20],
  ])('points to the await of a function that is not async: %s', (program, column) => {
    const message = 'await is only possible in an async function';
    expect(prepareCell({ program })).toMatchObject({ ok: false, kind: 'syntax', line: 1, column, message });
  });

  test.each([
    'def f(x):\n    return x',
    'async def main():\n  pass',
    'class A:\n  pass',
    'class A(B):\n  pass',
    'import json\n\nx = 1',
    'import os, sys\nx = 1',
    'from os import path as p\nx = 1',
    'for i, x in enumerate(xs):\n  print(x)',
    'if x > 3:\n  y = 1',
    'try:\n  x = 1\nexcept E as e:\n  pass',
    'with open("a") as f:\n  pass',
    'xs = [i for i in range(3)]',
    'x = 1 if y else 2',
    'f = lambda x: x + 1',
    'print(f"{x}")',
    '"""doc"""\nx = 1',
  ])('knows Python by the line: %j', (program) => {
    const message = 'The program is Python, and only JavaScript and TypeScript run';
    expect(prepareCell({ program })).toMatchObject({ ok: false, kind: 'syntax', line: 1, column: 1, message });
  });

  test.each([
    'const s = "for x in y"; return (',
    'if (a) { b } else: c',
    'switch (a) { case 1: foo bar }',
    'const o = { if: 1 else: 2 }',
    'await )',
    'x = await',
    'const a = [1 for]',
  ])('takes no other mistake for Python or a misplaced await: %s', (program) => {
    const cell = prepareCell({ program });
    expect(cell.ok ? '' : cell.message).toMatch(/^Unexpected |[Ee]xpected/);
  });

  test('gives the same for a program that comes again', () => {
    const program = 'const n: number = 41; return n + 1';
    expect(prepareCell({ program })).toBe(prepareCell({ program }));
    expect(prepareCell({ program, language: 'javascript' }).ok).toBe(false);
  });

  test('takes a hundred thousand declarations', () => {
    const program = Array.from({ length: 100_000 }, (_, index) => `const a${index} = ${index};`).join('\n');
    expect(prepareCell({ program }).ok).toBe(true);
  });

  test('refuses nonsense of many shapes without hanging', () => {
    const shapes = [
      '[',
      '(',
      '{',
      '`${',
      '<T',
      'a.',
      '1+',
      '!',
      'x=>',
      'a?',
      'if(1)',
      '"',
      '/*',
      '\\u{',
      '@',
      'async ',
      '=>',
      ';type A=',
      '#',
      '\u0000',
      '😀',
    ];
    for (const shape of shapes) {
      const cell = prepareCell({ program: shape.repeat(20_000) });
      expect([shape, cell.ok]).toEqual([shape, false]);
    }
  });

  test('refuses a program that is far too long', () => {
    expect(prepareCell({ program: ';'.repeat(17_000_000) })).toMatchObject({ ok: false, kind: 'syntax' });
  });
});

describe('checkCell', () => {
  test('finds the first problem of a JavaScript program', () => {
    expect(checkCell('return 1')).toBeNull();
    expect(checkCell('const a = 1;\nreturn require("x") + import("y")')).toEqual({
      kind: 'module-access',
      message: 'require of "x" is not possible: a program has no modules',
      line: 2,
      column: 8,
      hint: expect.any(String),
    });
    expect(checkCell('const n: number = 1')).toMatchObject({ kind: 'syntax', line: 1, column: 8 });
  });
});

describe('SourceCache', () => {
  test('keeps the last results and drops the least recently used', () => {
    const cache = new SourceCache<object>();
    const first = cache.get('first', () => ({}));
    for (let index = 0; index < 100; index++) cache.get(`${index}`, () => ({}));
    expect(cache.get('first', () => ({}))).toBe(first);
    for (let index = 0; index < 127; index++) cache.get(`again ${index}`, () => ({}));
    expect(cache.get('first', () => ({}))).toBe(first);
    for (let index = 0; index < 128; index++) cache.get(`more ${index}`, () => ({}));
    expect(cache.get('first', () => ({}))).not.toBe(first);
  });

  test('does not keep long sources', () => {
    const cache = new SourceCache<object>();
    const long = 'x'.repeat(300_000);
    expect(cache.get(long, () => ({}))).not.toBe(cache.get(long, () => ({})));
  });
});
