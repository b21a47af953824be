// The guest's side of host calls, timers and controls: ids, the queue, and what settles them.

import type { GuestErrorClass } from '@codeseam/code-runtime/guest';
import { LosslessJsonError, losslessJsonText } from '@codeseam/lossless-json';
import type { Delivery, HostFunctions, RunSetup } from './host-functions.ts';
import {
  define,
  defineProperty,
  mapDelete,
  mapGet,
  mapSet,
  RealError,
  RealMap,
  RealPromise,
  RealWeakMap,
  weakGet,
  weakSet,
} from './intrinsics.ts';

/** Arguments in flight may take this much before further calls wait in the guest, where they count as its memory. */
const MAX_BYTES_IN_FLIGHT = 16 * 1024 * 1024;

interface Waiting {
  /** The length of a call's arguments; 0 for what is no call. */
  readonly size: number;
  resolve(value?: unknown): void;
  reject(message: string, code: unknown, member: unknown): void;
}

interface QueuedCall {
  readonly id: number;
  readonly namespace: number;
  readonly path: string;
  readonly args: string;
  next: QueuedCall | undefined;
}

export interface Bridge {
  configure(setup: RunSetup): void;
  /** `path` is JSON text, `member` the same path as people write it. */
  call(
    namespace: number,
    path: string,
    member: string,
    args: unknown[],
    errorClass: GuestErrorClass | undefined,
  ): Promise<unknown>;
  control(name: string, payload: unknown): Promise<void>;
  startTimer(delay: number, fire: () => void): number;
  stopTimer(id: number): void;
  deliver(items: readonly Delivery[]): void;
  /** The program is over: hands all queued calls to the host, and takes no more. */
  close(): void;
  /** The call whose rejection an error is. */
  callOf(error: unknown): number | undefined;
}

export function makeBridge(host: HostFunctions): Bridge {
  const waiting = new RealMap<number, Waiting>();
  const rejections = new RealWeakMap<object, number>();
  let limits = { maxPendingCalls: 0, maxQueuedCalls: 0, maxCallBytes: 0 };
  let lastId = 0;
  let inFlight = 0;
  let bytesInFlight = 0;
  let queued = 0;
  let firstQueued: QueuedCall | undefined;
  let lastQueued: QueuedCall | undefined;
  let closed = false;

  const hasPlace = (size: number): boolean =>
    inFlight < limits.maxPendingCalls && (inFlight === 0 || bytesInFlight + size <= MAX_BYTES_IN_FLIGHT);

  const send = (call: QueuedCall): void => {
    inFlight++;
    bytesInFlight += call.args.length;
    host.call(call.id, call.namespace, call.path, call.args);
  };

  const sendQueued = (): void => {
    while (firstQueued && hasPlace(firstQueued.args.length)) {
      const call = firstQueued;
      firstQueued = call.next;
      queued--;
      send(call);
    }
    if (!firstQueued) lastQueued = undefined;
  };

  const enqueue = (call: QueuedCall): void => {
    if (queued >= limits.maxQueuedCalls) {
      host.refuse(
        `more than ${limits.maxQueuedCalls} host calls wait for a free place beside the ${limits.maxPendingCalls} in flight`,
      );
      return;
    }
    queued++;
    if (lastQueued) lastQueued.next = call;
    else firstQueued = call;
    lastQueued = call;
  };

  const makeError = (
    id: number,
    blank: Error,
    message: string,
    code: unknown,
    member: unknown,
    property?: string,
  ): Error => {
    hide(blank, 'message', message);
    if (typeof code === 'string') define(blank, 'code', code);
    if (typeof member === 'string' && property !== undefined) define(blank, property, member);
    weakSet(rejections, blank, id);
    return blank;
  };

  return {
    configure(setup) {
      limits = {
        maxPendingCalls: setup.maxPendingCalls,
        maxQueuedCalls: setup.maxQueuedCalls,
        maxCallBytes: setup.maxCallBytes,
      };
    },

    call(namespace, path, member, args, errorClass) {
      return new RealPromise((resolve, reject) => {
        if (closed) return;
        // Made now, so that its stack shows the program's line of the call.
        const blank = errorClass ? new errorClass.constructor(undefined, member) : new RealError();
        let text: string;
        try {
          text = argumentsText(args, limits.maxCallBytes);
        } catch (error) {
          hide(blank, 'message', problemOf(error, limits.maxCallBytes));
          reject(blank);
          return;
        }
        const id = ++lastId;
        mapSet(waiting, id, {
          size: text.length,
          resolve,
          reject: (message, code, at) => reject(makeError(id, blank, message, code, at, errorClass?.property)),
        });
        const call: QueuedCall = { id, namespace, path, args: text, next: undefined };
        if (!firstQueued && hasPlace(text.length)) send(call);
        else enqueue(call);
      });
    },

    control(name, payload) {
      return new RealPromise<void>((resolve, reject) => {
        const text = losslessJsonText(payload ?? null, { name: 'payload' });
        const id = ++lastId;
        mapSet(waiting, id, { size: 0, resolve: () => resolve(), reject: (message) => reject(new RealError(message)) });
        host.control(id, `${name}`, text);
      });
    },

    startTimer(delay, fire) {
      const id = ++lastId;
      mapSet(waiting, id, { size: 0, resolve: fire, reject: fire });
      host.timer(id, delay);
      return id;
    },

    stopTimer(id) {
      if (mapDelete(waiting, id)) host.clearTimer(id);
    },

    deliver(items) {
      for (let index = 0; index < items.length; index++) {
        const item = items[index]!;
        const id = item[0];
        const entry = mapGet(waiting, id);
        if (!entry) continue;
        mapDelete(waiting, id);
        if (entry.size > 0) {
          inFlight--;
          bytesInFlight -= entry.size;
        }
        if (item.length === 5) entry.reject(item[2] as string, item[3], item[4]);
        else if (item.length === 2) entry.resolve(item[1]);
        else entry.resolve();
      }
      sendQueued();
    },

    close() {
      closed = true;
      for (let call = firstQueued; call; call = call.next) host.call(call.id, call.namespace, call.path, call.args);
      firstQueued = undefined;
      lastQueued = undefined;
    },

    callOf: (error) => (typeof error === 'object' && error !== null ? weakGet(rejections, error) : undefined),
  };
}

/** The argument list as JSON text; trailing undefined arguments are as good as none. */
function argumentsText(args: unknown[], maxBytes: number): string {
  let count = args.length;
  while (count > 0 && args[count - 1] === undefined) count--;
  if (count === 0) return '[]';
  args.length = count;
  return losslessJsonText(args, { name: 'arguments', maxBytes });
}

function problemOf(error: unknown, maxBytes: number): string {
  if (!(error instanceof LosslessJsonError)) return 'the arguments could not be read';
  return error.code === 'too_large' ? `the arguments are over maxCallBytes (${maxBytes} bytes)` : error.message;
}

function hide(target: object, key: string, value: unknown): void {
  defineProperty(target, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}
