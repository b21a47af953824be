// JSON as people keep it in files: comments and trailing commas are taken, and what is wrong is told by its line.

/** Where a text stops being JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  constructor(
    message: string,
    /** From 1. */
    readonly line: number,
    /** From 1, in UTF-16 units. */
    readonly column: number,
  ) {
    super(message);
  }
}

/**
 * The value of a JSON text that may have comments, commas before a closing bracket, and a byte order mark.
 * Throws `JsonSyntaxError`.
 */
export function parseCommentedJson(text: string): unknown {
  const plain = withoutComments(text.replace(/^\uFEFF/, ' '));
  try {
    return JSON.parse(plain);
  } catch {
    throw locate(plain);
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*(?:\/\/[^\n]*\s*|\/\*[\s\S]*?\*\/\s*)*[}\]])/g;

/** Every character keeps its place. */
function withoutComments(text: string): string {
  return text.replaceAll(TOKEN, (found) => (found.startsWith('"') ? found : found.replaceAll(/[^\n]/g, ' ')));
}

/** Node tells the place of some errors only: it is where the shortest beginning ends that cannot become JSON. */
function locate(text: string): JsonSyntaxError {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (middle <= text.length && mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const isAtEnd = good >= text.trimEnd().length;
  const at = isAtEnd ? Math.max(0, text.trimEnd().length - 1) : good;
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  if (isAtEnd) return new JsonSyntaxError(text.trim() === '' ? 'it is empty' : 'it ends too early', line, column);
  const found = text.slice(at, at + 20).split('\n')[0];
  return new JsonSyntaxError(`unexpected ${found === '' ? 'end of the line' : JSON.stringify(found)}`, line, column);
}

/** Whether more text could make it JSON. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    if (/Unexpected end|Unterminated string/.test(message)) return true;
    const position = /at position (\d+)/.exec(message)?.[1];
    return position !== undefined && Number(position) >= text.length;
  }
}
