// The built command in a process of its own, and what it leaves behind.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './read-packages.ts';

/** The built program. Throws where nothing has been built. */
export function builtCli(): string {
  const program = join(root, 'packages/cli/dist/bin.js');
  if (!existsSync(program)) throw new Error('the packages are not built: node scripts/bootstrap.mjs setup');
  return program;
}

export interface CliProcess {
  pid: number;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  closeStdin(): void;
  /** Exit code or signal. */
  ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts `codeseam` with these arguments. */
export function startCli(args: readonly string[], { cwd, stdin }: { cwd: string; stdin?: string }): CliProcess {
  const child = spawn(process.execPath, [builtCli(), ...args], { cwd, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  if (stdin !== undefined) child.stdin.end(stdin);
  return {
    pid: child.pid!,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    kill: (signal) => child.kill(signal),
    closeStdin: () => child.stdin.end(),
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal))),
  };
}

/** The processes below this one, whatever depth. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const line of execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number) as [number, number];
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const below = (parent: number): number[] => (children.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** The processes below this one as soon as there are that many. Throws after 20 s. */
export async function waitForDescendants(pid: number, atLeast: number): Promise<number[]> {
  const end = Date.now() + 20_000;
  for (;;) {
    const below = descendantsOf(pid);
    if (below.length >= atLeast) return below;
    if (Date.now() > end) throw new Error(`${below.length} processes below ${pid}, not ${atLeast}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Those of the processes that still run. */
export function aliveOf(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });
}
