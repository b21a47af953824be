// The globals of a request: namespaces, error classes and plain data, fixed on the global object.
import { type GuestErrorClass, makeErrorClass, makeNamespace } from '@codeseam/code-runtime/guest';
import { freezeJson, parseWrittenJson } from '@codeseam/lossless-json';
import type { RunOrder } from '../messages.ts';
import type { Bridge } from './bridge.ts';
import { defineProperty } from './intrinsics.ts';
import { MemberNames } from './member-names.ts';

/** All names that a request defines. */
export function namesOf({ namespaces, errors, globals }: RunOrder): string[] {
  return [...namespaces.map((it) => it.global), ...errors.map((it) => it.name), ...globals.map(([name]) => name)];
}

/** Defines them; nothing of a namespace or of data is made before it is asked for. */
export function fixGlobals(order: RunOrder, bridge: Bridge): void {
  const classes: GuestErrorClass[] = order.errors.map(({ name, property }) => makeErrorClass(name, property));
  order.errors.forEach(({ name }, index) => {
    fixValue(name, classes[index]!.constructor);
  });
  order.namespaces.forEach(({ global, table, error }, index) => {
    const names = new MemberNames(table);
    const errorClass = classes[error];
    const namespace = makeNamespace({
      member: (path) => names.member(path),
      names: (path) => names.names(path),
      unknownMember: (path) => names.unknownMember(global, path),
      makeFunction:
        (path, shown) =>
        (...args) =>
          bridge.call(index, path, shown, args, errorClass),
    });
    fixValue(global, namespace);
  });
  for (const [name, text] of order.globals) fixData(name, text);
}

function fixValue(name: string, value: unknown): void {
  defineProperty(globalThis, name, { value, writable: false, enumerable: true, configurable: false });
}

function fixData(name: string, text: string): void {
  let made: { value: unknown } | undefined;
  const get = () => {
    made ??= { value: freezeJson(parseWrittenJson(text)) };
    return made.value;
  };
  defineProperty(globalThis, name, { get, set: undefined, enumerable: true, configurable: false });
}
