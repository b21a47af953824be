// The guest's side of host calls, timers and controls: ids, the queue, and what settles them.
import type { GuestDelivery } from '@codeseam/code-runtime';
import {
  argumentsProblem,
  argumentsText,
  construct,
  define,
  type GuestErrorClass,
  mapDelete,
  mapGet,
  mapSet,
  RealError,
  RealMap,
  RealWeakMap,
  weakGet,
  weakSet,
} from '@codeseam/code-runtime/guest';
import { losslessJsonText } from '@codeseam/lossless-json';
import type { HostFunctions, RunSetup } from './host-functions.ts';
import { newPromise } from './new-promise.ts';

/** Arguments in flight may take this much before further calls wait in the guest, where they count as its memory. */
const MAX_BYTES_IN_FLIGHT = 16 * 1024 * 1024;

/** What is waited for. Kept in few objects: each costs the guest more than all that is done with it. */
interface Waiting {
  /** The length of a call's arguments; 0 for what is no call. */
  readonly size: number;
  readonly resolve: (value?: unknown) => void;
  readonly reject: ((error: Error) => void) | undefined;
  /** What a rejection throws, made at the call so that its stack shows the program's line. */
  readonly error: Error | undefined;
  /** The property of that error that names the member, and the member. */
  readonly property: string | undefined;
  readonly member: string;
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
  /** Makes the function that calls a member. `path` is JSON text, `member` the same path as people write it. */
  makeFunction(
    namespace: number,
    path: string,
    member: string,
    errorClass: GuestErrorClass | undefined,
  ): (...args: unknown[]) => Promise<unknown>;
  control(name: string, payload: unknown): Promise<void>;
  startTimer(delay: number, fire: () => void): number;
  stopTimer(id: number): void;
  deliver(items: readonly GuestDelivery[]): void;
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

  const send = (id: number, namespace: number, path: string, args: string): void => {
    inFlight++;
    bytesInFlight += args.length;
    host.call(id, namespace, path, args);
  };

  const sendQueued = (): void => {
    while (firstQueued && hasPlace(firstQueued.args.length)) {
      const call = firstQueued;
      firstQueued = call.next;
      queued--;
      send(call.id, call.namespace, call.path, call.args);
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

  const rejectWith = (id: number, entry: Waiting, message: string, code: unknown, member: unknown): void => {
    const error = entry.error ?? new RealError();
    define(error, 'message', message, false);
    if (typeof code === 'string') define(error, 'code', code);
    if (entry.property !== undefined) define(error, entry.property, typeof member === 'string' ? member : entry.member);
    weakSet(rejections, error, id);
    entry.reject?.(error);
  };

  return {
    configure(setup) {
      limits = {
        maxPendingCalls: setup.maxPendingCalls,
        maxQueuedCalls: setup.maxQueuedCalls,
        maxCallBytes: setup.maxCallBytes,
      };
    },

    makeFunction(namespace, path, member, errorClass) {
      const property = errorClass?.property;
      const errorType = errorClass?.constructor ?? RealError;
      return (...args) => {
        const { promise, resolve, reject } = newPromise();
        if (closed) return promise;
        // Made now, so that its stack shows the program's line of the call, and not by its class, whose frames would show too.
        const error = construct(RealError, [], errorType) as Error;
        let text: string;
        try {
          text = argumentsText(args, limits.maxCallBytes);
        } catch (problem) {
          define(error, 'message', argumentsProblem(problem, limits.maxCallBytes), false);
          if (property !== undefined) define(error, property, member);
          reject(error);
          return promise;
        }
        const id = ++lastId;
        const size = text.length;
        mapSet(waiting, id, { size, resolve, reject, error, property, member });
        if (!firstQueued && hasPlace(size)) send(id, namespace, path, text);
        else enqueue({ id, namespace, path, args: text, next: undefined });
        return promise;
      };
    },

    control(name, payload) {
      const { promise, resolve, reject } = newPromise();
      try {
        const text = losslessJsonText(payload ?? null, { name: 'payload' });
        const id = ++lastId;
        mapSet(waiting, id, { size: 0, resolve, reject, error: undefined, property: undefined, member: '' });
        host.control(id, `${name}`, text);
      } catch (error) {
        reject(error as Error);
      }
      return promise as Promise<void>;
    },

    startTimer(delay, fire) {
      const id = ++lastId;
      mapSet(waiting, id, { size: 0, resolve: fire, reject: fire, error: undefined, property: undefined, member: '' });
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
        if (item.length === 5) rejectWith(id, entry, item[2] as string, item[3], item[4]);
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
