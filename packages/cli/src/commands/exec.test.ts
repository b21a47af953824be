import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliTestOptions, runCliForTest } from '../test-io.ts';

const shop = fileURLToPath(new URL('../fixtures/shop.mjs', import.meta.url));
let folder: string;

const config = (timeoutMs: number) => `
- { id: tools, name: '@codeseam/tools', config: { mode: code, transport: exec } }
- { id: runtime, name: '@codeseam/code-runtime-quickjs', config: { workers: 1 } }
- { id: code-mode, name: '@codeseam/code-mode', config: { enabled: true, timeoutMs: ${timeoutMs} } }
- { id: shop, name: ${JSON.stringify(shop)} }
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codeseam-exec-'));
  writeFileSync(join(folder, 'cordis.yml'), config(10_000));
  writeFileSync(join(folder, 'short.yml'), config(1_500));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: string[], options: CliTestOptions = {}) => runCliForTest(argv, { cwd: folder, ...options });

describe('exec', () => {
  test('prints the value on stdout and the calls on stderr', async () => {
    const result = await run(['exec', '--code', "return (await tools.price({ article: 'nut' })).cents"]);
    expect(result).toMatchObject({ code: 0, stdout: '300\n' });
    expect(result.stderr).toMatch(/^call plugin:shop:price ok \d+ ms\n$/);
  });

  test('prints text and json as data, and the console as talk, in their order', async () => {
    const program = "console.log('starting'); text('first'); json({ a: 1 }); console.warn('hm'); return 'last'";
    const result = await run(['exec', '--code', program]);
    expect(result).toEqual({ code: 0, stdout: 'first\n{\n  "a": 1\n}\nlast\n', stderr: 'starting\nwarn: hm\n' });
  });

  test('--json prints the whole result as one document and nothing else', async () => {
    const result = await run(['exec', '--json', '--code', "text('x'); return await tools.price({ article: 'bolt' })"]);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toMatchObject({
      status: 'completed',
      value: { article: 'bolt', cents: 400 },
      output: [{ type: 'text', text: 'x' }],
      telemetry: { callCount: 1, calledTools: ['plugin:shop:price'] },
    });
  });

  test('takes a TypeScript file by its name, and stdin for -', async () => {
    writeFileSync(
      join(folder, 'program.ts'),
      'interface Sum { a: number }\nconst sum: Sum = { a: 2 };\nreturn sum.a;\n',
    );
    expect(await run(['exec', 'program.ts'])).toEqual({ code: 0, stdout: '2\n', stderr: '' });
    expect(await run(['exec', '-'], { stdin: 'return [1, 2].map((x) => x * 2).join()' })).toMatchObject({
      code: 0,
      stdout: '2,4\n',
    });
  });

  test('ends with 1 when the program fails, and says where and what else failed', async () => {
    const result = await run([
      'exec',
      '--code',
      "\n\nawait tools.complain().catch(() => {});\nthrow new Error('no stock')",
    ]);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/call plugin:shop:complain failed TOOL_FAILED \d+ ms\n/);
    expect(result.stderr).toMatch(/guest_error: .*no stock.* \(line 4, column \d+\)\n/);
    const json = await run(['exec', '--json', '--code', 'return (']);
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'failed', code: 'syntax_error' });
  });

  test.each([
    ["throw 'no stock'", 'no stock'],
    ['throw { left: 0 }', '{ left: 0 }'],
  ])('says plainly what was thrown where it has no line: %s', async (code, thrown) => {
    expect(await run(['exec', '--code', code])).toEqual({
      code: 1,
      stdout: '',
      stderr: `guest_error: the program threw what is no Error, so that its line is not known: ${thrown}\nhint: throw new Error(message) instead: an Error knows its line\n`,
    });
  });

  test('waits on its own for a program that outlasts the turn', async () => {
    const result = await run([
      'exec',
      '--config',
      'short.yml',
      '--json',
      '--code',
      "text('before'); return await tools.deliver({ ms: 2500 })",
    ]);
    expect(JSON.parse(result.stdout)).toMatchObject({
      status: 'completed',
      value: 'delivered',
      output: [{ type: 'text', text: 'before' }],
    });
    expect(JSON.parse(result.stdout).telemetry.waitCount).toBeGreaterThan(0);
  });

  test('--no-wait prints the run id of a program that is suspended, and says that it ends with the process', async () => {
    const result = await run([
      'exec',
      '--config',
      'short.yml',
      '--no-wait',
      '--code',
      'return await tools.deliver({ ms: 60000 })',
    ]);
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^\S+\n$/);
    expect(result.stderr).toBe(
      `pending plugin:shop:deliver {"ms":60000}\nrun ${result.stdout.trim()} ends with this process, unfinished: it is kept in memory; without --no-wait exec stays until the end\n`,
    );
  });

  describe('what is cut to what a model may be shown', () => {
    const program =
      "text('y'.repeat(70000)); json({ list: Array.from({ length: 9000 }, (_, i) => i) }); return 'x'.repeat(90000)";

    test('says so and names --full', async () => {
      const result = await run(['exec', '--code', program]);
      expect(result.code).toBe(0);
      expect(result.stdout.length).toBeLessThan(100_000);
      expect(result.stderr).toBe('(cut to fit maxOutputBytes; --full prints all of it)\n'.repeat(3));
    });

    test('is whole with --full, also as JSON', async () => {
      const list = Array.from({ length: 9000 }, (_, i) => i);
      const whole = `${'y'.repeat(70000)}\n${JSON.stringify({ list }, null, 2)}\n${'x'.repeat(90000)}\n`;
      expect(await run(['exec', '--full', '--code', program])).toEqual({ code: 0, stdout: whole, stderr: '' });
      const json = JSON.parse((await run(['exec', '--full', '--json', '--code', program])).stdout);
      expect(json).toMatchObject({
        value: 'x'.repeat(90000),
        output: [{ text: 'y'.repeat(70000) }, { value: { list } }, {}],
      });
      expect(json).not.toHaveProperty('truncated');
    });

    test('stays cut where it is too large to keep, and says what to do', async () => {
      const result = await run(['exec', '--full', '--code', "return 'x'.repeat(5_000_000)"]);
      expect(result.code).toBe(0);
      expect(result.stderr).toBe(
        '(cut to fit maxOutputBytes; it is too large to keep whole: return less, or raise keptResultsBytes of the code-mode row)\n',
      );
    });
  });

  test('wait says that a run of another process is not there, and why', async () => {
    const result = await run(['wait', 'run_of_another_process']);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/^invalid_input: .*\n(?:.*\n)*a run lives in the process that started it/);
  });

  test('--timeout ends the program, also while it waits', async () => {
    const result = await run([
      'exec',
      '--config',
      'short.yml',
      '--timeout',
      '2500',
      '--json',
      '--code',
      'return await tools.deliver({ ms: 60000 })',
    ]);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      status: 'failed',
      code: 'timeout',
      error: 'the program did not finish within 2500 ms (--timeout)',
    });
  });

  test('an interrupt ends the program and the exit code is 130', async () => {
    const controller = new AbortController();
    const running = run(['exec', '--code', 'return await tools.deliver({ ms: 60000 })'], {
      interrupt: controller.signal,
    });
    setTimeout(() => controller.abort(), 1_000);
    expect(await running).toMatchObject({ code: 130, stdout: '' });
  });

  test('on a terminal, pending calls are one live line that is gone at the end', async () => {
    const code = 'return await tools.deliver({ ms: 1500 })';
    const result = await run(['exec', '--code', code], { isTerminal: true });
    expect(result).toMatchObject({ code: 0, stdout: 'delivered\n' });
    expect(result.stderr).toMatch(/1 pending: plugin:shop:deliver \d\.\ds/);
    // The escape sequence erases the line before the last, whole one is written.
    const last = result.stderr.split('\r\x1b[2K').at(-1)!.replaceAll('\x1b', 'ESC');
    expect(last).toMatch(/^ESC\[2mcall plugin:shop:deliver ok \d+ msESC\[0m\n$/);
  });

  test('--trace records program, calls and result', async () => {
    const result = await run([
      'exec',
      '--trace',
      'run.jsonl',
      '--code',
      "return (await tools.price({ article: 'nut' })).cents",
    ]);
    expect(result.code).toBe(0);
    const events = readFileSync(join(folder, 'run.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map((event) => event.type)).toEqual(['program', 'call-start', 'call-end', 'result']);
    expect(events[1]).toMatchObject({ toolId: 'plugin:shop:price', arguments: { article: 'nut' } });
    expect(events[3]).toMatchObject({ result: { status: 'completed', value: 300 } });
    expect((await run(['exec', '--trace', 'no/such/folder', '--code', '1'])).code).toBe(2);
  });

  test('an approval that nobody can give is a denial that says so', async () => {
    const result = await run(['exec', '--code', 'return await tools.refund()']);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/APPROVAL_REQUIRED|DENIED/);
  });
});

describe('without a config file', () => {
  test('the built-in composition runs programs without tools', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'codeseam-empty-'));
    const result = await run(['exec', '--code', 'return [typeof process, ALL_TOOLS.length]'], { cwd: empty });
    rmSync(empty, { recursive: true });
    expect(result).toEqual({ code: 0, stdout: '[\n  "undefined",\n  0\n]\n', stderr: '' });
  });
});

describe('a config with a bad row', () => {
  test('runs with the others and tells on stderr', async () => {
    writeFileSync(join(folder, 'bad.yml'), `${config(10_000)}- { id: lost, name: ./lost.mjs }\n`);
    const result = await run(['exec', '--config', 'bad.yml', '--code', 'return 1']);
    expect(result).toMatchObject({ code: 0, stdout: '1\n' });
    expect(result.stderr).toContain('config: bad.yml:6: row lost: ./lost.mjs is not installed or not there');
  });

  test('is a config error where the command cannot do without it', async () => {
    writeFileSync(join(folder, 'worse.yml'), config(5));
    const result = await run(['exec', '--config', 'worse.yml', '--code', 'return 1']);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/error: worse\.yml:4: row code-mode: .*timeoutMs.*100/);
  });
});

describe('call and search', () => {
  test('call runs one tool through the pipeline and prints its value', async () => {
    const result = await run(['call', 'price', '--input', '{"article":"nut"}']);
    expect(result).toEqual({ code: 0, stdout: '{\n  "article": "nut",\n  "cents": 300\n}\n', stderr: '' });
  });

  test('a failed call ends with 1 and its code', async () => {
    expect(await run(['call', 'complain'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^TOOL_FAILED: .*nobody listens/),
    });
    expect(await run(['call', 'prise'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^UNKNOWN_TOOL: .*price/),
    });
    expect(await run(['call', 'refund'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^APPROVAL_REQUIRED|^DENIED/),
    });
  });

  test('search finds tools by words', async () => {
    const result = await run(['search', 'delivers article', '--json']);
    expect(JSON.parse(result.stdout).entries[0]).toMatchObject({ id: 'plugin:shop:deliver' });
    expect((await run(['search', 'price'])).stdout).toContain('plugin:shop:price\n    The price of an article.\n');
  });
});

test('inspect shows rows, modes with tokens, and the catalog, as text and as data', async () => {
  const text = await run(['inspect']);
  expect(text).toMatchObject({ code: 0, stderr: '' });
  expect(text.stdout).toMatch(/\* code +\d+ tokens {2}2 tools: exec, wait/);
  expect(text.stdout).toMatch(/ {2}native +\d+ tokens {2}4 tools: complain, deliver, price, refund/);
  const data = JSON.parse((await run(['inspect', '--json'])).stdout);
  expect(data).toMatchObject({
    active: { mode: 'code', transport: 'exec' },
    modes: [{ mode: 'native' }, { mode: 'code' }, { mode: 'both' }],
    catalog: [
      { id: 'plugin:shop:complain' },
      { id: 'plugin:shop:deliver' },
      { id: 'plugin:shop:price' },
      { id: 'plugin:shop:refund' },
    ],
  });
  expect(data.rows.map((row: { state: string }) => row.state)).toEqual(Array(4).fill('active'));
});
