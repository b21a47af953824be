// `!!js` expressions of a config file: evaluated with `env` alone, giving plain data.
import { createContext, Script } from 'node:vm';
import { messageOf } from './errors.ts';

/** The text of an expression, standing in the parsed file where its value will be. */
export class JsExpression {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What runs before the expression, inside its own realm, so that no object of the host is in reach.
 * Reading a variable that is not set throws, unless every use of it in the text stands before `??` or `||`.
 */
const PRELUDE = `
  const { variables, optional } = JSON.parse(input);
  const env = new Proxy(Object.assign(Object.create(null), variables), {
    get(target, name) {
      if (typeof name === 'symbol' || name in target || optional.includes(name)) return target[name];
      throw new Error('the environment variable ' + name + ' is not set');
    },
    set() { throw new Error('env cannot be changed'); },
  });
`;

/**
 * The JSON value of an expression. Throws an `Error` whose message says what is wrong: a syntax error,
 * a variable that is not set, a value that is not JSON, or more than 100 ms of work.
 */
export function evaluateExpression(source: string, environment: Environment): unknown {
  const input = JSON.stringify({ variables: environment, optional: variablesWithFallback(source) });
  const context = createContext(Object.assign(Object.create(null), { input }), {
    codeGeneration: { strings: false, wasm: false },
  });
  const program = `'use strict'; ${PRELUDE}; const value = (\n${source}\n); JSON.stringify({ value })`;
  let json: string;
  try {
    json = new Script(program, { filename: 'expression' }).runInContext(context, { timeout: 100 }) as string;
  } catch (error) {
    // An error of the other realm is no instance of this one's Error.
    const message = (error as { message?: unknown } | null)?.message;
    throw new Error(typeof message === 'string' ? message : messageOf(error));
  }
  const result = JSON.parse(json) as { value?: unknown };
  if (!('value' in result)) throw new Error('the expression has no value that a config can hold');
  return result.value;
}

/** Names of variables that are only ever read with a fallback: `env.PORT ?? 8080`. */
function variablesWithFallback(source: string): string[] {
  const names = new Set([...source.matchAll(/\benv\s*\.\s*([A-Za-z_]\w*)/g)].map((match) => match[1]!));
  return [...names].filter((name) => {
    const uses = source.match(new RegExp(`\\benv\\s*\\.\\s*${name}\\b`, 'g'))!.length;
    const guarded = source.match(new RegExp(`\\benv\\s*\\.\\s*${name}\\b\\s*(?:\\?\\?|\\|\\|)`, 'g'))?.length ?? 0;
    return uses === guarded;
  });
}

/** A copy of `value` with every expression replaced by its value. Throws with the path of the one that fails. */
export function evaluateExpressions(value: unknown, environment: Environment, path: readonly PropertyKey[]): unknown {
  if (value instanceof JsExpression) {
    try {
      return evaluateExpression(value.source, environment);
    } catch (error) {
      throw new ExpressionError(path, `\`${value.source.trim()}\`: ${messageOf(error)}`);
    }
  }
  if (Array.isArray(value)) return value.map((item, index) => evaluateExpressions(item, environment, [...path, index]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, evaluateExpressions(item, environment, [...path, key])]),
  );
}

/** Where an expression stands that could not be evaluated, and why. */
export class ExpressionError extends Error {
  readonly path: readonly PropertyKey[];
  constructor(path: readonly PropertyKey[], message: string) {
    super(message);
    this.path = path;
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
