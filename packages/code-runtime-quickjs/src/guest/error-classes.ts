// The guest classes that rejected calls reject with: real subclasses of Error, one per name.
import { define, RealError } from './intrinsics.ts';

export interface ErrorClass {
  readonly constructor: new (message?: string, member?: string) => Error;
  readonly property: string;
}

/** Makes the class; its instances hold the member's path under `property`. */
export function makeErrorClass(name: string, property: string): ErrorClass {
  const made = class extends RealError {
    constructor(message?: string, member?: string) {
      super(message);
      if (member !== undefined) define(this, property, member);
    }
  };
  hide(made, 'name', name);
  hide(made.prototype, 'name', name);
  return { constructor: made, property };
}

function hide(target: object, key: string, value: unknown): void {
  Reflect.defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true });
}
