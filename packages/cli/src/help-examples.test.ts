// Each example of the help does something useful with a config that has only MCP servers.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from './commands/index.ts';
import { runCliForTest } from './test-io.ts';

const server = fileURLToPath(new URL('./fixtures/sum-server.mjs', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeseam-help-'));
  const everything = { command: process.execPath, args: [server] };
  const rows = [
    { name: '@codeseam/tools' },
    { name: '@codeseam/code-runtime-quickjs', config: { workers: 1 } },
    { name: '@codeseam/code-mode', config: { enabled: true } },
    { name: '@codeseam/mcp-client', config: { servers: { everything } } },
  ];
  const file = (name: string, content: string) => writeFileSync(join(folder, name), content);
  file('cordis.yml', JSON.stringify(rows));
  file('program.ts', 'const sum: number = 1 + 2;\nreturn { sum };\n');
  file('run.jsonl', `${JSON.stringify({ t: 1, type: 'program', code: 'return 1' })}\n`);
  const inputSchema = { type: 'object', properties: {} };
  file('tools.json', JSON.stringify({ tools: [{ name: 'create_issue', description: 'x', inputSchema }] }));
  mkdirSync(join(folder, '.config/client'), { recursive: true });
  file('.config/client/mcp.json', JSON.stringify({ mcpServers: { everything } }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What each example must print, on stdout or stderr; no example goes without. */
const USEFUL: Readonly<Record<string, RegExp>> = {
  'codeseam init': /^wrote cordis\.yml\n/,
  'codeseam init --from ~/.config/client/mcp.json': /^wrote cordis\.yml with 1 MCP server\n/,
  [`codeseam exec --code 'return await tools.search("read a file")'`]: /"callPath": "MCP\.everything\.readTextFile"/,
  "codeseam exec --code 'return Object.keys(MCP)'": /"everything"/,
  'codeseam exec program.ts --config cordis.yml --json': /"sum": 3/,
  "echo 'return 6 * 7' | codeseam exec -": /^42\n$/,
  'codeseam wait run_4f0c --config cordis.yml': /a run lives in the process that started it/,
  'codeseam serve': /serving exec and wait on stdio/,
  'codeseam serve --http 127.0.0.1:8123 --config cordis.yml': /serving exec and wait at http:\/\/127\.0\.0\.1:\d+\/mcp/,
  'CODESEAM_TOKEN=a-long-random-text codeseam serve --http 0.0.0.0:8123': /clients must send Authorization: Bearer/,
  'codeseam types --out types': /^wrote 2 files to types/,
  'codeseam types --from tools.json --server github --check': /files compile under tsc --strict/,
  'codeseam inspect': /MCP\.everything\.getSum/,
  'codeseam inspect --config cordis.yml --json': /"id": "mcp:everything:get-sum"/,
  'codeseam inspect --html inspect.html --trace run.jsonl': /^wrote inspect\.html/,
  "codeseam search 'read a file' --limit 5": /^MCP\.everything\.readTextFile\n/,
  'codeseam search sum --config cordis.yml --json': /"callPath": "MCP\.everything\.getSum"/,
  [`codeseam call MCP.everything.getSum --input '{"a":1,"b":2}'`]: /The sum is 3\./,
  [`codeseam call mcp:everything:get-sum --input '{"a":1,"b":2}' --json`]: /The sum is 3\./,
};
const FAILS = ['codeseam wait run_4f0c --config cordis.yml'];
const UNTIL_INTERRUPTED = /--http/;

test.each(commands.flatMap(({ examples }) => examples))(
  '%s',
  async (example) => {
    const { argv, stdin, env } = readLine(example);
    if (argv[0] === 'init') argv.push('--force', '--out', 'cordis.yml.new');
    const isInterrupted = UNTIL_INTERRUPTED.test(example);
    const controller = new AbortController();
    const onStderr = (text: string) => void (isInterrupted && text.includes('serving') && controller.abort());
    const { signal: interrupt } = controller;
    const result = await runCliForTest(argv, { cwd: folder, env, stdin: stdin ?? '', interrupt, onStderr });
    expect(result.code).toBe(isInterrupted ? 130 : FAILS.includes(example) ? 1 : 0);
    const printed = `${result.stdout}${result.stderr}`.replaceAll('cordis.yml.new', 'cordis.yml');
    expect(printed).toMatch(USEFUL[example] ?? 'an example without what it must print');
  },
  60_000,
);

/** A line for the shell: `NAME=value` before the command, `echo … |`, quotes, `~` and a free port. */
function readLine(line: string): { argv: string[]; stdin?: string; env: Record<string, string> } {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
  const at = words.indexOf('codeseam');
  const before = words.slice(0, at);
  const argv = words.slice(at + 1).map((word) => word.replace(/^~/, folder).replace(/:8123$/, ':0'));
  const env = Object.fromEntries(
    before.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string]),
  );
  return { argv, env, ...(before[0] === 'echo' && { stdin: before[1]! }) };
}
