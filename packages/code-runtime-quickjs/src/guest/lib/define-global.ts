// A global like the engine's own: not listed, and programs may replace it.

const { defineProperty } = Reflect;

export function defineGlobal(name: string, value: unknown): void {
  defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
}
