// Promises and what settles them, made by the engine alone.

const { bind } = Function.prototype;

/** A promise and what settles it. */
export interface NewPromise {
  readonly promise: Promise<unknown>;
  readonly resolve: (value?: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Makes a promise without a function of ours for its executor. */
export const newPromise = bind.call(
  (Promise as unknown as { withResolvers: () => unknown }).withResolvers,
  Promise,
) as () => NewPromise;
