// TypeScript to JavaScript, with every line and column kept.
import type { Program } from 'acorn';
import { type CellProblem, problemAt } from './cell-problem.ts';
import { moduleProblem } from './check-cell.ts';
import {
  isComplaint,
  runStripper,
  type StripOptions,
  type StripperComplaint,
  StripperMissing,
} from './load-stripper.ts';
import { parseBody } from './parse-body.ts';
import { realign } from './realign.ts';
import { SourceCache } from './source-cache.ts';
import { syntaxProblem } from './syntax-problem.ts';

export type StrippedCell = { ok: true; code: string } | { ok: false; problem: CellProblem };

type StrippedTree =
  | { ok: true; code: string; tree: Program }
  | { ok: false; problem: CellProblem /** Nothing can be said about the rest. */; gaveUp?: boolean };

/** `return` and `await` only work inside a function, so the program is read as the body of one. */
const HEAD = 'async function _(){';
const TAIL = '\n}';

const BLANK: StripOptions = { mode: 'strip-only', module: false, sourceMap: false };
const REWRITE: StripOptions = { mode: 'transform', module: false, sourceMap: true };

/** One pass for each: type-only imports and exports that had to be blanked first. */
const MOST_REPAIRS = 64;

const cache = new SourceCache<StrippedCell>((it) => it.ok || it.problem.kind !== 'unavailable');

/**
 * Turns the TypeScript of a program (the body of an async function) into JavaScript. Types become blanks, so every line and
 * column stays. Enums, namespaces and parameter properties are rewritten; what they become may run on within their own lines, and
 * everything after them is where it was.
 *
 * The reader (3.7 MB) is loaded at the first call; results are kept for programs that come again.
 */
export function stripTypes(program: string): StrippedCell {
  return cache.get(program, () => {
    const result = stripToTree(program);
    return result.ok ? { ok: true, code: result.code } : { ok: false, problem: result.problem };
  });
}

/** As `stripTypes`, not cached, with the syntax tree of the result. */
export function stripToTree(program: string): StrippedTree {
  let source = program;
  for (let repairs = 0; ; repairs++) {
    try {
      return stripSource(source);
    } catch (error) {
      if (error instanceof StripperMissing) return { ok: false, problem: unread(program, error) };
      if (!isComplaint(error)) return { ok: false, problem: tooMuch(program), gaveUp: true };
      const offset = offsetOf(source, error);
      if (!/'import', and 'export'/.test(error.message))
        return { ok: false, problem: complaint(program, offset, error) };
      const repaired = repairs < MOST_REPAIRS ? blankTypeImport(source, offset) : undefined;
      if (repaired === undefined) return { ok: false, problem: moduleSyntax(program, offset) };
      source = repaired;
    }
  }
}

function stripSource(source: string): StrippedTree {
  try {
    const code = unwrap(keepSemicolons(HEAD + source + TAIL, runStripper(HEAD + source + TAIL, BLANK).code));
    const parsed = parseBody(code);
    if (parsed.ok) return { ok: true, code, tree: parsed.tree };
    const { offset, message } = parsed;
    // The blanking mode leaves assertions such as `<const>x` alone.
    if (code[offset] === '<') {
      const rewritten = rewrite(source);
      if (rewritten.ok) return rewritten;
    }
    return { ok: false, problem: syntaxProblem(source, offset, message) };
  } catch (error) {
    if (!isComplaint(error) || error.code !== 'UnsupportedSyntax') throw error;
    return rewrite(source);
  }
}

/** For what cannot be blanked: the reader writes the program anew, and we put its tokens back in their places. */
function rewrite(source: string): StrippedTree {
  const { code: written, map } = runStripper(HEAD + source + TAIL, REWRITE);
  const code = realign(written, map!, HEAD.length, source);
  const parsed = parseBody(code);
  if (parsed.ok) return { ok: true, code, tree: parsed.tree };
  const problem = syntaxProblem(source, parsed.offset, parsed.message);
  return { ok: false, problem };
}

