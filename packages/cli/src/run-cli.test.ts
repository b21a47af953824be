import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from './commands/index.ts';
import { runCliForTest } from './test-io.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeseam-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...argv: string[]) => runCliForTest(argv, { cwd: folder });

describe('usage errors are one clear line on stderr and exit code 2', () => {
  test.each([
    ['an unknown command', ['exce'], 'error: unknown command "exce"\nhint: did you mean exec?\n'],
    [
      'an unknown flag',
      ['exec', '--jsno', '--code', '1'],
      'error: codeseam exec: unknown option --jsno (did you mean --json?)\nhint: codeseam exec --help\n',
    ],
    ['a short flag', ['exec', '-j'], 'error: codeseam exec: unknown option -j\nhint: codeseam exec --help\n'],
    [
      'a flag without its value',
      ['exec', '--code', '--json'],
      'error: codeseam exec: --code needs a value: --code TEXT\nhint: codeseam exec --help\n',
    ],
    [
      'a flag at the end without its value',
      ['exec', '--code'],
      'error: codeseam exec: --code needs a value: --code TEXT\nhint: codeseam exec --help\n',
    ],
    [
      'a switch with a value',
      ['exec', '--json=yes', '--code', '1'],
      'error: codeseam exec: --json takes no value\nhint: codeseam exec --help\n',
    ],
    [
      'a flag that comes twice',
      ['exec', '--code', '1', '--code', '2'],
      'error: codeseam exec: --code is given twice\nhint: codeseam exec --help\n',
    ],
    [
      'a value out of range',
      ['exec', '--timeout', '0', '--code', '1'],
      'error: codeseam exec: --timeout must be a whole number from 1 to 2147483647, got "0"\nhint: codeseam exec --help\n',
    ],
    [
      'a value that is no number',
      ['search', 'x', '--limit', 'ten'],
      'error: codeseam search: --limit must be a whole number from 1 to 50, got "ten"\nhint: codeseam search --help\n',
    ],
    [
      'a value that is none of the choices',
      ['exec', '--language', 'py', '--code', '1'],
      'error: codeseam exec: --language must be ts or js, got "py"\nhint: codeseam exec --help\n',
    ],
    [
      'an argument too many',
      ['exec', 'a.ts', 'b.ts'],
      'error: codeseam exec: unexpected argument "b.ts"\nhint: codeseam exec --help\n',
    ],
    ['an argument too few', ['search'], 'error: codeseam search: QUERY is missing\nhint: codeseam search --help\n'],
    [
      'no program',
      ['exec'],
      'error: no program: give a FILE, - for stdin, or --code TEXT\nhint: codeseam exec --help\n',
    ],
    ['two programs', ['exec', 'a.ts', '--code', '1'], 'error: give a FILE or --code, not both\n'],
    ['an empty program', ['exec', '--code', '  '], 'error: the program is empty\n'],
    ['a file that is not there', ['exec', 'absent.ts'], 'error: cannot read absent.ts: no such file\n'],
    ['input that is not JSON', ['call', 'x', '--input', '{a:1}'], /^error: --input is not JSON: .*\nhint: .*\n$/],
    [
      'a config that is not there',
      ['exec', '--code', '1', '--config', 'absent.yml'],
      /^error: cannot read the config .*absent\.yml: no such file\n$/,
    ],
  ])('%s', async (_what, argv, stderr) => {
    const result = await run(...argv);
    expect(result.code).toBe(2);
    expect(result.stdout).toBe('');
    if (typeof stderr === 'string') expect(result.stderr).toBe(stderr);
    else expect(result.stderr).toMatch(stderr);
  });

  test('broken YAML, with file and line', async () => {
    writeFileSync(join(folder, 'broken.yml'), '- name: x\n  config: {\n- b\n');
    const result = await run('exec', '--code', 'return 1', '--config', 'broken.yml');
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/^error: broken\.yml:\d: not valid YAML: /);
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  const TOOLS = "- name: '@codeseam/tools'\n";
  const CODE_MODE = "- name: '@codeseam/code-mode'\n  config: { enabled: true }\n";
  const RUNTIME = "- name: '@codeseam/code-runtime-quickjs'\n";
  test.each([
    [
      'no row for the registry',
      RUNTIME + CODE_MODE,
      "no row provides tools\nhint: add - name: '@codeseam/tools' to the config",
    ],
    [
      'a registry row that failed',
      `${TOOLS}  config: { mode: cod }\n${RUNTIME}${CODE_MODE}`,
      /^error: rows\.yml:2: row @codeseam\/tools: mode: expected /,
    ],
    [
      'no row for a runtime',
      TOOLS + CODE_MODE,
      "no row provides codeRuntime\nhint: add - name: '@codeseam/code-runtime-quickjs' to the config",
    ],
    [
      'a misspelt runtime',
      `${TOOLS}- name: '@codeseam/code-runtime-quikjs'\n${CODE_MODE}`,
      /is not installed or not there\nhint: did you mean @codeseam\/code-runtime-quickjs\?/,
    ],
  ])('%s ends exec and serve before anything runs, with the row to mend', async (_, rows, expected) => {
    writeFileSync(join(folder, 'rows.yml'), rows);
    for (const command of [['exec', '--code', 'return 1'], ['serve']]) {
      const result = await run(...command, '--config', 'rows.yml');
      expect(result).toMatchObject({ code: 2, stdout: '' });
      const error = result.stderr.slice(result.stderr.indexOf('error:'));
      if (typeof expected === 'string') expect(error).toBe(`error: ${expected}\n`);
      else expect(error).toMatch(expected);
    }
  });

  test('no command at all shows the help on stderr', async () => {
    const result = await run();
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('Usage: codeseam COMMAND');
  });
});

describe('options may stand before the command', () => {
  test.each([
    [['--code', 'return 1', 'exec'], 0, '1\n'],
    [['--json', '--code', 'return 1', 'exec'], 0, /"value": 1/],
    [['--code', 'exec', 'exec'], 1, ''],
    [['--code=return 2', 'exec'], 0, '2\n'],
  ])('%j', async (argv, code, stdout) => {
    const result = await run(...argv);
    expect(result.code).toBe(code);
    if (typeof stdout === 'string') expect(result.stdout).toBe(stdout);
    else expect(result.stdout).toMatch(stdout);
  });

  test('alone they say that a command is missing', async () => {
    expect(await run('--json')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: --json needs a command/),
    });
  });
});

describe('help is data', () => {
  test('--help lists every command on stdout', async () => {
    const result = await run('--help');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    for (const command of commands) expect(result.stdout).toContain(`  ${command.name}`);
    for (const other of ['help [COMMAND]', '--version', '--help', 'CODESEAM_TOKEN'])
      expect(result.stdout).toContain(other);
  });

  test.each(commands.map((command) => command.name))('%s --help shows its options and an example', async (name) => {
    const command = commands.find((candidate) => candidate.name === name)!;
    const result = await run(name, '--help');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain(`codeseam ${name}: ${command.summary}`);
    for (const option of Object.keys(command.options)) expect(result.stdout).toContain(`--${option}`);
    expect(result.stdout).toContain('Examples:\n');
    expect((await run('help', name)).stdout).toBe(result.stdout);
  });

  test('help of what is no command says so', async () => {
    expect(await run('help', 'exce')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: unknown command "exce"\nhint: did you mean exec?\n',
    });
  });

  test('--version prints the version of the package', async () => {
    const result = await run('--version');
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
