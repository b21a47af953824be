// Makes the plugin object by which a provider is mounted in a context, without importing the framework of either context.
import type { CodeRuntime } from './types.ts';

/** The two things that a provider needs of a context. */
export interface RuntimePluginContext {
  provide(name: string, value: unknown): unknown;
  effect(execute: () => Iterable<unknown>, label?: string): unknown;
}

export interface RuntimePluginOptions<Config, Schema> {
  /** Of the plugin, as the framework shows it. */
  readonly name: string;
  /** A Standard Schema (schemastery's are) that the config is validated with. */
  readonly Config: Schema;
  /** Makes the runtime. */
  readonly create: (config: Config) => CodeRuntime | Promise<CodeRuntime>;
}

/** A plugin object that provides `codeRuntime`. */
export interface RuntimePlugin<Config, Schema> {
  readonly name: string;
  readonly Config: Schema;
  apply(ctx: RuntimePluginContext, config: Config): Promise<void>;
}

/**
 * Makes the plugin object that a provider default-exports. Mounted, it creates a runtime, provides it as `codeRuntime`,
 * and disposes it with its fiber: first the key goes, so that dependents stop, then the runtime ends its runs.
 *
 * @example
 * export default runtimePlugin({ name: 'code-runtime-mine', Config: z.object({}), create: createMyRuntime });
 */
export function runtimePlugin<Config, Schema>(
  options: RuntimePluginOptions<Config, Schema>,
): RuntimePlugin<Config, Schema> {
  return {
    name: options.name,
    Config: options.Config,
    async apply(ctx, config) {
      const runtime = await options.create(config);
      let owned = false;
      try {
        ctx.effect(function* () {
          owned = true;
          yield () => runtime.dispose();
          yield ctx.provide('codeRuntime', runtime);
        }, 'codeRuntime');
      } finally {
        // The fiber was disposed while the runtime was made, so that it takes no more effects.
        if (!owned) await runtime.dispose();
      }
    },
  };
}
