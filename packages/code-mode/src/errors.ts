// The error of the package, for misuse by a harness. What a model does wrong is a `failed` result, never a throw.
import type { CodeModeErrorCode } from './types.ts';

export class CodeModeError extends Error {
  override readonly name = 'CodeModeError';
  constructor(
    readonly code: CodeModeErrorCode,
    message: string,
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
