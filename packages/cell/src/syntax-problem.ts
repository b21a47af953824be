// A syntax error as a problem: where what was meant is plain to see, at the place that matters and with what to do.
import { type CellProblem, problemAt } from './cell-problem.ts';

/** @param offset where the parser stopped */
export function syntaxProblem(program: string, offset: number, message: string): CellProblem {
  const awaited = misplacedAwait(program, offset);
  if (awaited !== undefined) {
    return problemAt(program, awaited, 'syntax', 'await is only possible in an async function', AWAIT_HINT);
  }
  const python = pythonLine(program, offset);
  if (python !== undefined) {
    return problemAt(
      program,
      python,
      'syntax',
      'The program is Python, and only JavaScript and TypeScript run',
      PYTHON_HINT,
    );
  }
  return problemAt(program, offset, 'syntax', message, hintAt(program.slice(offset, offset + 40)));
}

const AWAIT_HINT =
  'Write async before that function, and await what it returns: await Promise.all(items.map(async (item) => …)). ' +
  'forEach, filter and sort do not wait: use for (const item of items) { … } there.';

const PYTHON_HINT =
  'Write it in JavaScript: function f(x) { … }, for (const x of xs) { … }, if (x) { … } else { … }, a template literal for f"…", ' +
  'x && y, !x, null, true, console.log(x); there is nothing to import.';

/** Whether the problem says better than a parser what was meant. */
export function isUnderstood({ hint }: CellProblem): boolean {
  return hint === AWAIT_HINT || hint === PYTHON_HINT;
}

/**
 * At the top of a program await is a keyword, so that where its operand is unexpected it stands in a function that is not
 * async, and was read as a name.
 */
function misplacedAwait(program: string, offset: number): number | undefined {
  const before = program.slice(Math.max(0, offset - 200), offset);
  const spaces = /\bawait(\s+)$/.exec(before);
  if (spaces && /^[\p{ID_Start}$_"'\d{#@]/u.test(program.slice(offset, offset + 2))) {
    return offset - spaces[1]!.length - 'await'.length;
  }
  const isLoop = /\bfor\s*$/.test(before) && /^await\b/.test(program.slice(offset, offset + 6));
  return isLoop ? offset : undefined;
}

/** Lines that are Python and no JavaScript. */
const PYTHON = [
  /^\s*(?:async\s+)?def\s+\w+\s*\(/,
  /^\s*class\s+\w+\s*(?:\([^)]*\))?\s*:/,
  /^\s*(?:if|elif|while|for|with|try|except|finally|else)\b[^{}]*:\s*(?:#.*)?$/,
  /^\s*(?:from\s+[\w.]+\s+)?import\s+[\w.*]+(?:\s+as\s+\w+)?(?:\s*,\s*\w+(?:\s+as\s+\w+)?)*\s*(?:#.*)?$/,
  /(?:^|[\s(,=[])[rf]{1,2}(?:"[^"]*"|'[^']*')/,
  /[[({][^;]*\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\s+[^;]*[\])}]/,
  /\blambda\b[^:;]*:/,
  /\S\s+if\s+[^;(]+\s+else\s+\S/,
  /^\s*(?:r|f)?"{3}|=\s*"{3}/,
];

/** The offset of the line of Python at which, or after which, the parser stopped. */
function pythonLine(program: string, offset: number): number | undefined {
  let end = program.indexOf('\n', offset);
  if (end < 0) end = program.length;
  for (let looked = 0; looked < 2; looked++) {
    const start = program.lastIndexOf('\n', end - 1) + 1;
    const line = program.slice(start, Math.min(end, start + 2_000));
    if (PYTHON.some((pattern) => pattern.test(line))) return start + /^\s*/.exec(line)![0].length;
    // The line before, where the parser only then knew: blank ones say nothing.
    const before = program.slice(0, Math.max(0, start - 1)).trimEnd();
    if (before === '') return undefined;
    end = before.length;
  }
  return undefined;
}

/** What to do, by what stands where the parser stopped. */
function hintAt(rest: string): string | undefined {
  if (rest.startsWith('@')) return 'Decorators are not supported; call the function yourself.';
  if (/^```/.test(rest)) return 'Send the program alone, without a Markdown fence.';
  if (/^<(?:[a-z][\w.]*[\s/>]|>)/.test(rest)) return 'JSX is not supported.';
  return undefined;
}
