// Globals whose program is compiled at their first use, so that a run that never asks for them pays nothing.
import { defineGlobal } from './define-global.ts';

const { defineProperty } = Reflect;
// biome-ignore lint/security/noGlobalEval: the text is part of this package; called indirectly it is global code
const evaluate = globalThis.eval;

/** Defines globals that one program gives; `source` is an expression of an object that holds them, and maybe more, for `onMade`. */
export function defineLazyGlobals(
  names: readonly string[],
  source: string,
  onMade?: (made: Record<string, unknown>) => void,
): void {
  let made: Record<string, unknown> | undefined;
  for (const name of names) {
    defineProperty(globalThis, name, {
      get(): unknown {
        if (made === undefined) {
          made = evaluate(source) as Record<string, unknown>;
          onMade?.(made);
        }
        const value = made[name];
        defineGlobal(name, value);
        return value;
      },
      set: (value: unknown) => defineGlobal(name, value),
      enumerable: false,
      configurable: true,
    });
  }
}
