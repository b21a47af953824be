// The guest's own program: evaluated once, while the base image is built. It gives the worker its entry points and
// leaves nothing of the bridge where a program could reach it.
import type { GuestDelivery } from '@codeseam/code-runtime';
import {
  describeThrown,
  fixGlobals,
  freeze,
  type GlobalsSource,
  nativeParse,
  nativeStringify,
  outputItemText,
  type ThrownValue,
} from '@codeseam/code-runtime/guest';
import { LosslessJsonError, losslessJsonText, parseWrittenJson, stringifyJson } from '@codeseam/lossless-json';
import { makeBridge } from './bridge.ts';
import { engineFrames } from './engine-frames.ts';
import { hardenGlobals } from './harden-globals.ts';
import { type GuestEntry, HOST_FUNCTION_NAMES, type HostFunctions, type RunSetup } from './host-functions.ts';
import { installGuestLibrary } from './lib/index.ts';

/** Installs everything and gives the entry points. `functions` are in the order of {@link HOST_FUNCTION_NAMES}. */
export function install(...functions: HostFunctions[keyof HostFunctions][]): GuestEntry {
  const host = Object.fromEntries(
    HOST_FUNCTION_NAMES.map((name, index) => [name, functions[index]]),
  ) as unknown as HostFunctions;
  const bridge = makeBridge(host);
  let maxOutputBytes = 0;
  let onValue: ((value: unknown) => unknown) | undefined;
  hardenGlobals();

  const formatOptions = {
    labelOf: (value: object) => (host.kind(value) === 'proxy' ? '[Proxy]' : undefined),
    framesOf: engineFrames,
  };
  installGuestLibrary({
    ...formatOptions,
    log: (level, text) => host.emit(`{"type":"log","level":"${level}","text":${nativeStringify(text)}}`),
    startTimer: (delayMs, fire) => bridge.startTimer(delayMs, fire),
    stopTimer: (id) => bridge.stopTimer(id),
    randomHex: (bytes) => host.random(bytes),
  });

  const preludeHost = freeze({
    emit: (item: unknown) => host.emit(outputItemText(item)),
    control: (name: string, payload?: unknown) => bridge.control(name, payload),
    onValue: (fn: (value: unknown) => unknown) => {
      onValue = fn;
    },
  });

  const source: GlobalsSource = {
    member: host.member,
    names: host.names,
    unknownMember: host.unknownMember,
    makeFunction: bridge.makeFunction,
    global: host.global,
  };

  return {
    prelude(body) {
      body(preludeHost);
    },

    begin(text) {
      const setup = nativeParse(text) as RunSetup;
      bridge.configure(setup);
      maxOutputBytes = setup.maxOutputBytes;
      fixGlobals(setup, source);
    },

    deliver(text) {
      bridge.deliver(parseWrittenJson(text) as unknown as GuestDelivery[]);
    },

    complete(value) {
      bridge.close();
      let result = value;
      try {
        if (onValue) result = onValue(value);
      } catch (error) {
        return `x${failureText(describeThrown(error, formatOptions))}`;
      }
      if (result === undefined) return 'u';
      try {
        return `v${losslessJsonText(result, { maxBytes: maxOutputBytes })}`;
      } catch (error) {
        const { message } = describeThrown(error, formatOptions);
        return error instanceof LosslessJsonError && error.code === 'too_large' ? `o${message}` : `i${message}`;
      }
    },

    describe(thrown) {
      const callSeq = bridge.callOf(thrown);
      return failureText({ ...describeThrown(thrown, formatOptions), ...(callSeq === undefined ? {} : { callSeq }) });
    },

    globalNames: () => nativeStringify(Object.getOwnPropertyNames(globalThis)),
  };
}

/** As JSON text, whatever `toJSON` a program put on a prototype. */
function failureText(failure: ThrownValue & { callSeq?: number }): string {
  return stringifyJson({ ...failure } as Record<string, string | number>);
}
