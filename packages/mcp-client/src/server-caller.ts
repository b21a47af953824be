// Makes the calls of one server: over whatever connection it has, in its lane, once more where the server cannot have taken it.
import type { ToolRunContext } from '@codeseam/tools';
import { callError, isSessionLost, isUnauthorized } from './call-error.ts';
import { CallLane } from './call-lane.ts';
import type { Connection } from './connection.ts';
import { mcpListAll, mcpRequest } from './mcp-request.ts';
import type { ServerConfig } from './server-config.ts';
import type { ServerCalls } from './tool-definitions.ts';

/** The connection of a server, as its owner keeps it. */
export interface ConnectionHolder {
  /** The connection; one that is being made is waited for. Rejects with `NOT_CONNECTED`. */
  usable(signal: AbortSignal): Promise<Connection>;
  /** Says that this one is gone. */
  lose(connection: Connection, reason: string): void;
}

interface CallOptions {
  signal: AbortSignal;
  timeout: number;
  onprogress: (progress: { progress: number; total?: number; message?: string }) => void;
}

type Ask<Result> = (connection: Connection, options: CallOptions) => Promise<Result>;

/** The calls of a server's tools. What fails is a `ToolCallError`. */
export function createServerCalls(name: string, config: ServerConfig, holder: ConnectionHolder): ServerCalls {
  const lane = new CallLane();

  const askOnce = async <Result>(signal: AbortSignal, options: CallOptions, ask: Ask<Result>): Promise<Result> => {
    const connection = await holder.usable(signal);
    try {
      return await ask(connection, options);
    } catch (error) {
      if (isUnauthorized(error) && (await connection.authorizeAgain?.(signal)) === true)
        return ask(connection, options);
      if (!isSessionLost(error)) throw error;
      // The server has not taken the call: it does not know the session, or was not reachable at all.
      holder.lose(connection, (error as Error).message);
      return ask(await holder.usable(signal), options);
    }
  };

  const call = async <Result>(context: ToolRunContext, ask: Ask<Result>): Promise<Result> => {
    const { signal } = context;
    const options: CallOptions = {
      signal,
      timeout: config.callMs,
      onprogress: ({ progress, total, message }) => {
        const rest = { ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
        context.update({ progress, ...rest });
      },
    };
    const once = () => askOnce(signal, options, ask);
    try {
      return await (config.concurrency === 'server' ? lane.run(signal, once) : once());
    } catch (error) {
      throw callError(error, name, config.callMs, signal);
    }
  };

  return {
    request: (method, params, context) =>
      call(context, ({ client }, options) => mcpRequest(client, method, params as Record<string, unknown>, options)),
    listAll: (method, key, context) => call(context, ({ client }, options) => mcpListAll(client, method, key, options)),
  };
}
