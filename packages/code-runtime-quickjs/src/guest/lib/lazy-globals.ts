// Globals whose program is compiled at their first use, so that a run that never asks for them pays nothing.

const { defineProperty } = Reflect;
// biome-ignore lint/security/noGlobalEval: the text is part of this package; called indirectly it is global code
const evaluate = globalThis.eval;

/** Defines globals that one program gives; `source` is an expression of an object that holds them. */
export function defineLazyGlobals(names: readonly string[], source: string): void {
  let made: Record<string, unknown> | undefined;
  for (const name of names) {
    const fix = (value: unknown): void => {
      defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
    };
    defineProperty(globalThis, name, {
      get(): unknown {
        made ??= evaluate(source) as Record<string, unknown>;
        const value = made[name];
        fix(value);
        return value;
      },
      set: fix,
      enumerable: false,
      configurable: true,
    });
  }
}
