// The guest's own program: evaluated once, while the base image is built. It gives the worker its entry points and
// leaves nothing of the bridge where a program could reach it.
import {
  formatValue,
  type GuestErrorClass,
  makeConsole,
  makeErrorClass,
  makeNamespace,
  outputItemText,
} from '@codeseam/code-runtime/guest';
import { freezeJson, parseWrittenJson, stringifyJson, toLosslessJson } from '@codeseam/lossless-json';
import { makeBridge } from './bridge.ts';
import { describeFailure, type FailureReader } from './describe-failure.ts';
import { hardenGlobals } from './harden-globals.ts';
import {
  type Delivery,
  type GuestEntry,
  HOST_FUNCTION_NAMES,
  type HostFunctions,
  type RunSetup,
} from './host-functions.ts';
import { defineProperty, freeze, nativeParse, nativeStringify } from './intrinsics.ts';
import { programFrames } from './program-frames.ts';

/** Installs everything and gives the entry points. `functions` are in the order of {@link HOST_FUNCTION_NAMES}. */
export function install(...functions: HostFunctions[keyof HostFunctions][]): GuestEntry {
  const host = Object.fromEntries(
    HOST_FUNCTION_NAMES.map((name, index) => [name, functions[index]]),
  ) as unknown as HostFunctions;
  const bridge = makeBridge(host);
  let onValue: ((value: unknown) => unknown) | undefined;
  hardenGlobals();

  const formatOptions = {
    labelOf: (value: object) => (host.kind(value) === 'proxy' ? '[Proxy]' : undefined),
    framesOf: programFrames,
  };
  const failures: FailureReader = {
    isOpaque: (value) => host.kind(value) !== '',
    show: (value) => formatValue(value, formatOptions),
  };
  const print = (level: string, text: string): void =>
    host.emit(`{"type":"log","level":"${level}","text":${nativeStringify(text)}}`);
  changeableGlobal('console', makeConsole(print, formatOptions));

  const preludeHost = freeze({
    emit: (item: unknown) => host.emit(outputItemText(item)),
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
      const errors: GuestErrorClass[] = [];
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
        fixGlobal(
          global,
          makeNamespace({
            member: (path) => host.member(number, path),
            names: (path) => host.names(number, path),
            unknownMember: (path) => host.unknownMember(number, path),
            call: (path, shown, args) => bridge.call(number, path, shown, args, errorClass),
          }),
        );
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
        return `x${nativeStringify(describeFailure(error, failures))}`;
      }
      if (result === undefined) return 'u';
      try {
        return `v${stringifyJson(toLosslessJson(result))}`;
      } catch (error) {
        return `i${describeFailure(error, failures).message}`;
      }
    },

    describe(thrown) {
      const callSeq = bridge.callOf(thrown);
      return nativeStringify({ ...describeFailure(thrown, failures), ...(callSeq === undefined ? {} : { callSeq }) });
    },

    globalNames: () => nativeStringify(Object.getOwnPropertyNames(globalThis)),
  };
}

/** A global of the consumer's: nobody may replace it. */
function fixGlobal(name: string, value: unknown): void {
  defineProperty(globalThis, name, { value, writable: false, enumerable: true, configurable: false });
}

/** A global like the engine's own: programs may patch it. */
function changeableGlobal(name: string, value: unknown): void {
  defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
}

/** Plain data that is read from its text at first access. */
function fixLazyGlobal(host: HostFunctions, name: string): void {
  let made: { value: unknown } | undefined;
  const get = (): unknown => {
    if (!made) made = { value: freezeJson(parseWrittenJson(host.global(name))) };
    return made.value;
  };
  defineProperty(globalThis, name, { get, set: undefined, enumerable: true, configurable: false });
}
