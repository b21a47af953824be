// What a run is started with, checked.
import type { CheckedRequest } from '@codeseam/code-runtime';
import type { WorkerLimitTable } from './limits.ts';

export type WorkerRequest = CheckedRequest<WorkerLimitTable>;
