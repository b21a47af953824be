import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripTypes } from './index.ts';

const { blanked, rewritten } = JSON.parse(
  readFileSync(new URL('./fixtures/typed-fragments.json', import.meta.url), 'utf8'),
) as { blanked: string[]; rewritten: string[] };

function strip(program: string): string {
  const result = stripTypes(program);
  if (!result.ok)
    throw new Error(`${result.problem.line}:${result.problem.column} ${result.problem.message}\n${program}`);
  return result.code;
}

/** Every call of a marker, `m12(`, with its place. */
function markers(text: string): string[] {
  return [...text.matchAll(/\bm\d+(?=\()/g)].map((match) => {
    const before = text.slice(0, match.index).split('\n');
    return `${match[0]} ${before.length}:${before.at(-1)!.length + 1}`;
  });
}

/** The markers called while the program runs, in order. */
async function calls(code: string): Promise<string[]> {
  const seen: string[] = [];
  const names = Array.from({ length: 40 }, (_, index) => `m${index}`);
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<unknown>;
  const marks = names.map((name) => (value: unknown) => {
    seen.push(`${name} ${typeof value}`);
    return value;
  });
  await new AsyncFunction(...names, 's', code)(...marks);
  return seen;
}

const withNumbers = (fragments: string[]) =>
  fragments.map((fragment, index) => fragment.replaceAll('§', `${index}`)).join('\n');
const some = (of: string[]) => fc.shuffledSubarray(of, { minLength: 1, maxLength: Math.min(12, of.length) });

const lineOf = (marker: string) => marker.slice(0, marker.indexOf(':'));

describe('stripTypes', () => {
  test.each(blanked)('blanks the types of %s', (fragment) => {
    const program = `    ${fragment.replaceAll('§', '1')}\nreturn m2(1)`;
    const code = strip(program);
    expect(code.length).toBe(program.length);
    // Nothing but blanks took the place of anything; a type that ends a statement may leave a semicolon.
    for (let at = 0; at < code.length; at++) if (code[at] !== program[at]) expect(code[at]).toMatch(/^[\s;)=>]$/);
    expect(markers(code)).toEqual(markers(program));
  });

  test.each(rewritten)('rewrites %s on its lines', (fragment) => {
    const program = `m3(0)\n    ${fragment.replaceAll('§', '1')}\nif (m2(1)) { m4(2) }`;
    const code = strip(program);
    expect(markers(code).map(lineOf)).toEqual(markers(program).map(lineOf));
    // What comes after it is where it was.
    expect(markers(code).slice(-2)).toEqual(markers(program).slice(-2));
  });

  test('keeps every line and column of whole programs', () => {
    fc.assert(
      fc.property(some(blanked), (fragments) => {
        const program = withNumbers(fragments);
        const code = strip(program);
        expect(code.length).toBe(program.length);
        expect(markers(code)).toEqual(markers(program));
      }),
      { numRuns: 60 },
    );
  });

  test('keeps every line of a program with rewritten parts, and every column of the other parts', () => {
    fc.assert(
      fc.property(some(blanked), some(rewritten), fc.nat(), (plain, changed, seed) => {
        const changedAt = seed % (plain.length + 1);
        const fragments = [...plain.slice(0, changedAt), ...changed, ...plain.slice(changedAt)];
        const program = withNumbers(fragments);
        const isPlain = (marker: string): boolean => {
          const index = Number(/\d+/.exec(marker)![0]);
          return index < changedAt || index >= changedAt + changed.length;
        };
        const given = markers(strip(program));
        expect(given.map(lineOf)).toEqual(markers(program).map(lineOf));
        expect(given.filter(isPlain)).toEqual(markers(program).filter(isPlain));
      }),
      { numRuns: 60 },
    );
  });

  test('keeps the place of a call whose brackets a rewrite leaves out, also after a comment', () => {
    const program = 'class P { constructor(private a: number) {} }\nm1(1) /* as */\nconst q = (m2(1)! as any)!.x;';
    expect(markers(strip(program))).toEqual(markers(program));
  });

  test('gives programs that do what the typed ones say', async () => {
    expect(
      await calls(
        strip(`enum Size { Small = 1, Large = Small << 3 }
namespace Shapes { export const unit = 2; export function area(n: number): number { return n * unit } }
class Box<T> { constructor(private readonly item: T, public label = 'box') {} get(): T { return this.item } }
const box = new Box<number>(Shapes.area(Size.Large));
m1(box.get()); m2(box.label); m3(Size[8]); m4(<const>'x'); m5((box as any)!.item satisfies number);
let a = 1
type X = 1
;[a].map((n: number) => m6(n))`),
      ),
    ).toEqual(['m1 number', 'm2 string', 'm3 string', 'm4 string', 'm5 number', 'm6 number']);
    const AsyncFunction = (async () => {}).constructor as new (code: string) => () => Promise<unknown>;
    const value = strip('enum E { A, B = 5, C } return [E.C, E[5], E.A]');
    expect(await new AsyncFunction(value)()).toEqual([6, 'B', 0]);
  });

  test('leaves text that only looks like types alone', () => {
    const program = 'const s: string = "a: number"; return `<T>$' + '{s} as any` + /: string/.source; // x: y';
    expect(strip(program)).toBe(program.replace('s: string', 's        '));
  });

  test('blanks type-only imports and the export of types', () => {
    const program =
      'import type { A } from "x";\nexport type B = A;\nexport interface C { a: A }\nconst b: B = 1; return b';
    expect(strip(program).split('\n')[3]).toBe('const b    = 1; return b');
    expect(strip(program)).not.toMatch(/import|export/);
  });

  test.each<[string, number, number, RegExp]>([
    ['const x: = 1', 1, 10, /Unexpected token `=`$/],
    ['let a: number = 1;\n\tconst 日: string = ;', 2, 20, /Expression expected/],
    ['/* 😀 */ let x: = 1', 1, 17, /Unexpected token/],
    ['let x: number = 1; }; async function y() {', 1, 20, /./],
    ['let x: number = 1;\r\nlet y: = 2', 2, 8, /Unexpected token/],
    ['@dec class A { x: number = 1 }', 1, 1, /Unexpected character '@'/],
    ['export const x: number = 1', 1, 1, /export is not possible/],
    [`let x: any = ${'['.repeat(4_000)}`, 1, 1, /nested too deeply/],
  ])('says where %j cannot be read', (program, line, column, message) => {
    const result = stripTypes(program);
    expect(result).toMatchObject({ ok: false, problem: { kind: 'syntax', line, column } });
    expect(!result.ok && result.problem.message).toMatch(message);
  });

  test('reads the next program after one that was too deep for it', () => {
    for (let round = 0; round < 2; round++) {
      expect(stripTypes(`let x${round}: any = ${'['.repeat(20_000)}${']'.repeat(20_000)}`).ok).toBe(false);
      expect(strip(`const n${round}: number = 1`)).toBe(`const n${round}         = 1`);
    }
  });
});
