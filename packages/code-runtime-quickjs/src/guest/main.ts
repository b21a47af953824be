// The guest's own program: evaluated once, while the base image is built. It gives the worker its entry points and
// leaves nothing of the bridge where a program could reach it.
import { freezeJson, parseWrittenJson, stringifyJson, toLosslessJson } from '@codeseam/lossless-json';
import { makeBridge } from './bridge.ts';
import { describeFailure } from './describe-failure.ts';
import { type ErrorClass, makeErrorClass } from './error-classes.ts';
import { hardenGlobals } from './harden-globals.ts';
import {
  type Delivery,
  type GuestEntry,
  HOST_FUNCTION_NAMES,
  type HostFunctions,
  type RunSetup,
} from './host-functions.ts';
import { defineProperty, freeze, nativeParse, nativeStringify } from './intrinsics.ts';
import { makeNamespace } from './namespace.ts';

/** Installs everything and gives the entry points. `functions` are in the order of {@link HOST_FUNCTION_NAMES}. */
export function install(...functions: HostFunctions[keyof HostFunctions][]): GuestEntry {
  const host = Object.fromEntries(
    HOST_FUNCTION_NAMES.map((name, index) => [name, functions[index]]),
  ) as unknown as HostFunctions;
  const bridge = makeBridge(host);
  let onValue: ((value: unknown) => unknown) | undefined;
  const show = (value: unknown): string => (typeof value === 'string' ? value : nativeStringify(value));
  hardenGlobals();

  const preludeHost = freeze({
    emit: (item: unknown) => host.emit(stringifyJson(toLosslessJson(item, { name: 'item' }))),
    control: (name: string, payload?: unknown) => bridge.control(name, payload),
    onValue: (fn: (value: unknown) => unknown) => {
      onValue = fn;
    },
  });

  return {
    prelude(body) {
      body(preludeHost);
    },

    begin(text) {
      const setup = nativeParse(text) as RunSetup;
      bridge.configure(setup);
      const errors: ErrorClass[] = [];
      for (let index = 0; index < setup.errors.length; index++) {
        const { name, property } = setup.errors[index]!;
        const made = makeErrorClass(name, property);
        errors[index] = made;
        fixGlobal(name, made.constructor);
      }
      for (let index = 0; index < setup.namespaces.length; index++) {
        const { global, error } = setup.namespaces[index]!;
        const number = `${index}`;
        const errorClass = errors[error];
        const call = (path: string, member: string, args: unknown[]) =>
          bridge.call(number, path, member, args, errorClass);
        fixGlobal(global, makeNamespace({ host, number, call }));
      }
      for (let index = 0; index < setup.globals.length; index++) fixLazyGlobal(host, setup.globals[index]!);
    },

    deliver(text) {
      bridge.deliver(parseWrittenJson(text) as unknown as Delivery[]);
    },

    complete(value) {
      bridge.close();
      let result = value;
      try {
        if (onValue) result = onValue(value);
      } catch (error) {
        return `x${nativeStringify(describeFailure(error, show))}`;
      }
      if (result === undefined) return 'u';
      try {
        return `v${stringifyJson(toLosslessJson(result))}`;
      } catch (error) {
        return `i${describeFailure(error, show).message}`;
      }
    },

    describe(thrown) {
      const callSeq = bridge.callOf(thrown);
      return nativeStringify({ ...describeFailure(thrown, show), ...(callSeq === undefined ? {} : { callSeq }) });
    },

    globalNames: () => nativeStringify(Object.getOwnPropertyNames(globalThis)),
  };
}

function fixGlobal(name: string, value: unknown): void {
  defineProperty(globalThis, name, { value, writable: false, enumerable: true, configurable: false });
}

/** Plain data that is read from its text at first access. */
function fixLazyGlobal(host: HostFunctions, name: string): void {
  let made: { value: unknown } | undefined;
  defineProperty(globalThis, name, {
    get: () => (made ??= { value: freezeJson(parseWrittenJson(host.global(name))) }).value,
    set: undefined,
    enumerable: true,
    configurable: false,
  });
}
