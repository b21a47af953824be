// Parses a program by itself, as the body of an async function: what closes the wrapper early is a syntax error.
import { type Options, Parser, type Program } from 'acorn';

export type ParsedBody = { ok: true; tree: Program } | { ok: false; message: string; offset: number };

const BODY: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  // Imports are parsed so that they can be named; they are refused afterwards.
  allowImportExportEverywhere: true,
};

/** Parses the body of an async function, in sloppy mode. */
export function parseBody(source: string): ParsedBody {
  try {
    return { ok: true, tree: BodyParser.parse(source, BODY) };
  } catch (error) {
    const { message, pos } = error as SyntaxError & { pos?: number };
    const offset = pos ?? 0;
    return { ok: false, message: plainMessage(message, source, offset), offset };
  }
}

function plainMessage(message: string, source: string, offset: number): string {
  const text = message.replace(/ \(\d+:\d+\)$/, '');
  if (text === 'Not enough stack space to parse input') return 'The program is nested too deeply';
  if (text !== 'Unexpected token') return text;
  if (offset >= source.length) return 'Unexpected end of the program';
  const [token] = /^(?:[\w$]{1,40}|[\s\S])/u.exec(source.slice(offset, offset + 41)) ?? [''];
  return `Unexpected token ${JSON.stringify(token)}`;
}

/** Names of a scope; the parser's own lists are searched from end to end, which takes minutes for 100,000 declarations. */
class NameList {
  readonly #names = new Set<string>();
  /** The first name, which the parser looks at for simple `catch` scopes. */
  0?: string;

  push(name: string): void {
    if (this.#names.size === 0) this[0] = name;
    this.#names.add(name);
  }

  indexOf(name: string): number {
    return this.#names.has(name) ? 0 : -1;
  }
}

interface ParserScopes {
  scopeStack: { var: unknown; lexical: unknown; functions: unknown }[];
  enterScope(flags: number): void;
}

const BodyParser = Parser.extend(
  (Base) =>
    class extends (Base as unknown as new (...args: never[]) => Parser & ParserScopes) {
      override enterScope(flags: number): void {
        super.enterScope(flags);
        const scope = this.scopeStack.at(-1)!;
        scope.var = new NameList();
        scope.lexical = new NameList();
        scope.functions = new NameList();
      }
    } as unknown as typeof Parser,
);
