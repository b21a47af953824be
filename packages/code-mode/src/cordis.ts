// The cordis side: mounted and enabled, it provides `codeMode` and registers its transport with the registry.
import type {} from '@codeseam/code-runtime/cordis';
import type {} from '@codeseam/namespaces/cordis';
import type {} from '@codeseam/tools/cordis';
import type { Context } from 'cordis';
import { codeModeConfig } from './config-schema.ts';
import { createCodeMode } from './create-code-mode.ts';
import type { SuspendedRunStore } from './store/suspended-run-store.ts';
import type { CodeMode, CodeModeConfig, CodeModeEvents } from './types.ts';

declare module 'cordis' {
  interface Context {
    codeMode: CodeMode;
    /** Where suspended runs are kept, if a plugin provides it. */
    suspendedRunStore: SuspendedRunStore;
  }
  interface Events extends CodeModeEvents {}
}

const EVENTS = [
  'code-mode/suspended',
  'code-mode/resumed',
  'code-mode/ended',
] as const satisfies readonly (keyof CodeModeEvents)[];

export default {
  name: '@codeseam/code-mode',
  inject: ['tools'],
  Config: codeModeConfig,

  /** Without `enabled: true` nothing happens: the presentation stays as it is. */
  apply(ctx: Context, config: CodeModeConfig = {}): void {
    if (config.enabled !== true) return;
    const warn = (message: string) => ctx.logger.warn(message);
    const tools = ctx.tools.core;
    // Asked for when a run starts: a runtime may be swapped, and namespaces may come later.
    const codeMode = createCodeMode({
      tools,
      runtime: () => ctx.get('codeRuntime'),
      namespaces: () => ctx.get('namespaces')?.core,
      store: () => ctx.get('suspendedRunStore'),
      config,
      warn,
    });
    ctx.effect(function* () {
      yield () => codeMode.dispose();
      yield ctx.provide('codeMode', codeMode);
    }, 'codeMode');
    for (const name of EVENTS) codeMode.on(name, (event: unknown) => forward(ctx, name, event, warn));
  },
};

/** `emit` would let one listener's throw reach the others and the work; `parallel` keeps each to itself. */
function forward(ctx: Context, name: string, event: unknown, warn: (message: string) => void): void {
  const told = (ctx.parallel as (name: string, ...args: unknown[]) => Promise<void>)(name, event);
  told.catch((error: unknown) =>
    warn(`a listener of ${name} failed: ${error instanceof Error ? error.message : String(error)}`),
  );
}
