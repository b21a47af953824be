// The whole way of a program's source, from text to JavaScript that may run.
import type { Program } from 'acorn';
import { type CellLanguage, type CellProblem, problemAt } from './cell-problem.ts';
import { checkTree } from './check-cell.ts';
import { parseBody } from './parse-body.ts';
import { SourceCache } from './source-cache.ts';
import { stripToTree } from './strip-types.ts';
import { isUnderstood, syntaxProblem } from './syntax-problem.ts';

export interface CellSource {
  /** The body of an async function. */
  program: string;
  /** `javascript` forbids types. Without it types are read only if the program is not JavaScript. */
  language?: CellLanguage | undefined;
}

export type PreparedCell =
  | { ok: true; code: string /** What the program turned out to be written in. */; language: CellLanguage }
  | ({ ok: false } & CellProblem);

/** Longer programs are refused: nothing that a model writes comes near. */
const LONGEST_PROGRAM = 16 * 1024 * 1024;

const cache = new SourceCache<PreparedCell>((it) => it.ok || it.kind !== 'unavailable');

/**
 * Checks a program and gives JavaScript whose every line and column is that of the program: parsed by itself as the body of an async
 * function, free of modules, types stripped. Deterministic; results are kept for programs that come again.
 *
 * It may take seconds for a program of megabytes, and hundreds of milliseconds for the first TypeScript one: call it off the
 * thread that must not stall.
 */
export function prepareCell({ program, language }: CellSource): PreparedCell {
  return cache.get(`${language ?? ''}\n${program}`, () => {
    try {
      return prepare(program, language);
    } catch (error) {
      return refuse(problemAt(program, 0, 'unavailable', `The program could not be read: ${error}`));
    }
  });
}

function prepare(program: string, language: CellLanguage | undefined): PreparedCell {
  if (program.length > LONGEST_PROGRAM) {
    return refuse(problemAt(program, 0, 'syntax', `The program is longer than ${LONGEST_PROGRAM} characters`));
  }
  // A first line such as `#!/usr/bin/env node` is a comment in a file, and not in a function.
  const source = program.startsWith('#!') ? `//${program.slice(2)}` : program;
  const parsed = parseBody(source);
  if (parsed.ok) {
    if (language !== 'javascript' && TYPED_CALL.test(source)) {
      const stripped = stripToTree(source);
      if (stripped.ok && stripped.code !== source) return accept(stripped, 'typescript');
    }
    return accept({ tree: parsed.tree, code: source }, 'javascript');
  }
  const asJavaScript = syntaxProblem(source, parsed.offset, parsed.message);
  // TypeScript allows no more escapes and depth than JavaScript, though its reader might.
  if (/^Escape sequence in keyword|nested too deeply$/.test(parsed.message)) return refuse(asJavaScript);
  const stripped = stripToTree(source);
  if (!stripped.ok && stripped.problem.kind === 'unavailable') {
    if (language === 'javascript' || isUnderstood(asJavaScript)) return refuse(asJavaScript);
    return refuse({ ...stripped.problem, line: asJavaScript.line, column: asJavaScript.column });
  }
  if (!stripped.ok) return refuse(stripped.gaveUp ? stripped.problem : furthest(asJavaScript, stripped.problem));
  if (language === 'javascript') {
    return refuse({
      ...asJavaScript,
      hint: 'The program is TypeScript but was announced as JavaScript: leave out the types, or set the language to typescript.',
    });
  }
  return accept(stripped, 'typescript');
}

/** A call with type arguments, `call<string>(x)`, is also JavaScript: two comparisons. */
const TYPED_CALL = /[\w$]<[\w${'"[][^()=;\n]*>\(/;

function accept({ tree, code }: { tree: Program; code: string }, language: CellLanguage): PreparedCell {
  const problem = checkTree(tree, code);
  return problem ? refuse(problem) : { ok: true, code, language };
}

/** The reader that got further understood more of the program. */
function furthest(one: CellProblem, other: CellProblem): CellProblem {
  if (isUnderstood(one)) return one;
  if (isUnderstood(other) || other.kind === 'module-access') return other;
  // No type stands before a brace too many: the other reader took it for the end of its wrapper.
  if (one.message === 'Unexpected token "}"') return one;
  const further = other.line > one.line || (other.line === one.line && other.column > one.column) ? other : one;
  const hint = one.hint ?? other.hint;
  return hint === undefined ? further : { ...further, hint };
}

function refuse(problem: CellProblem): PreparedCell {
  return { ok: false, ...problem };
}
