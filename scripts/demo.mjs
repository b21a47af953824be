// `npm run demo`: one TypeScript program over two real MCP servers, and what the model would have seen instead.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectInspection, countTokens, runProgram, withHost } from '../packages/cli/dist/index.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const config = 'examples/two-servers/cordis.yml';
const programFile = 'examples/two-servers/program.ts';

const isTerminal = process.stdout.isTTY === true && !process.env.NO_COLOR;
const bold = (text) => (isTerminal ? `\x1b[1m${text}\x1b[0m` : text);
const print = (line = '') => process.stdout.write(`${line}\n`);
const number = (value) => value.toLocaleString('en-US').padStart(9);

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
// The servers' folders are relative to the clone.
process.chdir(root);
const { stdin, stdout, stderr, env } = process;
const io = { stdin, stdout, stderr, env, cwd: root, interrupt: interrupt.signal };

process.exitCode = await withHost(io, { config }, async (host) => {
  const { modes, catalog } = await collectInspection(host);
  const native = modes.find((mode) => mode.mode === 'native');
  const code = modes.find((mode) => mode.mode === 'code');
  print(bold('What the model would be shown'));
  print(
    `  native ${number(native.tokens)} tokens  ${native.tools.length} tools: ${native.tools.map((tool) => tool.name).join(', ')}`,
  );
  print(
    `  code   ${number(code.tokens)} tokens  ${code.tools.length} tools: ${code.tools.map((tool) => tool.name).join(', ')} (${catalog.length} more inside programs)`,
  );
  print();

  const source = readFileSync(join(root, programFile), 'utf8');
  print(bold(`The program the model writes (${programFile})`));
  print(source.trimEnd().replace(/^/gm, '  '));
  print();

  print(bold('Its calls'));
  let resultTokens = 0;
  let calls = 0;
  const counting = [];
  const stop = host.tools().on('tools/dispatch', (event) => {
    calls += 1;
    print(
      `  ${event.toolId.padEnd(40)} ${event.isError ? 'failed' : 'ok'} ${String(Math.round(event.durationMs)).padStart(5)} ms`,
    );
    counting.push(countTokens(JSON.stringify(event.arguments) + JSON.stringify(event.content)));
  });
  const started = Date.now();
  const result = await runProgram(
    host.codeMode(),
    { code: source, language: 'typescript' },
    { signal: interrupt.signal },
  );
  stop();
  for (const count of await Promise.all(counting)) resultTokens += count;
  print();

  if (result.status !== 'completed') {
    print(`${bold('The program failed')}: ${result.error}`);
    return 1;
  }
  print(bold(`The answer, after ${Date.now() - started} ms`));
  print(JSON.stringify(result.value, null, 2).replace(/^/gm, '  '));
  print();

  const programTokens = (await countTokens(source)) + (await countTokens(JSON.stringify(result)));
  const without = native.tokens + resultTokens;
  const within = code.tokens + programTokens;
  print(bold('Tokens through the model, once each'));
  print(`  native ${number(without)}  the schemas, and arguments and results of ${calls} calls`);
  print(`  code   ${number(within)}  exec and wait, the program and its result`);
  print(`  saved  ${number(without - within)}  ${((1 - within / without) * 100).toFixed(1)} %`);
  return 0;
});
