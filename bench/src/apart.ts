// Runs a piece of work in a process of its own, where memory and event-loop delay are those of the work alone.
import { fork } from 'node:child_process';
import { extname } from 'node:path';

export type Work = (parameters: Record<string, number>) => Promise<Record<string, number>>;

/**
 * Runs the default export of a file in `work/` and gives its figures. From sources, where a child process could not load
 * them, it runs in this process.
 */
export async function runApart(name: string, parameters: Record<string, number>): Promise<Record<string, number>> {
  const extension = extname(new URL(import.meta.url).pathname);
  // Bundled together with its callers, this file may lie in the root of the build or among the cases.
  const root = new URL(import.meta.url.includes('/cases/') ? '../' : './', import.meta.url);
  const file = new URL(`work/${name}${extension}`, root).href;
  if (extension === '.ts') return ((await import(file)) as { default: Work }).default(parameters);
  return new Promise((resolve, reject) => {
    const child = fork(new URL('apart.js', root), [file, JSON.stringify(parameters)], { execArgv: ['--expose-gc'] });
    let figures: Record<string, number> | undefined;
    child.on('message', (message) => {
      figures = message as Record<string, number>;
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      figures ? resolve(figures) : reject(new Error(`the work ${name} ended with code ${code}`)),
    );
  });
}

const [, script, file, parameters] = process.argv;
if (script?.endsWith('apart.js') && file && parameters && process.send) {
  const { default: work } = (await import(file)) as { default: Work };
  const figures = await work(JSON.parse(parameters) as Record<string, number>);
  process.send(figures, () => process.exit(0));
}
