// The guest's side of host calls, timers and controls: their numbers, and what settles them.
import type { GuestDelivery } from '@codeseam/code-runtime';
import {
  apply,
  argumentsProblem,
  argumentsText,
  define,
  type GuestErrorClass,
  mapDelete,
  mapGet,
  mapSet,
  RealError,
  RealMap,
  RealPromise,
  RealTypeError,
  RealWeakMap,
  timerDelay,
  weakGet,
  weakSet,
} from '@codeseam/code-runtime/guest';
import { losslessJsonText, parseWrittenJson } from '@codeseam/lossless-json';
import type { ThreadPort } from './thread-port.ts';

/** No engine string is longer, so no JSON text is. */
const LONGEST_TEXT = 0x1fff_ffe8;

interface Waiting {
  resolve(value?: unknown): void;
  reject(message: string, code: unknown, member: unknown): void;
}

export class Bridge {
  readonly #port: ThreadPort;
  readonly #waiting = new RealMap<number, Waiting>();
  readonly #rejections = new RealWeakMap<object, number>();
  #lastSeq = 0;
  #size = 0;
  #closed = false;

  constructor(port: ThreadPort) {
    this.#port = port;
  }

  /**
   * Calls a host function.
   *
   * @param path JSON text of the member's path in its namespace; `member` is the same path as people write it.
   */
  call(
    namespace: number,
    path: string,
    member: string,
    args: unknown[],
    errorClass: GuestErrorClass | undefined,
  ): Promise<unknown> {
    return new RealPromise((resolve, reject) => {
      if (this.#closed) return;
      // Made now, so that its stack shows the program's line of the call.
      const blank = errorClass ? new errorClass.constructor(undefined, member) : new RealError();
      let text: string;
      try {
        text = argumentsText(args, LONGEST_TEXT);
      } catch (error) {
        define(blank, 'message', argumentsProblem(error, LONGEST_TEXT), false);
        reject(blank);
        return;
      }
      const seq = this.#expect({
        resolve,
        reject: (message, code, at) => {
          define(blank, 'message', message, false);
          if (typeof code === 'string') define(blank, 'code', code, true);
          if (typeof at === 'string' && errorClass) define(blank, errorClass.property, at, true);
          weakSet(this.#rejections, blank, seq);
          reject(blank);
        },
      });
      this.#port.send(['call', seq, namespace, parseWrittenJson(path), text]);
    });
  }

  control(name: string, payload: unknown): Promise<void> {
    return new RealPromise<void>((resolve, reject) => {
      const text = losslessJsonText(payload ?? null, { name: 'payload' });
      const seq = this.#expect({ resolve: () => resolve(), reject: (message) => reject(new RealError(message)) });
      this.#port.send(['control', seq, `${name}`, text]);
    });
  }

  setTimer(fire: (...args: unknown[]) => unknown, delay: unknown, args: unknown[]): number {
    if (typeof fire !== 'function') throw new RealTypeError('the callback of a timer must be a function');
    const run = () => void apply(fire, undefined, args);
    const seq = this.#expect({ resolve: run, reject: run });
    this.#port.send(['timer', seq, timerDelay(delay)]);
    return seq;
  }

  clearTimer(seq: unknown): void {
    if (typeof seq !== 'number' || !mapDelete(this.#waiting, seq)) return;
    this.#port.expect(--this.#size);
    this.#port.send(['clear', seq]);
  }

  /** Takes one delivery of the host. */
  settle(delivery: GuestDelivery): void {
    const seq = delivery[0];
    const entry = mapGet(this.#waiting, seq);
    if (!entry) return;
    mapDelete(this.#waiting, seq);
    this.#port.expect(--this.#size);
    if (delivery.length === 5) entry.reject(delivery[2], delivery[3], delivery[4]);
    else if (delivery.length === 2) entry.resolve(delivery[1]);
    else entry.resolve();
  }

  /** The program is over: no call leaves it any more. */
  close(): void {
    this.#closed = true;
  }

  /** The call whose rejection an error is. */
  callOf(error: unknown): number | undefined {
    return typeof error === 'object' && error !== null ? weakGet(this.#rejections, error) : undefined;
  }

  #expect(entry: Waiting): number {
    const seq = ++this.#lastSeq;
    mapSet(this.#waiting, seq, entry);
    this.#port.expect(++this.#size);
    return seq;
  }
}
