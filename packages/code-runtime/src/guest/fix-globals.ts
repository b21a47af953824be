// The globals that a request gives its program: namespaces, error classes and plain data, which nobody may replace.
import { freezeJson, parseWrittenJson } from '@codeseam/lossless-json';
import type { GuestNames } from '../guest-names.ts';
import { type GuestErrorClass, makeErrorClass } from './error-class.ts';
import { defineProperty, RealError } from './intrinsics.ts';
import { makeNamespace } from './namespace.ts';

/** Where the globals come from; namespaces are known by their place. Paths and kinds are those of a `NamespaceSource`. */
export interface GlobalsSource {
  member(namespace: number, path: string): string;
  names(namespace: number, path: string): string;
  unknownMember(namespace: number, path: string): string;
  makeFunction(
    namespace: number,
    path: string,
    shown: string,
    errorClass: GuestErrorClass | undefined,
  ): (...args: unknown[]) => Promise<unknown>;
  /** The JSON text of plain data; nothing where a run goes on without it. */
  global(name: string): string;
}

/** Defines them; nothing of a namespace or of data is made before it is asked for. */
export function fixGlobals({ errors, namespaces, globals }: GuestNames, source: GlobalsSource): void {
  const classes: GuestErrorClass[] = [];
  for (let index = 0; index < errors.length; index++) {
    const { name, property } = errors[index]!;
    const made = makeErrorClass(name, property);
    classes[index] = made;
    fixValue(name, made.constructor);
  }
  for (let index = 0; index < namespaces.length; index++) {
    const { global, error } = namespaces[index]!;
    const errorClass = classes[error];
    fixValue(
      global,
      makeNamespace({
        member: (path) => source.member(index, path),
        names: (path) => source.names(index, path),
        unknownMember: (path) => source.unknownMember(index, path),
        makeFunction: (path, shown) => source.makeFunction(index, path, shown, errorClass),
      }),
    );
  }
  for (let index = 0; index < globals.length; index++) fixData(globals[index]!, source);
}

function fixValue(name: string, value: unknown): void {
  defineProperty(globalThis, name, { value, writable: false, enumerable: true, configurable: false });
}

/** Plain data is read from its text at first access. */
function fixData(name: string, source: GlobalsSource): void {
  let made: { value: unknown } | undefined;
  const get = (): unknown => {
    if (!made) {
      const text = source.global(name);
      if (text === '') throw new RealError(`${name} was not given when the run was brought back`);
      made = { value: freezeJson(parseWrittenJson(text)) };
    }
    return made.value;
  };
  defineProperty(globalThis, name, { get, set: undefined, enumerable: true, configurable: false });
}
