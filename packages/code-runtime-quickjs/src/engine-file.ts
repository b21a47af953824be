// The engine's file: where it is found, and how one is told from another.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

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

/** Tells one engine's file from another. */
export function engineHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
