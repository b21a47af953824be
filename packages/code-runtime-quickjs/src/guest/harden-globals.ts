// Takes away what a program must not have: shared memory and blocking waits, fine clocks, hooks into error building.

/** Changes the global object of the base image. Other built-ins stay as programs know them, and may be patched. */
export function hardenGlobals(): void {
  const globals = globalThis as unknown as Record<string, unknown>;
  for (const name of ['SharedArrayBuffer', 'Atomics', 'performance', 'WebAssembly', 'gc']) delete globals[name];
  // Assignments are taken and do nothing: a hook would be given the functions of the bridge that are on the stack.
  Object.defineProperty(Error, 'prepareStackTrace', {
    get: () => undefined,
    set: () => {},
    enumerable: false,
    configurable: false,
  });
}
