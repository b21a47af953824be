// Child processes that end with everything they started: each leads a process group of its own.
import { type ChildProcessByStdio, spawn as spawnChild } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { guardGroup } from './orphan-guard.ts';

export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** Groups to end when this process exits in an orderly way but their owners were not disposed. */
const liveGroups = new Map<number, () => void>();

function endLiveGroups(): void {
  for (const pid of liveGroups.keys()) signalGroup(pid, 'SIGKILL');
}

function remember(pid: number): void {
  if (liveGroups.size === 0) process.on('exit', endLiveGroups);
  liveGroups.set(pid, guardGroup(pid));
}

function forget(pid: number): void {
  liveGroups.get(pid)?.();
  liveGroups.delete(pid);
  if (liveGroups.size === 0) process.off('exit', endLiveGroups);
}

/**
 * Starts a command with piped stdio as the leader of its own process group, so that what it starts in turn
 * (`npx` starts a shell, which starts the server) can be ended with it, and so that Ctrl-C in a terminal reaches
 * this process alone, which then ends its children in order.
 */
export function spawnGroup(
  command: string,
  args: readonly string[],
  options: { env: Record<string, string>; cwd?: string },
): PipedChild {
  const child = spawn(command, [...args], {
    env: options.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
    detached: process.platform !== 'win32',
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  }) as PipedChild;
  if (child.pid !== undefined) remember(child.pid);
  return child;
}

/** Whether any process of the group is still there. */
export function groupIsAlive(pid: number): boolean {
  return signalGroup(pid, 0);
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === 'win32') return signalWindowsTree(pid, signal);
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM: something of the group is there but has changed its user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signalWindowsTree(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (signal !== 0) {
    spawnChild('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => {},
    );
  }
  return true;
}

/** Milliseconds that a child gets after its stdin was closed, and again after SIGTERM. */
export const EXIT_GRACE_MS = 1_000;

/**
 * Ends a child and its whole group: closes stdin (MCP's polite way), then SIGTERM for whoever is left, then SIGKILL.
 * Resolves when the child has exited and its group is gone or was killed.
 */
export async function endGroup(child: PipedChild, graceMs: number = EXIT_GRACE_MS): Promise<void> {
  const { pid } = child;
  child.stdin.on('error', () => {});
  child.stdin.end();
  if (pid === undefined) return;
  const exited = () => child.exitCode !== null || child.signalCode !== null;
  const gone = () => exited() && !groupIsAlive(pid);
  await waitUntil(exited, graceMs);
  if (!gone() && signalGroup(pid, 'SIGTERM')) await waitUntil(gone, graceMs);
  // Nothing outlives this one, though its entry may stay until somebody reaps it.
  if (!gone() && signalGroup(pid, 'SIGKILL')) await waitUntil(exited, graceMs);
  forget(pid);
  child.stdout.destroy();
  child.stderr.destroy();
}

async function waitUntil(condition: () => boolean, ms: number): Promise<void> {
  const end = Date.now() + ms;
  for (let pause = 5; !condition() && Date.now() < end; pause = Math.min(pause * 2, 50)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
