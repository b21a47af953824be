// The cordis side: mounted and enabled, beside code mode and a harness' `agents` service.
import type {} from '@codeseam/code-mode/cordis';
import type { Context } from 'cordis';
import { swarmConfig } from './config.ts';
import { createSwarm } from './create-swarm.ts';
import type { AgentsService, SwarmConfig } from './types.ts';

declare module 'cordis' {
  interface Context {
    agents: AgentsService;
  }
}

export default {
  name: '@codeseam/swarm',
  inject: ['codeMode', 'agents'],
  Config: swarmConfig,

  /** Without `enabled: true` nothing happens. */
  apply(ctx: Context, config: SwarmConfig = {}): void {
    if (config.enabled !== true) return;
    ctx.effect(() => createSwarm({ codeMode: ctx.codeMode, agents: () => ctx.get('agents'), config }), 'swarm');
  },
};
