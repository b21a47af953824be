// What host and worker threads say to each other. Towards the host nothing is trusted: `read-message.ts` rebuilds it.
import type { CodeFailureKind } from '@codeseam/code-runtime';

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

export type ToWorker =
  | (RunSurroundings & {
      readonly kind: 'start';
      readonly program: string;
      readonly language: 'javascript' | 'typescript' | undefined;
      /** JSON text of the guest's `RunSetup`. */
      readonly setup: string;
    })
  /** `items` is JSON text of the guest's `Delivery` list. */
  | { readonly kind: 'deliver'; readonly run: number; readonly items: string; readonly limits: WorkerLimits }
  /** Give back the run's image, and the VM. */
  | { readonly kind: 'park'; readonly run: number }
  /** Take a parked run and deliver. */
  | (RunSurroundings & { readonly kind: 'resume'; readonly image: Uint8Array; readonly items: string })
  /** The run is over for the host. */
  | { readonly kind: 'drop'; readonly run: number };

/** How a turn of guest code ended. The numbers are those of the guest's own count, shared by all three kinds. */
export interface TurnReport {
  readonly computeMs: number;
  /** The largest heap seen, less the base image's. */
  readonly heapBytes: number;
  readonly calls: readonly { readonly seq: number; readonly namespace: number; readonly path: readonly string[] }[];
  readonly timers: readonly { readonly seq: number; readonly delay: number }[];
  readonly cleared: readonly number[];
  readonly controls: readonly { readonly seq: number; readonly name: string }[];
  /** Absent while the program goes on. */
  readonly end?: { readonly hasValue: boolean } | { readonly failure: WorkerFailure };
}

/** A failure as the worker saw it; `callSeq` is the call whose rejection it is. */
export interface WorkerFailure {
  readonly kind: CodeFailureKind;
  readonly message: string;
  readonly name?: string;
  readonly stack?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
  readonly callSeq?: number;
}

/**
 * Messages to the host are arrays: a tag, the run's number, then texts.
 * `output`: one JSON text for each item. `turn`: the report as JSON, then the arguments of each call, the payload of each
 * control, the value. `parked`: the image and the hash of its base image. `misuse`: why the run cannot start.
 */
export type FromWorker =
  | readonly ['output', number, ...string[]]
  | readonly ['turn', number, string, ...string[]]
  | readonly ['parked', number, Uint8Array, string]
  | readonly ['misuse', number, string];

/** Places of the shared word list of a worker. */
export const SIGNAL_MESSAGES = 0;
/** The number of the run that must stop now. */
export const SIGNAL_STOP = 1;
/** Turns of guest code that the worker has begun. */
export const SIGNAL_TURNS = 2;
export const SIGNAL_WORDS = 3;
