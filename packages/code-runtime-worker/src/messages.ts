// What host and thread say to each other over the run's port: JSON text both ways, rebuilt field by field by its reader.
import type { GuestNames, SeenFailure } from '@codeseam/code-runtime';
import type { JsonValue } from '@codeseam/lossless-json';

/** What the thread gets first: everything it needs to run the program. */
export interface RunOrder {
  readonly program: string;
  readonly prelude: string | null;
  readonly names: GuestNames;
  /** Of each namespace, its `BindingShape` as JSON text. */
  readonly tables: readonly string[];
  /** Of each global, its JSON text. */
  readonly texts: readonly string[];
}

/** A message of the thread, after it was rebuilt. */
export type ThreadMessage =
  /** The thread is about to run the program. */
  | { readonly kind: 'started' }
  /** A name of the prelude that the request defines too. */
  | { readonly kind: 'taken'; readonly name: string }
  | { readonly kind: 'output'; readonly item: string }
  | {
      readonly kind: 'call';
      readonly seq: number;
      readonly namespace: number;
      readonly path: readonly string[];
      readonly args: string;
    }
  | { readonly kind: 'control'; readonly seq: number; readonly name: string; readonly payload: JsonValue }
  | { readonly kind: 'timer'; readonly seq: number; readonly delay: number }
  | { readonly kind: 'clear'; readonly seq: number }
  /** The guest has nothing to do, after it took so many deliveries. */
  | { readonly kind: 'wait'; readonly taken: number }
  /** `value` is absent where the program gave nothing. */
  | { readonly kind: 'done'; readonly value?: JsonValue }
  | { readonly kind: 'failed'; readonly failure: SeenFailure }
  /** Nothing keeps the thread alive any more. */
  | { readonly kind: 'idle' };
