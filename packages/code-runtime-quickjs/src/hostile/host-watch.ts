// What must hold on the host after every program, whatever it did.
import type { CodeRunResult } from '@codeseam/code-runtime';
import { CANARY } from './attack-host.ts';

const WATCHED = {
  Object: Object.prototype,
  Array: Array.prototype,
  Promise: Promise.prototype,
  Function: Function.prototype,
  globalThis,
};

function ownKeys(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(WATCHED).map(([name, it]) => [name, Reflect.ownKeys(it).map(String).sort().join()]),
  );
}

export interface HostWatch {
  /** What changed on the host, or went unhandled there, since the watch began. */
  problems(): string[];
  stop(): void;
}

/** Watches the prototypes of the host, and what would crash it. */
export function watchHost(): HostWatch {
  const before = ownKeys();
  const crashes: string[] = [];
  const onCrash = (error: unknown) => void crashes.push(`unhandled on the host: ${String(error)}`);
  process.on('unhandledRejection', onCrash);
  process.on('uncaughtException', onCrash);
  return {
    problems() {
      const now = ownKeys();
      const changed = Object.keys(before).filter((name) => before[name] !== now[name]);
      return [...crashes, ...changed.map((name) => `the host's ${name} was changed`)];
    },
    stop() {
      process.off('unhandledRejection', onCrash);
      process.off('uncaughtException', onCrash);
    },
  };
}

/** Texts of the host that must not appear in anything that is given back. */
const HOST_TEXTS = [
  CANARY,
  'node:internal',
  'node_modules',
  'wasm-function',
  'wasm://',
  'quickjs.wasm',
  'file:///',
  process.cwd(),
];

/** Names the texts of the host that a result shows. */
export function hostTextsIn(result: CodeRunResult): string[] {
  const text = JSON.stringify(result);
  return HOST_TEXTS.filter((it) => text.includes(it));
}
