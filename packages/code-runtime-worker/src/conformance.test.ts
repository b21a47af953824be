// The contract that every provider keeps, less the boundary that a thread is not.
import { describeCodeRuntime } from '@codeseam/code-runtime/conformance';
import { createWorkerRuntime } from './runtime.ts';

describeCodeRuntime('the worker-thread runtime', () => createWorkerRuntime(), { isolation: false, timeout: 10_000 });
