// The config of the provider, checked at the boundary.
import { strictConfig } from '@codeseam/strict-config';
import z from 'schemastery';

export interface WorkerRuntimeConfig {
  /** Milliseconds that a program may be busy. */
  computeMs: number;
  /** Milliseconds from the start of a run to its end. */
  wallMs: number;
  /** Bytes of output, completion value and failure text, counted as JSON. */
  maxOutputBytes: number;
  /** Mebibytes of a thread's heap. */
  maxOldGenerationSizeMb: number;
}

const schema: z<Partial<WorkerRuntimeConfig>, WorkerRuntimeConfig> = z.object({
  computeMs: z
    .natural()
    .min(1)
    .max(2_147_483_647)
    .default(60_000)
    .description('Milliseconds that a program may be busy.'),
  wallMs: z
    .natural()
    .min(1)
    .max(2_147_483_647)
    .default(600_000)
    .description('Milliseconds from the start of a run to its end.'),
  maxOutputBytes: z
    .natural()
    .min(4)
    .max(1_073_741_824)
    .default(67_108_864)
    .description('Bytes of output, completion value and failure text.'),
  maxOldGenerationSizeMb: z.natural().min(16).max(65_536).default(512).description("Mebibytes of a thread's heap."),
});

/** Checks a config and fills in what it leaves out. */
export const workerRuntimeConfig = strictConfig(schema, { name: 'code-runtime-worker' });
