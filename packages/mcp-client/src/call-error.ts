// What went wrong with a call, as the registry and a program should see it.
import { ToolCallError } from '@codeseam/tools';
import { McpClientError, type McpClientErrorCode } from './errors.ts';
import { STREAM_ENDED } from './http-transport.ts';

const MAX_MESSAGE = 8_192;

/** Whether the server cannot have taken the request: it knows no such session, or no connection was made. */
export function isSessionLost(error: unknown): boolean {
  const { data, cause } = error as { data?: { status?: unknown }; cause?: { code?: unknown } };
  return data?.status === 404 || cause?.code === 'ECONNREFUSED';
}

/** Whether the server wants other credentials; the SDK says so by name once it has sent a person to the browser. */
export function isUnauthorized(error: unknown): boolean {
  return (error as { name?: unknown }).name === 'UnauthorizedError';
}

/** The error of a failed call: what is ours keeps its meaning, what the server said is its message. */
export function callError(error: unknown, server: string, callMs: number, signal: AbortSignal): ToolCallError {
  const found = explain(error, server, callMs, signal);
  const code = found.code === 'CALL_TIMEOUT' ? 'TOOL_TIMEOUT' : found.code === 'ABORTED' ? 'ABORTED' : 'TOOL_FAILED';
  return new ToolCallError(code, found.message, {
    meta: { mcp: found.code, server },
    ...(found.hint === undefined ? {} : { hint: found.hint }),
  });
}

function explain(error: unknown, server: string, callMs: number, signal: AbortSignal): McpClientError {
  if (error instanceof McpClientError) return error;
  const { code } = error as { code?: unknown };
  const detail = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE);
  const make = (kind: McpClientErrorCode, message: string, hint?: string) =>
    new McpClientError(kind, message, { server, cause: error, ...(hint === undefined ? {} : { hint }) });
  if (signal.aborted) return make('ABORTED', `the call to "${server}" was cancelled`);
  if (code === 'REQUEST_TIMEOUT') {
    return make('CALL_TIMEOUT', `"${server}" did not answer within ${callMs} ms; what was asked may have been done`);
  }
  if (code === 'CONNECTION_CLOSED' || code === STREAM_ENDED) {
    return make('CONNECTION_LOST', `"${server}" went away during the call; what was asked may have been done`);
  }
  if (isUnauthorized(error)) return make('UNAUTHORIZED', `"${server}" refused the credentials of this call`);
  if (typeof code === 'number') return make('SERVER_ERROR', detail);
  return make('INVALID_RESULT', `"${server}": ${detail}`);
}
