// A smoke run of the built packages on Node 24, whose binary the npm package `node` brings.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, runCommand } from './run-command.mjs';

const VERSION = '24.9.0';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const home = join(root, '.tools', `node-${VERSION}`);
const node = join(home, 'node_modules/node/bin/node');

try {
  if (!existsSync(node)) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{"private":true}\n');
    await runCommand('npm', ['install', `node@${VERSION}`, '--no-audit', '--no-fund', '--prefix', home], { cwd: home });
  }
  const { stdout: version } = await runCommand(node, ['--version']);
  check(version.trim() === `v${VERSION}`, `expected Node ${VERSION}, got ${version}`);
  const cli = join(root, 'packages/cli/dist/bin.js');
  const { stdout: sum } = await runCommand(
    node,
    [cli, 'exec', '--language', 'ts', '--code', 'const n: number = 42; return n'],
    {
      cwd: home,
    },
  );
  check(sum.trim() === '42', `exec printed ${sum}`);
  const demo = await runCommand(node, [join(root, 'scripts/demo.mjs')], { cwd: root });
  check(/saved +[\d,]+ +[\d.]+ %/.test(demo.stdout), `the demo did not come to its end:\n${demo.stdout}`);
  process.stdout.write(`exec and the demo work on Node ${VERSION}\n`);
} catch (error) {
  check(false, error.message);
}
