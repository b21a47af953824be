// Runs the tests and closes with one plain line that says how many passed and failed.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs vitest with further arguments (paths, `-t NAME`).
 * @returns its exit code; at least 1 if anything failed
 */
export async function runTests(root, args = []) {
  const report = join(root, '.cache/tests.json');
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const flags = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args];
  const code = await new Promise((resolve, reject) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [vitest, ...flags], { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (status, signal) => resolve(signal ? 130 : status));
  });
  const { passed, failed, skipped } = count(report, code);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return code === 0 && failed > 0 ? 1 : code;
}

/** Runs the test files that have a long form. */
export async function runLongForms(root, args = []) {
  const files = ['packages', 'tests']
    .flatMap((folder) => listTests(root, folder))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('CODESEAM_LONG'));
  if (files.length === 0) {
    process.stdout.write('no test has a long form\n');
    return 0;
  }
  return await runTests(root, [...files, ...args]);
}

function listTests(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:node_modules|dist|\..*)$/.test(entry.name) ? [] : listTests(root, path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** Counts tests; a file that could not run, and a failure outside of any test, count as one failed test each. */
function count(report, code) {
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  }
  const passed = result.numPassedTests;
  const skipped = result.numPendingTests + (result.numTodoTests ?? 0);
  const broken = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = result.numFailedTests + broken.length;
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
}
