// What the worker gives the guest's bridge: functions of strings only. Programs never see them.
import type { GuestNames } from '@codeseam/code-runtime';

/** Each is one native function. Nothing but strings and numbers crosses, except to be asked for its `kind`. */
export interface HostFunctions {
  /** An output item as JSON text. */
  emit(item: string): void;
  /** A host call: its id, the number of its namespace, its path and its arguments as JSON text. */
  call(id: number, namespace: number, path: string, args: string): void;
  /** A control of the prelude: its id, name and payload as JSON text. */
  control(id: number, name: string, payload: string): void;
  /** A timer: its id and its delay in milliseconds. */
  timer(id: number, delay: number): void;
  clearTimer(id: number): void;
  /** The queue of calls is full: the run fails, and nothing of this turn is dispatched. */
  refuse(message: string): void;
  /** What a value is that must not be looked into: `proxy`, or nothing. */
  kind(value: unknown): string;
  /** What is at a path of a namespace: `f` a function, `d` and JSON data, `o` a record, `a` and a length an array, or nothing. */
  member(namespace: number, path: string): string;
  /** The names at a path of a namespace, as a JSON array. */
  names(namespace: number, path: string): string;
  /** Why a name is not a member, with the nearest real ones. */
  unknownMember(namespace: number, path: string): string;
  /** A global's value as JSON text; nothing where a run was brought back without it. */
  global(name: string): string;
  /** Random bytes as hexadecimal text. */
  random(count: number): string;
}

/** The letter by which the worker knows each function; the order is fixed, since images hold it. */
export const HOST_FUNCTION_NAMES = [
  'emit', 'call', 'control', 'timer', 'clearTimer', 'refuse', 'member', 'names', 'unknownMember', 'global',
  'random',
  'kind',
] as const satisfies readonly (keyof HostFunctions)[]; // biome-ignore format: one list

/** What the guest's bundle gives the worker: functions that it calls by their boxes. */
export interface GuestEntry {
  /** Runs the prelude's function with its `host`. */
  prelude(body: (host: unknown) => void): void;
  /** Gives the program its names and bounds. `setup` is JSON text of {@link RunSetup}. */
  begin(setup: string): void;
  /** Delivers settlements and due timers: JSON text of `GuestDelivery` items, in order. */
  deliver(items: string): void;
  /**
   * Turns what the program returned into `v` and JSON text, `u` for nothing, `i` and why it
   * is no JSON, `o` and why it is too large, or `x` and a failure. */
  complete(value: unknown): string;
  /** Describes what guest code threw, as JSON text of a `SeenFailure` without its kind. */
  describe(thrown: unknown): string;
  /** The own names of the global object, as a JSON array. */
  globalNames(): string;
}

/** The names and bounds of a run. */
export interface RunSetup extends GuestNames {
  readonly maxPendingCalls: number;
  readonly maxQueuedCalls: number;
  readonly maxCallBytes: number;
  readonly maxOutputBytes: number;
}
