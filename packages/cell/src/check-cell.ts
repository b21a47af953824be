// Checks a JavaScript program on its syntax tree before anything of it runs.
import type { Program } from 'acorn';
import { type CellProblem, problemAt } from './cell-problem.ts';
import { findModuleUse, type ModuleUse } from './find-module-access.ts';
import { parseBody } from './parse-body.ts';
import { syntaxProblem } from './syntax-problem.ts';

/**
 * Checks a JavaScript program, the body of an async function: its syntax, parsed by itself, and that it reaches for no
 * module. Text such as `"import x"` and members such as `api.require(1)` are fine.
 *
 * @returns the first problem, or null
 */
export function checkCell(program: string): CellProblem | null {
  const parsed = parseBody(program);
  if (!parsed.ok) return syntaxProblem(program, parsed.offset, parsed.message);
  return checkTree(parsed.tree, program);
}

/** The part of the check that needs a tree. */
export function checkTree(tree: Program, program: string): CellProblem | null {
  const use = findModuleUse(tree, program);
  if (use === null) return null;
  if (use.what === 'export') {
    return problemAt(
      program,
      use.start,
      'syntax',
      'export is not possible: a program is the body of an async function',
      'Remove export, and give the result back with return.',
    );
  }
  return moduleProblem(program, use);
}

export function moduleProblem(program: string, { what, start, module }: ModuleUse): CellProblem {
  const of = module === undefined ? '' : ` of ${JSON.stringify(module.slice(0, 80))}`;
  return problemAt(
    program,
    start,
    'module-access',
    `${what}${of} is not possible: a program has no modules`,
    'What a program may use is already there as globals; there are no packages and no Node.js modules.',
  );
}
