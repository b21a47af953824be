// Entry `@codeseam/mcp-dts/check`: do declaration files compile? The TypeScript compiler is loaded when first asked.

import { McpDtsError } from './errors.ts';

type TypeScript = typeof import('typescript');

export interface DeclarationError {
  /** From 1. */
  line: number;
  column: number;
  message: string;
}

export interface FailedFile {
  path: string;
  errors: DeclarationError[];
}

export interface CompileResult {
  ok: boolean;
  /** Files that do not compile, by path; empty if all do. */
  failed: FailedFile[];
  /** Places that say `any`, over all files. Ours never do. */
  anyCount: number;
}

export interface SourceText {
  path: string;
  content: string;
}

/**
 * Compiles files together under `tsc --strict` (ES2023, no other types in scope) without touching the disk. Paths are only names; `.d.ts` and `.ts` both
 * work, so programs can be checked against declarations. Throws `McpDtsError` (`compiler_missing`) if `typescript` is not installed.
 */
export async function compileDeclarations(files: readonly SourceText[]): Promise<CompileResult> {
  const ts = await loadCompiler();
  const texts = new Map(files.map(({ path, content }) => [rooted(path), content]));
  const program = ts.createProgram([...texts.keys()], compilerOptions(ts), createHost(ts, texts));
  const failed: FailedFile[] = [];
  let anyCount = 0;
  for (const { path } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const source = program.getSourceFile(rooted(path));
    if (source === undefined) continue;
    anyCount += countAny(ts, source);
    const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    if (diagnostics.length > 0) failed.push({ path, errors: diagnostics.map((item) => describe(ts, source, item)) });
  }
  return { ok: failed.length === 0, failed, anyCount };
}

async function loadCompiler(): Promise<TypeScript> {
  try {
    const loaded = await import('typescript');
    return loaded.default ?? loaded;
  } catch {
    throw new McpDtsError(
      'compiler_missing',
      'Checking declarations needs the package `typescript`, which is not installed.',
      'Run `npm install typescript@5.9`.',
    );
  }
}

function rooted(path: string): string {
  return `/declarations/${path.replace(/^\/+/, '')}`;
}

function compilerOptions(ts: TypeScript): import('typescript').CompilerOptions {
  return {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.ESNext,
    types: [],
  };
}

function createHost(ts: TypeScript, texts: ReadonlyMap<string, string>): import('typescript').CompilerHost {
  const base = ts.createCompilerHost(compilerOptions(ts));
  return {
    ...base,
    getSourceFile(fileName, languageVersion, onError) {
      const text = texts.get(fileName);
      return text === undefined
        ? base.getSourceFile(fileName, languageVersion, onError)
        : ts.createSourceFile(fileName, text, languageVersion, true);
    },
    fileExists: (fileName) => texts.has(fileName) || base.fileExists(fileName),
    readFile: (fileName) => texts.get(fileName) ?? base.readFile(fileName),
    writeFile: () => undefined,
    getCurrentDirectory: () => '/declarations',
    getCanonicalFileName: (fileName) => fileName,
    useCaseSensitiveFileNames: () => true,
  };
}

function describe(
  ts: TypeScript,
  source: import('typescript').SourceFile,
  diagnostic: import('typescript').Diagnostic,
): DeclarationError {
  const { line, character } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
  return {
    line: line + 1,
    column: character + 1,
    message: ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '),
  };
}

function countAny(ts: TypeScript, source: import('typescript').SourceFile): number {
  let count = 0;
  const visit = (node: import('typescript').Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) count++;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return count;
}
