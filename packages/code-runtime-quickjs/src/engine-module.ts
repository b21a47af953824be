// The engine's module: read and compiled once in a process, shared by all its runtimes and threads.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

let compiled: Promise<WebAssembly.Module> | undefined;

/** The compiled engine. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= engineBytes(import.meta.url).then((bytes) => WebAssembly.compile(bytes));
  compiled.catch(() => {
    compiled = undefined;
  });
  return compiled;
}

/** The engine as `quickjs-wasi` ships it, found from `base`; in a bundled application without that package, our own copy of the file. */
export async function engineBytes(base: string): Promise<Uint8Array> {
  let path: string;
  try {
    path = createRequire(base).resolve('quickjs-wasi/quickjs.wasm');
  } catch {
    const { embeddedEngine } = await import('./embedded-engine.ts');
    return embeddedEngine();
  }
  return readFile(path);
}
