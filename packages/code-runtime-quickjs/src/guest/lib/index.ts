// What programs expect to be there, beside the language: console, timers, crypto, URL, text coding, structuredClone.
//
// The bridge calls `installGuestLibrary(host)` once, while the base image is built, before the prelude. `host` holds what the
// bridge has captured:
//
// - `log(level, text)` adds a line to the output; the text is whole, and the host's ledger cuts it.
// - `startTimer(delayMs, fire)` asks the host for a timer (1 to 2,147,483,647 ms) and gives its id; when it is due the bridge calls
//   `fire()`, which never throws and runs the program's callback at once. After a thaw the host arms its timers again by itself.
// - `stopTimer(id)` cancels one.
// - `randomHex(bytes)` gives so many random bytes as lower-case hexadecimal digits; fresh for each run.
// - `labelOf(value)` says what to show for an object that must not be looked into, such as a proxy; undefined for all others.
// - `framesOf(error)` (optional) gives an error's stack as lines of frames of the program.
//
// `URL`, `URLSearchParams`, `TextEncoder`, `TextDecoder` and `structuredClone` are compiled at their first use (about 15 ms for the first two,
// 3 ms for the rest). `queueMicrotask`, `atob` and `btoa` are the engine's own.
import { type ConsoleLevel, makeConsole } from '@codeseam/code-runtime/guest';
import { defineCrypto } from './crypto.ts';
import { defineGlobal } from './define-global.ts';
import { defineLazyGlobals } from './lazy-globals.ts';
import { defineTimers } from './timers.ts';
import urlProgram from './url.ts?bundle=guest';
import webProgram from './web.ts?bundle=guest';

export interface GuestLibraryHost {
  log(level: ConsoleLevel, text: string): void;
  startTimer(delayMs: number, fire: () => void): number;
  stopTimer(id: number): void;
  randomHex(bytes: number): string;
  labelOf(value: object): string | undefined;
  framesOf?(error: object): string | undefined;
}

/** Defines the globals that programs expect. Each can be replaced by a program, like the engine's own. */
export function installGuestLibrary(host: GuestLibraryHost): void {
  const { framesOf } = host;
  let describeUrl: GuestLibraryHost['labelOf'] | undefined;
  const labelOf = (value: object): string | undefined => host.labelOf(value) ?? describeUrl?.(value);
  const console = makeConsole((level, text) => host.log(level, text), { labelOf, ...(framesOf ? { framesOf } : {}) });
  defineGlobal('console', console);
  defineTimers(host);
  defineCrypto(host);
  defineLazyGlobals(['URL', 'URLSearchParams'], urlProgram, (made) => {
    describeUrl = made['describeUrl'] as GuestLibraryHost['labelOf'];
  });
  defineLazyGlobals(['TextEncoder', 'TextDecoder', 'structuredClone'], webProgram);
}
