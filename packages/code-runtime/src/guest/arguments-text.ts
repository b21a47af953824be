// The arguments of a call on their way to the host, and what is said where they are no JSON.
import { LosslessJsonError, losslessItemsText } from '@codeseam/lossless-json';

/**
 * The argument list as JSON text; trailing undefined arguments are as good as none.
 *
 * @throws what {@link argumentsProblem} explains.
 */
export function argumentsText(args: unknown[], maxBytes: number): string {
  let count = args.length;
  while (count > 0 && args[count - 1] === undefined) count--;
  return count === 0 ? '[]' : losslessItemsText(args, count, 'arguments', maxBytes);
}

/** Says why arguments cannot cross. */
export function argumentsProblem(error: unknown, maxBytes: number): string {
  if (!(error instanceof LosslessJsonError)) return 'the arguments could not be read';
  return error.code === 'too_large' ? `the arguments are over maxCallBytes (${maxBytes} bytes)` : error.message;
}
