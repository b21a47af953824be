// Built-ins of Node captured when the thread starts, before any program runs; those of the language are shared with other guests.
import { uncurry } from '@codeseam/code-runtime/guest';

export const RealScript = (globalThis.process.getBuiltinModule('node:vm') as typeof import('node:vm')).Script;
export const { wait: blockOn } = Atomics;
export const later = globalThis.setImmediate;
export const thenDo = uncurry(Promise.prototype.then) as (
  promise: Promise<unknown>,
  onValue: (value: unknown) => void,
  onError: (error: unknown) => void,
) => unknown;
