// For tests: compiles many small TypeScript texts in one program and tells which statements are in error.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export interface SourceCase {
  /** Unique; becomes a file name. */
  name: string;
  /** Declarations that must compile without any error. */
  declarations: string;
  /** One statement each. */
  statements: readonly string[];
}

export interface CompiledCase {
  /** Messages for the declarations themselves. */
  errors: string[];
  /** For each statement, its first error, or undefined if it compiles. */
  statements: (string | undefined)[];
  /** Places where the declarations say `any`. */
  anyCount: number;
}

const libFolder = dirname(createRequire(import.meta.url).resolve('typescript'));
const libFiles = new Map<string, ts.SourceFile>();

/** Compiles under `strict` with the ES2023 library; each case is a module of its own. */
export function compileCases(cases: readonly SourceCase[]): CompiledCase[] {
  const texts = new Map<string, string>();
  const lines = cases.map((item, index) => {
    const head = `export {};\n${item.declarations}\n`;
    texts.set(
      `/${index}.ts`,
      head + item.statements.map((statement) => `${statement.replace(/[\n\r\u2028\u2029]/g, ' ')}\n`).join(''),
    );
    return head.split('\n').length - 1;
  });
  const program = ts.createProgram([...texts.keys()], OPTIONS, hostOf(texts));
  return cases.map((item, index) => {
    const source = program.getSourceFile(`/${index}.ts`)!;
    const result: CompiledCase = {
      errors: [],
      statements: item.statements.map(() => undefined),
      anyCount: countAny(source, lines[index]!),
    };
    for (const diagnostic of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
      const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
      const statement = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line - lines[index]!;
      if (statement < 0 || statement >= item.statements.length) result.errors.push(message);
      else result.statements[statement] ??= message;
    }
    return result;
  });
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.ESNext,
  types: [],
};

function hostOf(texts: ReadonlyMap<string, string>): ts.CompilerHost {
  return {
    getSourceFile(fileName, languageVersion) {
      const text = texts.get(fileName);
      if (text !== undefined) return ts.createSourceFile(fileName, text, languageVersion, true);
      const known = libFiles.get(fileName);
      if (known !== undefined) return known;
      const content = ts.sys.readFile(fileName);
      if (content === undefined) return undefined;
      const parsed = ts.createSourceFile(fileName, content, languageVersion, true);
      libFiles.set(fileName, parsed);
      return parsed;
    },
    fileExists: (fileName) => texts.has(fileName) || ts.sys.fileExists(fileName),
    readFile: (fileName) => texts.get(fileName) ?? ts.sys.readFile(fileName),
    getDefaultLibFileName: () => join(libFolder, 'lib.es2023.d.ts'),
    getDefaultLibLocation: () => libFolder,
    writeFile: () => undefined,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (fileName) => fileName,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  };
}

function countAny(source: ts.SourceFile, lines: number): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (source.getLineAndCharacterOfPosition(node.getStart(source)).line >= lines) return;
    if (node.kind === ts.SyntaxKind.AnyKeyword) count++;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return count;
}
