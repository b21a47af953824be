// The cordis side of the seam: the typing of `ctx.codeRuntime`.
import type {} from 'cordis';
import type { CodeRuntime } from './types.ts';

declare module 'cordis' {
  interface Context {
    codeRuntime: CodeRuntime;
  }
}

export * from './runtime-plugin.ts';
export type { CodeRuntime } from './types.ts';
