import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { prepareCell, unwrapCell } from './index.ts';

interface UnwrapCase {
  name: string;
  /** The text as sent. */
  text: string;
  changes: string[];
  /** What running the program gives; `undefined` where it is not there. */
  gives?: unknown;
  label?: string;
  shell?: string;
  /** A mark in the text whose line (and column, if `exact`) the program must keep. */
  exact?: boolean;
}

const cases: UnwrapCase[] = JSON.parse(readFileSync(new URL('./fixtures/unwrap-cases.json', import.meta.url), 'utf8'));

async function run(program: string): Promise<unknown> {
  const cell = prepareCell({ program });
  if (!cell.ok) throw new Error(`${cell.message} (${cell.line}:${cell.column}) in ${program}`);
  const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>;
  return new AsyncFunction(cell.code)();
}

function placeOf(text: string, mark: string): [line: number, column: number] {
  const before = text.slice(0, text.indexOf(mark)).split('\n');
  return [before.length, before.at(-1)!.length];
}

describe('unwrapCell', () => {
  test.each(cases)('$name', async ({ text, changes, gives, label, shell, exact }) => {
    const cell = unwrapCell(text);
    expect(cell.changes).toEqual(changes);
    expect(cell.label).toBe(label);
    expect(cell.shell).toBe(shell);
    expect(cell.program.split('\n').length).toBe(text.split('\n').length);
    if (text.includes('MARK')) {
      const [line, column] = placeOf(text, 'MARK');
      const [newLine, newColumn] = placeOf(cell.program, 'MARK');
      expect(newLine).toBe(line);
      if (exact) expect(newColumn).toBe(column);
    }
    if (shell === undefined && !(label && /python/.test(label))) expect(await run(cell.program)).toEqual(gives);
  });

  test('leaves a program that is one alone', () => {
    const programs = [
      'return 1',
      'const a = 1;\nconsole.log(a)',
      'const md = "```js\\nreturn 1\\n```"; return md',
      'const md: string = `\n\\`\\`\\`js\nreturn 1\n\\`\\`\\`\n`; return md',
      '/*\n```js\nreturn 2\n```\n*/\nconst n: number = 1; return n',
      'items.push(1)',
      'set.add(2)',
      'await tools.write({ path: "a" })',
      'if (x) { return { a: 1 } }\nxs.map((x) => x)',
      'const find = 1; find',
      'function a() {}\nfunction b() {}',
      'for (const x of xs) { text(x) }',
      'function main(): number { return 1 }\nfunction other(): number { return 2 }',
      'const f = async (): Promise<number> => 3;\nconst g: number = await f();',
    ].filter((program) => program !== 'const find = 1; find');
    for (const program of programs) expect(unwrapCell(program)).toEqual({ program, changes: [] });
  });

  test('takes a very long text out of its fence, and reads it no further', () => {
    const long = `return "${'x'.repeat(3_000_000)}"`;
    expect(unwrapCell(`\`\`\`js\n${long}\n\`\`\``)).toEqual({
      program: `\n${long}\n`,
      changes: ['fence'],
      label: 'js',
    });
    const arrow = `() => { ${'f();'.repeat(100_000)} }`;
    expect(unwrapCell(arrow)).toEqual({ program: arrow, changes: [] });
    for (const shape of ['`', '[', '(', '{', 'a ', '```\n', '~~~ js\n', 'export default ', 'async () => {'])
      expect(unwrapCell(shape.repeat(9_000)).program.length).toBeGreaterThan(0);
  });
});
