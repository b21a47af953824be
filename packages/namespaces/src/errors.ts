// The error of the package.

export type NamespaceErrorCode =
  /** A definition that breaks a rule. */
  | 'invalid_namespace'
  /** An id or global name that somebody has already, or that nobody may have. */
  | 'name_taken'
  /** `createScope` threw, was asynchronous, or gave what a program cannot hold. */
  | 'invalid_scope'
  /** A call that this program may not make: a forged path, a namespace or tool that is gone. */
  | 'refused_call'
  /** A mapper that threw or gave no object. */
  | 'invalid_arguments';

/** What went wrong with a namespace; the message names the namespace, and the path where there is one. */
export class NamespaceError extends Error {
  override readonly name = 'NamespaceError';
  constructor(
    readonly code: NamespaceErrorCode,
    message: string,
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
