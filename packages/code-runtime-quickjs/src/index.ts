import { runtimePlugin } from '@codeseam/code-runtime';
import { quickJsRuntimeConfig } from './config.ts';
import { createQuickJsRuntime } from './runtime.ts';

export { type LimitConfig, type QuickJsRuntimeConfig, quickJsRuntimeConfig } from './config.ts';
export { createQuickJsRuntime, QuickJsRuntime } from './runtime.ts';

/** Mounts the runtime as `codeRuntime` in a context. */
export default runtimePlugin({
  name: 'code-runtime-quickjs',
  Config: quickJsRuntimeConfig,
  create: createQuickJsRuntime,
});
