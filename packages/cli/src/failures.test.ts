// What goes wrong with configs, files and servers is told once, in one line that says what, where, and what to do.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliTestOptions, runCliForTest } from './test-io.ts';

const server = fileURLToPath(new URL('./fixtures/sum-server.mjs', import.meta.url));
let folder: string;
const write = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const sum = (...args: string[]) => ({ command: process.execPath, args: [server, ...args] });
/** A place to fill, as other clients write it. */
const place = (name: string) => `$${`{${name}}`}`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeseam-failures-'));
  mkdirSync(join(folder, 'empty'));
  write('servers.json', { mcpServers: { sum: sum() } });
  write('broken.json', '{\n  "mcpServers": {\n    "a": {"command": "x"}\n    "b": {}\n  }\n}');
  write('other.json', { name: 'a package', version: '1.0.0' });
  write('rows.yml', "- name: '@codeseam/tools'\n");
  write(
    'bad-rows.yml',
    `- name: '@codeseam/tools'
- name: '@codeseam/code-runtime-quickjs'
  config: { workers: many }
- name: '@codeseam/code-mode'
  config: { enabled: true }
- name: '@codeseam/mcp-client'
  config: { servers: { a: { comand: x } } }
`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: string[], options: CliTestOptions = {}) => runCliForTest(argv, { cwd: folder, ...options });

describe('a file that cannot be used is one line in words', () => {
  test.each([
    [['exec', 'absent.ts'], 'cannot read absent.ts: no such file'],
    [['exec', 'empty'], 'cannot read empty: it is a folder, not a file'],
    [['exec', 'servers.json/x.ts'], 'cannot read servers.json/x.ts: a part of its path is a file, not a folder'],
    [['init', '--from', 'absent.json'], 'cannot read the file absent.json: no such file'],
    [['init', '--from', 'empty'], 'cannot read the file empty: it is a folder, not a file'],
    [['init', '--from', 'broken.json'], 'broken.json:4:5: not valid JSON: unexpected "\\"b\\": {}"'],
    [['init', '--out', 'absent/cordis.yml'], 'cannot write absent/cordis.yml: its folder absent does not exist'],
    [['types', '--from', 'absent.json'], 'cannot read the file absent.json: no such file'],
    [['types', '--from', 'servers.json'], 'servers.json says how servers are started, not what tools they have'],
    [['inspect', '--html', 'absent/page.html'], 'cannot write absent/page.html: its folder absent does not exist'],
    [['inspect', '--html', 'x.html', '--trace', 'absent'], 'cannot read the trace absent: no such file'],
    [
      ['exec', '--code', '1', '--trace', 'absent/run.jsonl'],
      'cannot write the trace absent/run.jsonl: its folder absent does not exist',
    ],
    [['exec', '--code', '1', '--config', 'broken.json'], 'broken.json:4:5: not valid JSON: unexpected "\\"b\\": {}"'],
    [['exec', '--code', '1', '--config', 'other.json'], 'other.json has no MCP servers and no rows'],
  ])('%j', async (argv, message) => {
    const result = await run(argv);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    const [first, ...rest] = result.stderr.trimEnd().split('\n');
    expect(first).toBe(`error: ${message}`);
    expect(rest.length === 0 || (rest.length === 1 && rest[0]!.startsWith('hint: '))).toBe(true);
  });

  test.skipIf(process.getuid?.() === 0)('one that may not be read', async () => {
    write('secret.ts', 'return 1');
    chmodSync(join(folder, 'secret.ts'), 0);
    expect((await run(['exec', 'secret.ts'])).stderr).toBe('error: cannot read secret.ts: this user may not read it\n');
  });
});

describe('a row that fails is told once', () => {
  const runtime =
    'bad-rows.yml:3: row @codeseam/code-runtime-quickjs: workers: expected a whole number from 1 to 64, got "many"';
  const client = 'bad-rows.yml:7: row @codeseam/mcp-client: servers.a.comand: unknown key, did you mean command?';

  test.each([[['exec', '--code', 'return 1']], [['serve']]])(
    '%j ends with it, and the others are told before',
    async (argv) => {
      const result = await run([...argv, '--config', 'bad-rows.yml'], { stdin: '' });
      expect(result).toEqual({ code: 2, stdout: '', stderr: `config: ${client}\nerror: ${runtime}\n` });
    },
  );

  test('inspect shows each with its row, says once why programs cannot run, and ends with 2', async () => {
    const result = await run(['inspect', '--config', 'bad-rows.yml']);
    expect(result).toMatchObject({ code: 2, stderr: '' });
    for (const message of [runtime, client, 'Programs cannot run: the row of the runtime has failed']) {
      expect(result.stdout.split(message)).toHaveLength(2);
    }
  });

  test('inspect without a runtime says once which row to add, and ends with 2', async () => {
    write(
      'no-runtime.yml',
      "- name: '@codeseam/tools'\n- { name: '@codeseam/code-mode', config: { enabled: true } }\n",
    );
    const result = await run(['inspect', '--config', 'no-runtime.yml']);
    expect(result.code).toBe(2);
    expect(result.stdout.split('no row provides codeRuntime')).toHaveLength(2);
    expect(result.stdout).toContain("add - name: '@codeseam/code-runtime-quickjs' to the config");
    expect(result.stdout).not.toContain('no code runtime is mounted');
    expect((await run(['inspect', '--config', 'no-runtime.yml', '--json'])).code).toBe(2);
  });
});

