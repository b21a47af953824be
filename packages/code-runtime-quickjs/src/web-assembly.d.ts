// The part of the WebAssembly API that this package uses; Node's types leave it to the DOM library.
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Global {
    value: number;
  }
  type Imports = Record<string, Record<string, (...args: never[]) => unknown>>;
  class Module {
    constructor(bytes: Uint8Array);
    readonly [Symbol.toStringTag]?: string;
  }
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Record<string, unknown>;
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array): Promise<Module>;
}
