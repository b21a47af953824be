// A config file as data, and where in the file each part of it stands.
import { readFileSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { JsonSyntaxError, parseCommentedJson } from '@codeseam/strict-config';
import { type Document, isNode, LineCounter, parseDocument, type ScalarTag } from 'yaml';
import { LoaderError, messageOf } from './errors.ts';
import { JsExpression } from './evaluate-expression.ts';
import { describeFileProblem } from './file-problem.ts';

export interface ConfigFile {
  /** Absolute. */
  file: string;
  /** As written; `!!js` expressions are `JsExpression` objects. */
  value: unknown;
  /** The line, from 1, of the value at this path or of the nearest one around it. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

const jsTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:js',
  resolve: (source) => new JsExpression(source),
};

export interface ReadFileOptions {
  /** The folder that the path is relative to. Default: the current one. */
  folder?: string;
  /** What messages call the file. Default: `the config`. */
  what?: string;
}

/**
 * Reads a YAML file, or a JSON file (by its `.json` name), which may have comments and may not hold expressions.
 * Throws `LoaderError` `CONFIG_NOT_FOUND` or `CONFIG_SYNTAX` with the line; messages call the file as `path` does.
 */
export function readConfigFile(path: string, { folder = '.', what = 'the config' }: ReadFileOptions = {}): ConfigFile {
  const file = resolve(folder, path);
  const isJson = extname(file).toLowerCase() === '.json';
  const text = readText(file, path, what);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: !isJson,
    customTags: isJson ? [] : [jsTag],
    prettyErrors: false,
  });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  if (isJson) {
    // Comments of JSON are none of YAML: then no line is better than a wrong one.
    const knowsLines = document.errors.length === 0;
    const value = parseJson(text, file);
    return { file, value, lineOf: (where) => (knowsLines ? lineOf(document, where, lineAt) : undefined) };
  }
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) {
    const several = problem.code === 'MULTIPLE_DOCS' ? 'the file holds more than one document' : problem.message;
    throw new LoaderError('CONFIG_SYNTAX', `${basename(file)}:${lineAt(problem.pos[0])}: not valid YAML: ${several}`);
  }
  return { file, value: toValue(document, file), lineOf: (where) => lineOf(document, where, lineAt) };
}

function readText(file: string, given: string, what: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const message = `cannot read ${what} ${given}: ${describeFileProblem(error, given, 'read')}`;
    throw new LoaderError('CONFIG_NOT_FOUND', message, { cause: error });
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return parseCommentedJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const where = `${basename(file)}:${error.line}:${error.column}`;
    throw new LoaderError('CONFIG_SYNTAX', `${where}: not valid JSON: ${error.message}`, { cause: error });
  }
}

function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // An alias without an anchor, or aliases that would grow without bound.
    throw new LoaderError('CONFIG_SYNTAX', `${basename(file)}: not valid YAML: ${messageOf(error)}`, { cause: error });
  }
}

function lineOf(document: Document, path: readonly PropertyKey[], lineAt: (offset: number) => number) {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lineAt(node.range[0]);
  }
  return undefined;
}
