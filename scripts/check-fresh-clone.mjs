// The two README commands in a fresh clone: the first run sets everything up, the second needs no network.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, runCommand } from './run-command.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const clone = mkdtempSync(join(tmpdir(), 'codeseam-clone-'));
// A registry that nobody answers for, and npm's own offline switch for npx.
const offline = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_offline: 'true' };
const say = (text) => process.stdout.write(`${text}\n`);

try {
  await runCommand('git', ['clone', '--quiet', root, clone]);
  const first = await runCommand('npm', ['run', 'demo'], { cwd: clone });
  check(/saved +[\d,]+ +[\d.]+ %/.test(first.stdout), `the demo did not come to its end:\n${first.stdout}`);
  say(`npm run demo, first time: ${Math.round(first.ms / 1000)} s`);
  const second = await runCommand('npm', ['run', 'demo'], { cwd: clone, env: offline });
  check(/saved +[\d,]+ +[\d.]+ %/.test(second.stdout), `the demo did not come to its end offline:\n${second.stdout}`);
  check(
    second.stderr.trim() === '' || !/codeseam: /.test(second.stderr),
    `the second run set something up again:\n${second.stderr}`,
  );
  say(`npm run demo, again and offline: ${Math.round(second.ms / 1000)} s`);
  const tests = await runCommand('npm', ['test', '--', 'packages/nearest-names'], { cwd: clone, env: offline });
  check(
    /^[1-9]\d* passed, 0 failed$/m.test(tests.stdout),
    `npm test has no closing line:\n${tests.stdout.slice(-2000)}`,
  );
  say(`npm test of one package, offline: ${Math.round(tests.ms / 1000)} s`);
} catch (error) {
  check(false, error.message);
} finally {
  rmSync(clone, { recursive: true, force: true });
}
