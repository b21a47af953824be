// setTimeout and its kin over timers of the host.
import {
  apply,
  mapDelete,
  mapGet,
  mapSet,
  RealMap,
  RealPromise,
  RealTypeError,
  timerDelay,
  toNumber,
} from '@codeseam/code-runtime/guest';
import { defineGlobal } from './define-global.ts';
import type { GuestLibraryHost } from './index.ts';

const TIMER_FUNCTIONS = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] as const;
const MOST_TIMERS = 10_000;

const RealRangeError = RangeError;

interface GuestTimer {
  hostId: number;
}

/** Defines `setTimeout`, `setInterval`, `clearTimeout` and `clearInterval`. Ids are numbers that a run gives once. */
export function defineTimers(host: GuestLibraryHost): void {
  const timers = new RealMap<number, GuestTimer>();
  let lastId = 0;
  let count = 0;

  const stop = (given: unknown): void => {
    const id = toNumber(given);
    const timer = mapGet(timers, id);
    if (timer === undefined) return;
    mapDelete(timers, id);
    count--;
    host.stopTimer(timer.hostId);
  };

  const start = (name: string, callback: unknown, delay: unknown, args: unknown[], repeats: boolean): number => {
    if (typeof callback !== 'function') throw new RealTypeError(`${name}: the first argument must be a function`);
    if (count >= MOST_TIMERS) throw new RealRangeError(`${name}: more than ${MOST_TIMERS} timers are pending`);
    const wait = timerDelay(delay);
    const id = ++lastId;
    const timer: GuestTimer = { hostId: 0 };
    const due = (): void => {
      if (!mapGet(timers, id)) return;
      if (repeats) {
        timer.hostId = host.startTimer(wait, due);
      } else {
        mapDelete(timers, id);
        count--;
      }
      // A job of its own, so that what the callback throws is an unhandled rejection and touches nobody else.
      new RealPromise((resolve) => resolve(apply(callback as () => unknown, undefined, args)));
    };
    count++;
    mapSet(timers, id, timer);
    timer.hostId = host.startTimer(wait, due);
    return id;
  };

  // Methods, so that none is a constructor.
  const functions = {
    setTimeout: (callback: unknown, delay?: unknown, ...args: unknown[]) =>
      start('setTimeout', callback, delay, args, false),
    setInterval: (callback: unknown, delay?: unknown, ...args: unknown[]) =>
      start('setInterval', callback, delay, args, true),
    clearTimeout: (id?: unknown) => stop(id),
    clearInterval: (id?: unknown) => stop(id),
  };
  for (const name of TIMER_FUNCTIONS) defineGlobal(name, functions[name]);
}
