// Tells when a file's content changes, also when an editor replaces the file.
import { readFileSync, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

const QUIET_MS = 100;

/** Calls `onChange` once things are quiet after a change of content. Gives the undo. */
export function watchFile(path: string, onChange: () => void): () => void {
  const file = resolve(path);
  let last = read(file);
  let timer: NodeJS.Timeout | undefined;
  // The folder is watched, since a file that is replaced is another inode.
  const watcher = watch(dirname(file), (_event, name) => {
    if (name !== null && name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = read(file);
      if (now === last || now === undefined) return;
      last = now;
      onChange();
    }, QUIET_MS);
  });
  watcher.on('error', () => watcher.close());
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
