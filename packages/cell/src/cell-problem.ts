// What can be wrong with a program before it runs, and where.

export type CellLanguage = 'javascript' | 'typescript';

/** Why a program is refused before anything runs. Lines and columns count from 1, in the text as sent. */
export interface CellProblem {
  /** `unavailable`: it is TypeScript whose reader cannot be loaded, or no reader got through it. */
  kind: 'syntax' | 'module-access' | 'unavailable';
  message: string;
  line: number;
  column: number;
  /** What to do instead. */
  hint?: string;
}

const LINE_BREAK = /\r\n?|[\n\u2028\u2029]/g;

/** The line and column of an offset, from 1. */
export function positionOf(source: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  LINE_BREAK.lastIndex = 0;
  for (let match = LINE_BREAK.exec(source); match !== null; match = LINE_BREAK.exec(source)) {
    if (match.index + match[0].length > offset) break;
    line++;
    start = match.index + match[0].length;
  }
  return { line, column: offset - start + 1 };
}

/** A problem at an offset of the source. */
export function problemAt(
  source: string,
  offset: number,
  kind: CellProblem['kind'],
  message: string,
  hint?: string,
): CellProblem {
  return { kind, message, ...positionOf(source, offset), ...(hint === undefined ? {} : { hint }) };
}
