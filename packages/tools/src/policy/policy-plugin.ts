// What a policy needs of a cordis context; structural, so that these entries import no cordis.
import type { StrictConfig } from '@codeseam/strict-config';
import type { ToolRegistry } from '../types.ts';

export interface PolicyContext {
  readonly tools: ToolRegistry;
}

export interface PolicyPlugin<Config> {
  readonly name: string;
  readonly inject: readonly string[];
  readonly Config: StrictConfig<Config, Config>;
  apply(ctx: PolicyContext, config: Config): void;
}

/** Makes the plugin of a policy over the registry; what it registers is undone with its fiber. */
export function policyPlugin<Config>(
  name: string,
  Config: StrictConfig<Config, Config>,
  install: (tools: ToolRegistry, config: Config) => unknown,
): PolicyPlugin<Config> {
  return {
    name,
    inject: ['tools'],
    Config,
    apply(ctx, config) {
      install(ctx.tools, config);
    },
  };
}
