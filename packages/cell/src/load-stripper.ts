// Loads the TypeScript reader at its first use, and again after it was damaged or grew too large.
import { createRequire } from 'node:module';
import type { Options } from '@swc/wasm-typescript';

export type StripOptions = Options & { mode: 'strip-only' | 'transform' };

/** The reader, and its instance's exports, which its types leave out. */
type Stripper = Pick<typeof import('@swc/wasm-typescript'), 'transformSync'> & {
  readonly __wasm?: { memory: WebAssembly.Memory };
};

/** What the reader throws for a program that it cannot read. */
export interface StripperComplaint {
  code: 'InvalidSyntax' | 'UnsupportedSyntax' | string;
  message: string;
  /** From 1. */
  startLine: number;
  /** From 0, in columns as a terminal would show them: a tab is four, a wide character two. */
  startColumn: number;
}

const MODULE = '@swc/wasm-typescript';
const LARGEST_IDLE_MEMORY = 64 * 1024 * 1024;

const require = createRequire(import.meta.url);
let loaded: Stripper | undefined;

/** Whether the reader is in memory. */
export function isStripperLoaded(): boolean {
  return loaded !== undefined;
}

/** The reader cannot be loaded; `message` says why. */
export class StripperMissing extends Error {
  override readonly name = 'StripperMissing';
}

/**
 * Runs the reader. A program too deep for its stack leaves it unusable, and one of many megabytes leaves it large; in both
 * cases the next use gets a new one.
 *
 * @throws a `StripperComplaint`, `StripperMissing`, or whatever error killed the reader
 */
export function runStripper(source: string, options: StripOptions): { code: string; map?: string } {
  loaded ??= load();
  try {
    const result = loaded.transformSync(source, options);
    if ((loaded.__wasm?.memory.buffer.byteLength ?? 0) > LARGEST_IDLE_MEMORY) unload();
    return result;
  } catch (error) {
    if (!isComplaint(error)) unload();
    throw error;
  }
}

export function isComplaint(error: unknown): error is StripperComplaint {
  return typeof error === 'object' && error !== null && !(error instanceof Error) && 'startLine' in error;
}

function load(): Stripper {
  try {
    return require(MODULE) as Stripper;
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const why = code === 'MODULE_NOT_FOUND' ? 'is not installed' : `cannot be loaded: ${message}`;
    throw new StripperMissing(`the TypeScript reader ${MODULE} ${why}`);
  }
}

function unload(): void {
  loaded = undefined;
  delete require.cache[require.resolve(MODULE)];
}
