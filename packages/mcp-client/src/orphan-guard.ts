// Ends the servers of a process that was killed before it could: a small shell waits for its pipe to break.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Reads `add PID` and `del PID`; when the pipe breaks it ends the process groups that are left, politely first.
 * A server that ends when its stdin does is gone by then; this is for the others, and for what they have started.
 */
const SCRIPT = `
groups=
while read -r what group; do
  case $what in
    add) groups="$groups $group" ;;
    del) left=
      for each in $groups; do [ "$each" = "$group" ] || left="$left $each"; done
      groups=$left ;;
  esac
done
[ -z "$groups" ] && exit 0
sleep 1
for each in $groups; do kill -s TERM -- "-$each" 2>/dev/null; done
sleep 1
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
`;

let guard: ChildProcessByStdio<Writable, null, null> | undefined;
let groups = 0;

/** Begins to watch a process group. Gives its undo. Does nothing on Windows, which has no groups. */
export function guardGroup(pid: number): () => void {
  if (process.platform === 'win32') return () => {};
  guard ??= startGuard();
  groups += 1;
  tell(`add ${pid}\n`);
  let watched = true;
  return () => {
    if (!watched) return;
    watched = false;
    groups -= 1;
    tell(`del ${pid}\n`);
    if (groups > 0) return;
    guard?.stdin.end();
    guard = undefined;
  };
}

function startGuard(): ChildProcessByStdio<Writable, null, null> {
  // A group of its own: what is sent to ours must not end it.
  const started = spawn('/bin/sh', ['-c', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: process.env['PATH'] },
  });
  started.on('error', () => {});
  started.stdin.on('error', () => {});
  // It is there for this process, and must not keep it.
  started.unref();
  (started.stdin as Writable & { unref?(): void }).unref?.();
  return started;
}

function tell(line: string): void {
  if (guard?.stdin.writable === true) guard.stdin.write(line);
}
