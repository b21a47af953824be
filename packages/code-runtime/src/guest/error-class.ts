// The guest classes that rejected calls reject with: real subclasses of Error, one per name.
import { define, RealError } from './intrinsics.ts';

export interface GuestErrorClass {
  readonly constructor: new (message?: string, member?: string) => Error;
  /** The property that holds the member's path. */
  readonly property: string;
}

/** Makes the class; its instances hold the member's path under `property`. */
export function makeErrorClass(name: string, property: string): GuestErrorClass {
  const made = class extends RealError {
    constructor(message?: string, member?: string) {
      super(message);
      if (member !== undefined) define(this, property, member);
    }
  };
  define(made, 'name', name, false);
  define(made.prototype, 'name', name, false);
  return { constructor: made, property };
}
