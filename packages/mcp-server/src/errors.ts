// The one error class of this package and the table of its codes.

/** What each code means, for people who look one up. */
export const MCP_FRONT_ERROR_CODES = {
  INVALID_OPTION: 'an option of the front is not what it must be',
  UNSAFE_BIND: 'listening beyond loopback without a token was refused',
  LISTEN_FAILED: 'the address could not be listened on',
  SELF_UPSTREAM: 'the front was about to become its own upstream server',
  CLOSED: 'the front has been closed',
} as const;

export type McpFrontErrorCode = keyof typeof MCP_FRONT_ERROR_CODES;

/** Thrown by everything in this package. `hint` says what to do next, where something can be done. */
export class McpFrontError extends Error {
  override readonly name = 'McpFrontError';
  readonly code: McpFrontErrorCode;
  readonly hint?: string;

  constructor(code: McpFrontErrorCode, message: string, details: { hint?: string; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    if (details.hint !== undefined) this.hint = details.hint;
  }
}