function unwrap(code: string): string {
  return code.slice(HEAD.length, -TAIL.length);
}

/**
 * Puts back each semicolon that was blanked at the end of a declaration: without it the next line could run on from the
 * line before (`let a = 1` / `type T = 1` / `;[a].map(f)`).
 */
function keepSemicolons(source: string, code: string): string {
  if (code.length !== source.length) return code;
  let result = '';
  let copied = 0;
  for (let at = source.indexOf(';'); at !== -1; at = source.indexOf(';', at + 1)) {
    if (code[at] !== ' ') continue;
    let next = at + 1;
    while (next < source.length && /\s/.test(source[next]!)) next++;
    if (next < source.length && code[next] !== source[next]) continue;
    result += `${code.slice(copied, at)};`;
    copied = at + 1;
  }
  return result + code.slice(copied);
}

/** Blanks a type-only import, or the `export` before a type, which mean nothing at run time. */
function blankTypeImport(source: string, offset: number): string | undefined {
  const rest = source.slice(offset, offset + 10_000);
  const match =
    /^import\s+type\s(?!\s*from\s*['"])[^'"`;=]*(['"])[^'"\n]*\1;?/.exec(rest) ??
    /^export(?=\s+(?:declare\s+)?(?:type|interface)\s+[\w$])/.exec(rest);
  if (match === null) return undefined;
  const blank = match[0].replace(/[^\r\n\u2028\u2029]/g, ' ');
  return source.slice(0, offset) + blank + source.slice(offset + blank.length);
}

function moduleSyntax(program: string, offset: number): CellProblem {
  const rest = program.slice(offset, offset + 2_000);
  const from = /^(?:import|export)\b[^'"`;]*?(?:\bfrom\s*)?(['"])([^'"\n]*)\1/.exec(rest);
  if (rest.startsWith('export') && !from) {
    return problemAt(
      program,
      offset,
      'syntax',
      'export is not possible: a program is the body of an async function',
      'Remove export, and give the result back with return.',
    );
  }
  return moduleProblem(program, { what: 'import', start: offset, ...(from ? { module: from[2]! } : {}) });
}

function complaint(program: string, offset: number, { message }: StripperComplaint): CellProblem {
  // The lists of what was expected name every token that could begin an expression.
  const short = message.replace(/^(Unexpected token `[^`]*`)\. Expected .{60,}$/s, '$1');
  return syntaxProblem(program, offset, short);
}

function unread(program: string, { message }: StripperMissing): CellProblem {
  const hint = 'Write plain JavaScript, or install the reader.';
  return problemAt(program, 0, 'unavailable', `The program is no JavaScript, and ${message}`, hint);
}

function tooMuch(program: string): CellProblem {
  return problemAt(program, 0, 'syntax', 'The program is nested too deeply to be read as TypeScript');
}

/** Where in the program a complaint points, as an offset. */
function offsetOf(source: string, { startLine, startColumn, message }: StripperComplaint): number {
  const start = lineStart(source, startLine);
  const before = source.slice(start, start + startColumn);
  const inHead = startLine === 1 ? HEAD.length : 0;
  if (!/[^ -~]/.test(before)) return Math.min(Math.max(start + startColumn - inHead, 0), source.length);
  // The column is as wide as a terminal shows it. One of a text with plain characters alone is exact.
  const plain = source.replace(/[^\n\r\u2028\u2029 -~]/g, (char) => (/\s/.test(char) ? ' ' : 'a'));
  try {
    runStripper(HEAD + plain + TAIL, BLANK);
  } catch (error) {
    if (isComplaint(error) && error.startLine === startLine && error.message === message) {
      return Math.min(Math.max(start + error.startColumn - inHead, 0), source.length);
    }
  }
  return start;
}

function lineStart(source: string, line: number): number {
  const breaks = /\r\n?|[\n\u2028\u2029]/g;
  let start = 0;
  for (let at = 1; at < line; at++) {
    if (breaks.exec(source) === null) break;
    start = breaks.lastIndex;
  }
  return start;
}
