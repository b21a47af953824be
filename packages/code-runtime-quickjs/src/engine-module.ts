// The engine's module: read and compiled once in a process, shared by all its runtimes and threads.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

let compiled: Promise<WebAssembly.Module> | undefined;

/** The compiled engine. @throws Error where `quickjs-wasi` is not installed beside this package. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  compiled.catch(() => {
    compiled = undefined;
  });
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
  return WebAssembly.compile(await readFile(path));
}
