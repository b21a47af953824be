import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { createLoader } from '@codeseam/cordis-loader';
import { type CliIo, runCli } from 'codeseam';
import { Context } from 'cordis';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CodeBlock, codeBlocks, pages } from './read-docs.ts';
import { root } from './read-packages.ts';

const blocks = pages().flatMap(codeBlocks);
const named = (language: string) =>
  blocks.filter((block) => block.language === language).map((block) => [`${block.file}:${block.line}`, block] as const);

/** Where extracted programs live while they run: inside this package, so that their imports resolve. */
const here = dirname(fileURLToPath(import.meta.url));
const extracted = join(here, '.docs');

const startedIn = process.cwd();
beforeAll(() => {
  mkdirSync(extracted, { recursive: true });
  // A project that has our packages installed: rows without a file resolve from the current folder.
  process.chdir(here);
});
afterAll(() => {
  process.chdir(startedIn);
  rmSync(extracted, { recursive: true, force: true });
});

function extract(block: CodeBlock, index: number): string {
  const file = join(extracted, `${block.file.replace(/\W+/g, '-')}-${index}.ts`);
  writeFileSync(file, `${block.text}\nexport {};\n`);
  return file;
}

/** A block whose fence says `fragment: reason` is a part of something: it is parsed and not run. */
const isFragment = (block: CodeBlock) => block.info.startsWith('fragment');

describe('TypeScript in the docs', () => {
  test('type-checks against the workspace', () => {
    const files = named('ts')
      .filter(([, block]) => !isFragment(block))
      .map(([name, block], index) => [extract(block, index), name] as const);
    const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
    const ambient = join(root, 'packages/code-runtime-quickjs/src/bundle-text.d.ts');
    const program = ts.createProgram([...files.map(([file]) => file), ambient], options);
    const names = new Map(files);
    const problems = files.flatMap(([file]) => {
      const source = program.getSourceFile(file)!;
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
        (it) => `${names.get(file)}: ${ts.flattenDiagnosticMessageText(it.messageText, ' ')}`,
      );
    });
    expect(problems).toEqual([]);
  }, 120_000);

  test.each(named('ts').filter(([, block]) => isFragment(block)))(
    '%s is a fragment with a reason, and parses',
    (_name, block) => {
      expect(block.info).toMatch(/^fragment: \S/);
      const source = ts.createSourceFile('fragment.ts', block.text, ts.ScriptTarget.Latest, false);
      expect((source as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics).toEqual([]);
    },
  );

  test.each(named('ts').filter(([, block]) => !isFragment(block)))(
    '%s runs',
    async (_name, block) => {
      const log = vi.spyOn(console, 'log').mockImplementation(() => {});
      try {
        await import(/* @vite-ignore */ extract(block, blocks.indexOf(block)));
        // `console.log(x); // text` says what it prints.
        const promised = [...block.text.matchAll(/^console\.log\(.*\); \/\/ (.+)$/gm)].map((match) => match[1]);
        const printed = log.mock.calls.map((args) => format(...args));
        for (const line of promised) expect(printed).toContain(line);
      } finally {
        log.mockRestore();
      }
    },
    60_000,
  );
});

describe('YAML in the docs', () => {
  test.each(named('yaml').filter(([, block]) => block.text.trimStart().startsWith('-')))(
    '%s mounts without a failed row',
    async (_name, block) => {
      const folder = mkdtempSync(join(tmpdir(), 'codeseam-docs-'));
      const file = join(folder, 'cordis.yml');
      writeFileSync(file, block.text);
      const ctx = new Context();
      try {
        // Tokens that an example takes from the environment are there.
        const env = new Proxy(
          {},
          {
            get: () => 'x',
            ownKeys: () => names(block.text),
            getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 'x' }),
          },
        );
        const loader = await createLoader(ctx, { file, env, fallbacks: [import.meta.url] });
        await loader.settled();
        expect(
          loader
            .rows()
            .filter((row) => row.error)
            .map((row) => row.error!.message),
        ).toEqual([]);
        await loader.dispose();
      } finally {
        await ctx.fiber.dispose();
        rmSync(folder, { recursive: true, force: true });
      }
    },
    60_000,
  );
});

const names = (text: string) => [...text.matchAll(/\benv\.(\w+)/g)].map((match) => match[1]!);

test.each(named('json'))('%s is JSON', (_name, block) => {
  expect(() => JSON.parse(block.text)).not.toThrow();
});

/** Commands of the docs that are not run here, and where they are. */
const RUN_ELSEWHERE: Record<string, string> = {
  'npm run demo': 'scripts/check-fresh-clone.mjs',
  'npm test': 'scripts/check-fresh-clone.mjs',
  'codeseam serve': 'packages/mcp-server, and tests/front.test.ts in a process of its own',
  'codeseam serve --http 127.0.0.1:8123': 'packages/mcp-server, and tests/front.test.ts in a process of its own',
};

describe('commands in the docs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codeseam-docs-'));
  beforeAll(() => {
    // What the pages speak of: a client's file, and servers that are installed with this repository.
    const server = (name: string) => join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
    const mcpServers = { everything: { command: process.execPath, args: [server('everything')] } };
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const commands = named('sh').flatMap(([name, block]) =>
    block.text
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '')
      .map((line) => [`${name} ${line.replace(/^npx /, '')}`, line.replace(/^npx /, '')] as const),
  );
  // In the order of the pages: each step finds what the one before it left.
  test.sequential.each(commands)(
    '%s',
    async (_name, line) => {
      if (RUN_ELSEWHERE[line] !== undefined) return;
      expect(line).toMatch(/^codeseam /);
      if (line === 'codeseam init') rmSync(join(folder, 'cordis.yml'), { force: true });
      if (/\b(?:call|exec|search)\b/.test(line)) await runQuietly(['init', '--from', 'mcp.json', '--force'], folder);
      const result = await runQuietly(splitShell(line).slice(1), folder);
      expect([result.code, result.code === 0 ? '' : result.stderr]).toEqual([0, '']);
    },
    60_000,
  );
});

/** Words of a shell line: blanks and single quotes. */
function splitShell(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2]!);
}

async function runQuietly(argv: string[], cwd: string) {
  const output = { stdout: '', stderr: '' };
  const capture = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk, _encoding, done) {
        output[name] += String(chunk);
        done();
      },
    });
  const io: CliIo = {
    stdin: Readable.from([]),
    stdout: capture('stdout'),
    stderr: capture('stderr'),
    env: process.env,
    cwd,
    interrupt: new AbortController().signal,
  };
  return { code: await runCli(argv, io), ...output };
}

test('every language of a code block is one that is tested, or is for people alone', () => {
  // `console` is what a person types where nothing of this repository is: it needs the registry.
  const known = ['ts', 'yaml', 'json', 'sh', 'text', 'console', ''];
  const unknown = blocks
    .filter((block) => !known.includes(block.language))
    .map((block) => `${block.file}:${block.line} ${block.language}`);
  expect(unknown).toEqual([]);
});

test('every relative link of a page leads somewhere', () => {
  const broken = pages().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/```[\s\S]*?```/g, '');
    return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map((match) => join(dirname(file), match[1]!))
      .filter((target) => !exists(target))
      .map((target) => `${file}: ${target}`);
  });
  expect(broken).toEqual([]);
});

function exists(path: string): boolean {
  try {
    readFileSync(join(root, path));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
}
