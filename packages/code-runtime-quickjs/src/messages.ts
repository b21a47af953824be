// What host and worker threads say to each other. Towards the host nothing is trusted: `read-message.ts` rebuilds it.
import type { SeenFailure } from '@codeseam/code-runtime';

/** What a run needs of its surroundings, whenever it gets a VM. */
export interface RunSurroundings {
  /** Of the run, unique in the process. */
  readonly run: number;
  /** The base image, and the prelude to build it with. */
  readonly base: {
    readonly key: string;
    readonly prelude: string | undefined;
    /** What its bytes must be, for an image that was taken elsewhere. */
    readonly hash: string | undefined;
  };
  /** The namespaces in order, each with the hash of its table; `text` where this worker has not seen the table. */
  readonly namespaces: readonly ({ readonly global: string } & TableReference)[];
  readonly globals: readonly ({ readonly name: string } & TableReference)[];
  readonly limits: WorkerLimits;
}

export interface TableReference {
  readonly hash: string;
  readonly text?: string;
}

/** What is left to a run, for the coming turn. */
export interface WorkerLimits {
  readonly computeMs: number;
  readonly memoryLimitBytes: number;
  readonly outputBytes: number;
  /** The largest image, where the request itself set it. */
  readonly snapshotBytes: number | undefined;
}

/** What a waiting run goes on with. `items` is JSON text of a `GuestDelivery` list, `computeMs` what is left to the run. */
export interface Delivery {
  readonly run: number;
  readonly computeMs: number;
  readonly items: string;
}

export type ToWorker =
  /** A delivery, as {@link writeDelivery} writes it. */
  | string
  | (RunSurroundings & {
      readonly kind: 'start';
      readonly program: string;
      readonly language: 'javascript' | 'typescript' | undefined;
      /** JSON text of the guest's `RunSetup`. */
      readonly setup: string;
    })
  /** Give back the run's image, and the VM. */
  | { readonly kind: 'park'; readonly run: number }
  /** Take a parked run and deliver. */
  | (RunSurroundings & { readonly kind: 'resume'; readonly image: Uint8Array; readonly items: string })
  /** Build a base image that will be wanted. */
  | { readonly kind: 'prepare'; readonly run: 0; readonly base: RunSurroundings['base'] }
  /** The run is over for the host. */
  | { readonly kind: 'drop'; readonly run: number };

/** A call as it leaves the guest. Numbers are those of the guest's own count, which calls, timers and controls share. */
export interface GuestCall {
  readonly seq: number;
  /** The number of the namespace in the run. */
  readonly namespace: number;
  /** JSON text of the member names. */
  readonly path: string;
  /** JSON text of the argument list. */
  readonly args: string;
}

/** What a turn of guest code left behind beside its calls. `Json` is how JSON is held: as text, or as the value. */
export interface TurnRest<Json = string> {
  readonly timers: readonly { readonly seq: number; readonly delay: number }[];
  readonly cleared: readonly number[];
  readonly controls: readonly { readonly seq: number; readonly name: string; readonly payload: Json }[];
  /** Absent while the program goes on; `value` is absent where there is none. */
  readonly end?: { readonly value?: Json } | { readonly failure: SeenFailure };
}

/** How a turn of guest code ended. */
export interface Turn<Json = string> {
  readonly computeMs: number;
  /** The largest heap seen, less the base image's. */
  readonly heapBytes: number;
  readonly calls: readonly GuestCall[];
  /** Absent where there is nothing, as after most turns. */
  readonly rest?: TurnRest<Json>;
}

/**
 * Messages to the host: a string is the end of a turn (turn-text.ts); the others are lists of a tag, the run's number, and
 * - `output`: one JSON text for each item;
 * - `parked`: the image and the hash of its base image;
 * - `misuse`: why the run cannot start.
 */
export type FromWorker =
  | string
  | readonly ['output', number, ...string[]]
  | readonly ['parked', number, Uint8Array, string]
  | readonly ['misuse', number, string];

/** A delivery as a message. */
export function writeDelivery({ run, computeMs, items }: Delivery): string {
  return `${run} ${computeMs} ${items}`;
}

export function readDelivery(text: string): Delivery {
  const first = text.indexOf(' ');
  const second = text.indexOf(' ', first + 1);
  return { run: +text.slice(0, first), computeMs: +text.slice(first + 1, second), items: text.slice(second + 1) };
}

/** Places of the shared word list of a worker. */
export const SIGNAL_MESSAGES = 0;
/** The number of the run that must stop now. */
export const SIGNAL_STOP = 1;
/** Turns of guest code that the worker has begun. */
export const SIGNAL_TURNS = 2;
/** Output that a thread has not sent yet, for the case that it is ended: whose it is, and UTF-16 units of it. */
export const SIGNAL_UNSENT_RUN = 3;
export const SIGNAL_UNSENT_LENGTH = 4;
export const SIGNAL_WORDS = 5;
/** UTF-16 units of output that a thread may keep back. */
export const UNSENT_UNITS = 64 * 1024;
