// Runs a command for a check: gives what it printed, or ends with its last lines.
import { spawn } from 'node:child_process';

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, input?: string, expect?: number }} [options] `expect`: the right exit code, 0 unless given
 * @returns {Promise<{ stdout: string, stderr: string, ms: number }>}
 */
export function runCommand(command, args, { cwd, env, input, expect = 0 } = {}) {
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        output[stream] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === expect) return resolve({ ...output, ms: Date.now() - started });
      const last = `${output.stdout}\n${output.stderr}`.trimEnd().split('\n').slice(-40).join('\n');
      reject(new Error(`${[command, ...args].join(' ')}: exit code ${code ?? signal}, not ${expect}\n${last}`));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
}

/** Ends the process with one line if a check does not hold. */
export function check(condition, message) {
  if (condition) return;
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
