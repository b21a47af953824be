// Finds the meant result of a TypeScript program on its tokens alone: reading its types is not for the thread that unwraps.
import { type Token, tokenizer, tokTypes } from 'acorn';
import type { ResultShape } from './find-result.ts';

/** A token and how many brackets are open around it. */
interface DepthToken {
  readonly token: Token;
  readonly text: string;
  readonly depth: number;
}

const STATEMENT_WORD =
  /^(?:const|let|var|if|for|while|do|return|throw|switch|try|class|interface|enum|namespace|import|export)$/;

/** A lone function, arrow function or default-exported one, or a last call of a function declared before; else null. */
export function findTypedResult(program: string): ResultShape | null {
  const tokens = readTokens(program);
  if (tokens === null || tokens.length < 3) return null;
  const last = tokens.at(-1)!.text === ';' ? tokens.length - 2 : tokens.length - 1;
  const end = tokens[last]!.token.end;
  const start = tokens[0]!.token.start;
  if (tokens[0]!.text === 'export' && tokens[1]!.text === 'default') {
    if (!isLoneFunction(tokens, 2, last)) return null;
    const exportLength = tokens[1]!.token.end - start;
    return { change: 'default-export', start, end, call: true, exportLength };
  }
  if (isLoneFunction(tokens, 0, last)) return { change: 'function', start, end, call: true, exportLength: 0 };
  const call = lastCall(tokens, last);
  return call === null ? null : { change: 'last-expression', start: call, end };
}

function readTokens(program: string): DepthToken[] | null {
  const tokens: DepthToken[] = [];
  let depth = 0;
  try {
    for (const token of tokenizer(program, { ecmaVersion: 'latest' })) {
      const { type } = token;
      const text = program.slice(token.start, token.end);
      if (type === tokTypes.braceR || type === tokTypes.parenR || type === tokTypes.bracketR) depth--;
      tokens.push({ token, text, depth });
      const opens =
        type === tokTypes.braceL ||
        type === tokTypes.parenL ||
        type === tokTypes.bracketL ||
        type === tokTypes.dollarBraceL;
      if (opens) depth++;
    }
  } catch {
    return null;
  }
  return depth === 0 ? tokens : null;
}

function isLoneFunction(tokens: DepthToken[], first: number, last: number): boolean {
  let at = first;
  if (tokens[at]?.text === 'async') at++;
  const outer = tokens.slice(at, last + 1).filter(({ depth }) => depth === 0);
  if (outer.some(({ text }) => text === ';')) return false;
  if (outer[0]?.text === 'function') {
    const others = outer.slice(1).some(({ text }) => text === 'function' || text === '=' || STATEMENT_WORD.test(text));
    return !others && outer.at(-1)!.text === '}';
  }
  const arrow = outer.findIndex(({ text }) => text === '=>');
  if (arrow < 1 || !/^(?:\(|<|[\w$]+$)/.test(outer[0]!.text)) return false;
  if (outer.some(({ text }) => STATEMENT_WORD.test(text))) return false;
  // A block body ends the arrow function; with anything behind it, it was not alone.
  const opened = outer[arrow + 1]!;
  return (
    opened.text !== '{' || outer.findIndex(({ text }, index) => index > arrow && text === '}') === outer.length - 1
  );
}

/** Where a last statement such as `await main()` begins, if the program declares that function. */
function lastCall(tokens: DepthToken[], last: number): number | null {
  if (tokens[last]!.text !== ')' || tokens[last]!.depth !== 0) return null;
  let open = last - 1;
  while (open > 0 && !(tokens[open]!.text === '(' && tokens[open]!.depth === 0)) open--;
  const name = tokens[open - 1];
  if (!name || name.token.type !== tokTypes.name) return null;
  const first = tokens[open - 2]?.text === 'await' ? open - 2 : open - 1;
  const before = tokens[first - 1];
  if (before && before.text !== '}' && before.text !== ';') return null;
  const isDeclared = tokens.some(
    ({ text, depth }, index) =>
      depth === 0 && text === name.text && /^(?:function|const|let)$/.test(tokens[index - 1]?.text ?? ''),
  );
  const returns = tokens.some(({ text, depth }) => depth === 0 && text === 'return');
  return isDeclared && !returns ? tokens[first]!.token.start : null;
}
