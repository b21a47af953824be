// The one error class of this package and the table of its codes.

/** What each code means, for people who look one up. */
export const MCP_CLIENT_ERROR_CODES = {
  INVALID_CONFIG: 'a server or an option is not configured as it must be',
  START_FAILED: "the server's process could not be started, or ended before it answered",
  CONNECT_FAILED: 'the server was reached but the connection could not be set up',
  CONNECT_TIMEOUT: 'the server did not finish its handshake and lists in time',
  UNAUTHORIZED: 'the server wants credentials that are missing or refused',
  SELF_UPSTREAM: 'the server is a front of this very process',
  NOT_CONNECTED: 'the server is not connected at the moment',
  CONNECTION_LOST: 'the connection went away while a call was under way; its effects may have happened',
  CALL_TIMEOUT: 'the server did not answer a call in time; its effects may have happened',
  SERVER_ERROR: 'the server answered with a JSON-RPC error',
  INVALID_RESULT: 'the server answered with something that is not what the protocol says',
  UNKNOWN_REF: 'a ref to a binary block is unknown or no longer kept',
  ABORTED: 'the call was cancelled by its caller',
} as const;

export type McpClientErrorCode = keyof typeof MCP_CLIENT_ERROR_CODES;

/** Thrown by everything in this package. `hint` says what to do next, where something can be done. */
export class McpClientError extends Error {
  override readonly name = 'McpClientError';
  readonly code: McpClientErrorCode;
  readonly hint?: string;
  /** The server's name in the config, where one is concerned. */
  readonly server?: string;
  /** What the server itself printed or answered, in one line: for people, never for a model. */
  readonly said?: string;

  constructor(
    code: McpClientErrorCode,
    message: string,
    details: { hint?: string; server?: string; said?: string; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.server !== undefined) this.server = details.server;
    if (details.said) this.said = details.said;
  }
}

/** All of an error in one line, for people: what happened, what the server said, what to do. */
export function describeError(error: unknown): string {
  const { message, said, hint } = error as { message: string; said?: string; hint?: string };
  return `${message}${said === undefined ? '' : `: ${said}`}${hint === undefined ? '' : `; ${hint}`}`;
}
