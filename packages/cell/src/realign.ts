// Puts the tokens of rewritten code back on the lines and columns of the source that they came from.
import { decode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { type Token, tokenizer, tokTypes } from 'acorn';

/** After these a line break would end the statement or change what it says. */
const NO_BREAK_AFTER = new Set(['return', 'throw', 'break', 'continue', 'yield', 'async', 'get', 'set', 'static']);

/** Tokens of the wrapper: `async`, `function`, `_`, `(`, `)`, `{`. */
const WRAPPER_TOKENS = 6;

interface Place {
  line: number;
  column: number;
}

/**
 * @param written the code of a whole wrapper function
 * @param map its source map, as JSON
 * @param head how many characters of the wrapper precede the program on its first line
 * @param source the program
 * @returns the body alone: every token on its own line and column where nothing before it ran on
 */
export function realign(written: string, map: string, head: number, source: string): string {
  const places = decode((JSON.parse(map) as { mappings: string }).mappings);
  const tokens = [...tokenizer(written, { ecmaVersion: 'latest', sourceType: 'script', locations: true })];
  const body = tokens.slice(WRAPPER_TOKENS, -1);
  const lines = source.split('\n');
  let text = '';
  let line = 0;
  let column = 0;
  let previous = tokens[WRAPPER_TOKENS - 1]!;
  /** The last character written; asking the text for it would join its pieces each time. */
  let last = '\n';
  for (const token of body) {
    const piece = written.slice(token.start, token.end);
    if (!isInsideTemplate(token, previous)) {
      const wanted = behindBrackets(placeOf(places, token, head), piece, lines);
      if (wanted !== undefined && wanted.line > line && mayBreak(previous, token, written)) {
        text += '\n'.repeat(wanted.line - line);
        line = wanted.line;
        column = 0;
        last = '\n';
      }
      let spaces = token.start > previous.end && needsSpace(last, piece) ? 1 : 0;
      if (wanted !== undefined && wanted.line === line && wanted.column > column + spaces)
        spaces = wanted.column - column;
      if (spaces > 0) text += ' '.repeat(spaces);
      column += spaces;
    }
    text += piece;
    last = piece.at(-1) ?? last;
    const breaks = piece.split('\n');
    line += breaks.length - 1;
    column = breaks.length > 1 ? breaks.at(-1)!.length : column + piece.length;
    previous = token;
  }
  return text;
}

/** Space before the text, the `${` or the closing quote of a template would become part of it. */
function isInsideTemplate(token: Token, previous: Token): boolean {
  return token.type === tokTypes.template || previous.type === tokTypes.template;
}

/** Whether two tokens would become one, or another one, without a space. */
function needsSpace(last: string, piece: string): boolean {
  const first = piece[0]!;
  if (isWordPart(last) && isWordPart(first)) return true;
  return OPERATORS.includes(last) && OPERATORS.includes(first);
}

const OPERATORS = '+-*/%<>=!&|^~?.:#@';

function isWordPart(char: string): boolean {
  return /[\w$"'`\\\u0080-\uffff]/.test(char);
}

function mayBreak(previous: Token, next: Token, written: string): boolean {
  if (next.type === tokTypes.arrow || next.type === tokTypes.incDec) return false;
  return !NO_BREAK_AFTER.has(written.slice(previous.start, previous.end));
}

/** Where a token of the written code stood in the program; lines and columns from 0. */
function placeOf(places: SourceMapSegment[][], token: Token, head: number): Place | undefined {
  const { line, column } = token.loc!.start;
  const segments = places[line - 1];
  if (segments === undefined) return undefined;
  let low = 0;
  let high = segments.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const segment = segments[middle]!;
    if (segment[0] < column) low = middle + 1;
    else if (segment[0] > column) high = middle - 1;
    else if (segment.length === 1) return undefined;
    else return { line: segment[2], column: segment[2] === 0 ? segment[3] - head : segment[3] };
  }
  return undefined;
}

/** The map gives a token whose brackets were left out the place of the first bracket. */
function behindBrackets(place: Place | undefined, piece: string, lines: readonly string[]): Place | undefined {
  const text = place && lines[place.line];
  if (text === undefined || text.startsWith(piece, place!.column)) return place;
  let { column } = place!;
  while (/[(\s]/.test(text[column] ?? '')) column++;
  return text.startsWith(piece, column) ? { line: place!.line, column } : place;
}
