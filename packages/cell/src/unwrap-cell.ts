// From the text that a model sent to the program that it meant.
import { extractFence } from './extract-fence.ts';
import { findResult, type ResultShape } from './find-result.ts';
import { findTypedResult } from './find-typed-result.ts';
import { parseBody } from './parse-body.ts';
import { findShellLine } from './shell-line.ts';

/** What was done to the text: taken out of a fence, a function called, a value returned. */
export type CellChange = 'fence' | ResultShape['change'];

/** A longer text is taken out of its fence and not read further: unwrapping happens on the host's own thread. */
const LONGEST_READ = 100_000;

export interface UnwrappedCell {
  /** The body of an async function; every line is that of the text as sent. */
  program: string;
  changes: CellChange[];
  /** The first word after the opening fence, in lower case, such as `ts` or `python`. */
  label?: string;
  /** The text is a shell command, this one, and not a program. */
  shell?: string;
}

/**
 * Takes a program out of what is often sent around it: Markdown fences with prose, a function that is only defined (it is called), `export
 * default` (called), a bare object literal, and a last expression that was meant as the result (both returned). A text that is a program
 * with a `return` stays as it is. A shell command is recognised and named, for the caller to answer.
 */
export function unwrapCell(text: string): UnwrappedCell {
  const changes: CellChange[] = [];
  const fenced = extractFence(text);
  if (fenced) changes.push('fence');
  const program = fenced?.program ?? text;
  const label = fenced?.label ? { label: fenced.label } : {};
  const shell = findShellLine(program, fenced?.label);
  if (shell !== undefined) return { program, changes, ...label, shell };
  const shape = program.length > LONGEST_READ ? null : findShape(program);
  if (shape === null) return { program, changes, ...label };
  changes.push(shape.change);
  return { program: giveBack(program, shape), changes, ...label };
}

function findShape(program: string): ResultShape | null {
  const parsed = parseBody(program);
  return findResult(program, parsed) ?? (parsed.ok ? null : findTypedResult(program));
}

/** Writes the `return` that was meant, without moving a line, and without moving a column where there is room. */
function giveBack(program: string, shape: ResultShape): string {
  const isCall = 'call' in shape && shape.call;
  const body = program.slice(shape.start, shape.end);
  const rest = program.slice(shape.end);
  const closed = isCall ? ')()' : ')';
  if ('exportLength' in shape && shape.exportLength > 0) {
    const blank = body.slice(0, shape.exportLength).replace(/[^\r\n]/g, ' ');
    return `${program.slice(0, shape.start)}return (${blank.slice(8)}${body.slice(shape.exportLength)}${closed}${rest}`;
  }
  return `${withPrefix(program.slice(0, shape.start), 'return (')}${body}${closed}${rest}`;
}

function withPrefix(before: string, prefix: string): string {
  const blank = /[ \t]*$/.exec(before)![0];
  if (blank.length >= prefix.length) return before.slice(0, before.length - prefix.length) + prefix;
  // An empty line above, such as that of the fence, has room too.
  const above = /^([\s\S]*(?:^|\n))([ \t]*)(\r?\n[ \t]*)$/.exec(before);
  return above ? `${above[1]}${prefix}${above[3]}` : before + prefix;
}
