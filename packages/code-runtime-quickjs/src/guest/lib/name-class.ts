// Names of classes as programs see them: the bundle is minified.

export function nameClass(made: abstract new (...args: never[]) => object, name: string): void {
  Object.defineProperty(made, 'name', { value: name, configurable: true });
  Object.defineProperty(made.prototype, Symbol.toStringTag, { value: name, configurable: true });
}
