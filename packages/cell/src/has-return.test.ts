import { expect, test } from 'vitest';
import { returnsExpression } from './index.ts';

test.each([
  ['return r.sum', true],
  ['if (a) { return 1 }', true],
  ['for (const x of xs) { try { return x } catch {} }', true],
  ['return', false],
  ['return; // value', false],
  ['const f = () => { return 1 }; f()', false],
  ['class A { m() { return 1 } }', false],
  ["text('return 1')", false],
  ['', false],
  ['const n: number = 1; return n', undefined],
  [`return 1;${' '.repeat(100_000)}`, undefined],
])('whether %j returns an expression of its own: %j', (program, wanted) => {
  expect(returnsExpression(program)).toBe(wanted);
});
