// The config of the registry: checked here, with and without cordis.
import { strictConfig } from '@codeseam/strict-config';
import Schema from 'schemastery';
import type { ToolsConfig } from './types.ts';

/** Checks a config: unknown fields, wrong values and their ranges are errors that name the field. */
export const toolsConfig = strictConfig<ToolsConfig, ToolsConfig>(
  Schema.object({
    mode: Schema.union(['native', 'code', 'both'] as const),
    transport: Schema.string(),
    maxParallelSubCalls: Schema.number().step(1).min(1).max(1_024).default(10),
    toolOrder: Schema.array(Schema.string()),
    trust: Schema.array(Schema.string()),
  }) as never,
  { name: '@codeseam/tools' },
);
