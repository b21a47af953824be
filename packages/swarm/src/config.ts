// The config of the swarm.
import { strictConfig } from '@codeseam/strict-config';
import Schema from 'schemastery';
import type { SwarmConfig } from './types.ts';

const whole = (max: number) => Schema.natural().min(1).max(max);

const schema: Schema<SwarmConfig, Required<SwarmConfig>> = Schema.object({
  enabled: Schema.boolean().default(false),
  maxAtOnce: whole(8).default(8),
  maxPerPhase: whole(50).default(50),
  maxPerRun: whole(200).default(200),
}) as never;

export const swarmConfig = strictConfig(schema, { name: 'swarm' });
