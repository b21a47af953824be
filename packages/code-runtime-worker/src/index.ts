import { runtimePlugin } from '@codeseam/code-runtime';
import { workerRuntimeConfig } from './config.ts';
import { createWorkerRuntime } from './runtime.ts';

export { type WorkerRuntimeConfig, workerRuntimeConfig } from './config.ts';
export { createWorkerRuntime, WorkerRuntime } from './runtime.ts';

/** Mounts the runtime as `codeRuntime` in a context. */
export default runtimePlugin({ name: 'code-runtime-worker', Config: workerRuntimeConfig, create: createWorkerRuntime });
