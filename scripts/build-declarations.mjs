// The declarations of all packages in one pass of the compiler: compiling each package by itself reads the lower ones again and again.
// Writes packages/*/dist/**/*.d.ts; an entry whose declarations lie under another name gets a file that points at them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));

for (const folder of folders) clean(join(folder, 'dist'));
const failures = emit();
if (failures.length > 0) {
  process.stderr.write(`${failures.join('\n')}\n`);
  process.exit(1);
}
for (const folder of folders) pointEntries(folder);

/** Removes declarations of files that may be gone. */
function clean(dist) {
  if (!existsSync(dist)) return;
  for (const entry of readdirSync(dist, { recursive: true })) {
    if (entry.endsWith('.d.ts')) rmSync(join(dist, entry));
  }
}

function emit() {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const sources = parsed.fileNames.filter((file) => /\/packages\/[^/]+\/src\/(?!.*\.test\.ts$)/.test(file));
  const options = {
    ...parsed.options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: root,
  };
  const program = ts.createProgram(sources, options);
  const problems = [];
  const { diagnostics } = program.emit(undefined, (file, text) => {
    const target = file.replace(/\/src\//, '/dist/');
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withRuntimeNames(text));
  });
  for (const { file, start, messageText } of [...program.getGlobalDiagnostics(), ...diagnostics]) {
    const line = file ? `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(start).line + 1}: ` : '';
    problems.push(`${line}${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  }
  return problems;
}

/** Consumers resolve `./x.js` to `./x.d.ts`; the sources say `./x.ts`. */
function withRuntimeNames(text) {
  return text.replace(/((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2');
}

function pointEntries(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const entry of Object.values(exports)) {
    if (typeof entry !== 'object' || entry.types === undefined) continue;
    const made = join(folder, entry['codeseam-source'].replace('/src/', '/dist/').replace(/\.ts$/, '.d.ts'));
    const wanted = join(folder, entry.types);
    if (made === wanted) continue;
    const path = relative(dirname(wanted), made).replace(/\.d\.ts$/, '.js');
    const hasDefault = /\bexport default\b|\bas default\b/.test(readFileSync(made, 'utf8'));
    const specifier = `'./${path}'`;
    writeFileSync(
      wanted,
      `export * from ${specifier};\n${hasDefault ? `export { default } from ${specifier};\n` : ''}`,
    );
  }
}