describe('a server that is not there is told once', () => {
  const crashed = '"bad" did not start: its process ended with exit code 1: Error: SUM_TOKEN is required';
  const servers = () => write('crash.json', { mcpServers: { bad: sum('crash'), good: sum() } });

  test.each([
    [['exec', '--code', 'return Object.keys(MCP).includes("good")'], 0],
    [['search', 'sum'], 0],
    [['call', 'get-sum', '--input', '{"a":1,"b":2}'], 0],
    [['types', '--out', 'types'], 1],
  ])('%j', async (argv, code) => {
    servers();
    const result = await run([...argv, '--config', 'crash.json']);
    expect(result.code).toBe(code);
    expect(result.stderr.split(crashed)).toHaveLength(2);
    expect(result.stderr).toMatch(/^server: "bad" did not start/);
    expect(result.stderr).not.toContain('    at ');
  });

  test('inspect shows it beside its server and ends with 1', async () => {
    servers();
    const result = await run(['inspect', '--config', 'crash.json']);
    expect(result).toMatchObject({ code: 1, stderr: '' });
    expect(result.stdout.split(crashed)).toHaveLength(2);
  });

  test('inspect says of each mode without tools what appears once a server is up', async () => {
    write('all-down.json', { mcpServers: { bad: sum('crash') } });
    const result = await run(['inspect', '--config', 'all-down.json']);
    expect(result).toMatchObject({ code: 1, stderr: '' });
    expect(result.stdout).toMatch(/\* code +0 tokens {2}no tools: exec appears once a server is up\n/);
    expect(result.stdout).toMatch(/ {2}native +0 tokens {2}no tools: they appear once a server is up\n/);
  });

  test('one that does not start in time is told with startupMs and what to do', async () => {
    write('slow.json', { mcpServers: { slow: { ...sum('mute'), startupMs: 200 } } });
    const result = await run(['exec', '--config', 'slow.json', '--code', 'return 1']);
    expect(result).toEqual({
      code: 0,
      stdout: '1\n',
      stderr:
        'server: "slow" is still starting after 200 ms (startupMs); raise startupMs for a server that needs longer\n',
    });
  });

  test('one that is slow and then fails is told by its failure alone', async () => {
    write('late.json', {
      mcpServers: { late: { ...sum('crash'), startupMs: 1 }, slow: { ...sum('mute'), startupMs: 900 } },
    });
    const result = await run(['exec', '--config', 'late.json', '--code', 'return 1']);
    const told = result.stderr.trimEnd().split('\n');
    expect(told.map((line) => /^server: "(\w+)" (?:did not start|is still starting)/.exec(line)?.[1])).toEqual([
      'late',
      'slow',
    ]);
  });

  test('a config without servers says where they go', async () => {
    const result = await run(['inspect', '--config', 'rows.yml']);
    expect(result.stdout).toContain(
      'The catalog is empty: add a row of @codeseam/mcp-client to rows.yml; codeseam init --from',
    );
    expect((await run(['call', 'x', '--config', 'rows.yml'])).stderr).toContain(
      'hint: add a row of @codeseam/mcp-client',
    );
  });

  test('a server of a JSON file that cannot be right is alone, and so is one whose variable is not set', async () => {
    const mcpServers = {
      good: sum(),
      wrong: { comand: 'x' },
      unset: { ...sum(), env: { TOKEN: place('NO_SUCH_TOKEN') } },
      filled: { ...sum(), env: { LEVEL: place('LEVEL:-debug'), HOME_OF: `a ${place('env:SET')}` } },
    };
    writeFileSync(
      join(folder, 'mixed.json'),
      `{ // as editors have it\n "mcpServers": ${JSON.stringify(mcpServers)}, }`,
    );
    const code = 'return Object.keys(MCP).filter((name) => !name.startsWith("$"))';
    const result = await run(['exec', '--config', 'mixed.json', '--code', code], { env: { SET: 'yes' } });
    expect(JSON.parse(result.stdout)).toEqual(['filled', 'good']);
    expect(result.stderr.trimEnd().split('\n')).toEqual([
      'config: mixed.json: row mcp-wrong: servers.wrong.comand: unknown key, did you mean command?',
      "config: mixed.json: row mcp-unset: config.servers.unset.env.TOKEN: `env.NO_SUCH_TOKEN`: the environment variable NO_SUCH_TOKEN is not set (set NO_SUCH_TOKEN, or give a value to fall back to: env.NO_SUCH_TOKEN ?? 'value')",
    ]);
  });
});

test('init reads what --config reads, and keeps the places of other clients as expressions', async () => {
  const given = {
    servers: { web: { serverUrl: 'http://h/mcp', headers: { Authorization: `Bearer ${place('TOKEN')}` } } },
  };
  writeFileSync(join(folder, 'editor.json'), `// of an editor\n${JSON.stringify(given)}`);
  expect(await run(['init', '--from', 'editor.json', '--out', 'made.yml'])).toMatchObject({ code: 0, stdout: '' });
  const text = readFileSync(join(folder, 'made.yml'), 'utf8');
  expect(text).toContain('url: http://h/mcp');
  expect(text).toContain("Authorization: !!js ('Bearer ' + env.TOKEN)");
});
