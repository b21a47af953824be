// One configured server over its whole life: connecting, generations of its tools, losing it, getting it back.
import type { ToolRegistrar, ToolRunContext } from '@codeseam/tools';
import { backoffMs, LONGEST_BACKOFF_MS, sleep } from './backoff.ts';
import type { BlobStore } from './blob-store.ts';
import { callError, isSessionLost } from './call-error.ts';
import { CallLane, raceAbort } from './call-lane.ts';
import { type Connection, openConnection } from './connection.ts';
import { debounce } from './debounce.ts';
import { McpClientError } from './errors.ts';
import { mcpListAll, mcpRequest } from './mcp-request.ts';
import type { AskToAuthorize } from './oauth/authorize.ts';
import type { ServerConfig } from './server-config.ts';
import { LIST_KINDS, type ListKind, readList, type ServerList } from './server-lists.ts';
import type { McpLogEntry, McpServerState, McpServerStatus } from './status.ts';
import { type ServerCalls, toolDefinitions } from './tool-definitions.ts';

/** A burst of `list_changed` is over after this long, or answered anyway after the second figure. */
const LIST_QUIET_MS = 200;
const LIST_MAX_MS = 2_000;
/** A connection that lived this long was a good one: the count of attempts starts anew. */
const STABLE_MS = 5_000;
const REFRESH_ATTEMPTS = 5;

export interface ManagedServerDeps {
  registrar: ToolRegistrar;
  blobs: BlobStore;
  log(entry: McpLogEntry): void;
  onAuthorize?: AskToAuthorize;
}

type Lists = Record<ListKind, ServerList>;

export class ManagedServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** Resolves when the server is connected, has failed once, or `startupMs` have passed. Never rejects. */
  readonly ready: Promise<void>;

  readonly #deps: ManagedServerDeps;
  readonly #closing = new AbortController();
  readonly #lane = new CallLane();
  #settleReady!: () => void;
  #state: McpServerState = 'connecting';
  #connection: Connection | undefined;
  #lists: Lists | undefined;
  #generation = 0;
  #attempts = 0;
  /** No attempt can help: a command that is not there, credentials that are refused. */
  #hopeless = false;
  #lastError: string | undefined;
  #wake = new AbortController();
  #waiters: (() => void)[] = [];
  #life: Promise<void> | undefined;
  readonly #changed = new Set<ListKind>();
  readonly #refreshSoon = debounce(() => void this.#refresh(), LIST_QUIET_MS, LIST_MAX_MS);
  #refreshing: Promise<void> | undefined;
  #checking = false;

  constructor(name: string, config: ServerConfig, deps: ManagedServerDeps) {
    this.name = name;
    this.config = config;
    this.#deps = deps;
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
  }

  /** Begins to connect. */
  start(): void {
    if (this.config.disabled) {
      this.#state = 'disabled';
      this.#settleReady();
      return;
    }
    const timer = setTimeout(this.#settleReady, this.config.startupMs);
    void this.ready.then(() => clearTimeout(timer));
    this.#life = this.#live();
  }

  /** Tries at once instead of waiting for the next attempt. */
  reconnectNow(): void {
    this.#wake.abort();
  }

  status(): McpServerStatus {
    const { config } = this;
    const version = this.#connection?.client.getServerVersion();
    const pid = (this.#connection?.transport as { pid?: number } | undefined)?.pid;
    const protocol = this.#connection?.client.getNegotiatedProtocolVersion();
    return {
      name: this.name,
      transport: config.transport,
      state: this.#state,
      generation: this.#generation,
      tools: this.#lists?.tools.count ?? 0,
      resources: this.#lists?.resources.count ?? 0,
      prompts: this.#lists?.prompts.count ?? 0,
      attempts: this.#attempts,
      problems: this.#lists === undefined ? [] : LIST_KINDS.flatMap((kind) => this.#lists![kind].problems),
      ...(version === undefined ? {} : { serverInfo: { name: version.name, version: version.version } }),
      ...(protocol === undefined ? {} : { protocolVersion: protocol }),
      ...(pid === undefined ? {} : { pid }),
      ...(this.#lastError === undefined ? {} : { lastError: this.#lastError }),
    };
  }

  /** Ends the connection and what it started, and removes the tools. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake.abort();
    this.#refreshSoon.cancel();
    this.#settleReady();
    await this.#connection?.close();
    await this.#life;
    this.#setState('closed');
    this.#deps.registrar.dispose();
  }

  async #live(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const connection = await this.#connect();
        const since = Date.now();
        const reason = await connection.lost;
        this.#connection = undefined;
        if (signal.aborted) break;
        this.#fail(reason);
        if (Date.now() - since >= STABLE_MS) this.#attempts = 0;
        this.#setState('reconnecting');
        await connection.close();
      } catch (error) {
        if (signal.aborted) break;
        this.#fail(describeError(error));
        this.#setState('reconnecting');
        this.#hopeless = isHopeless(error);
      }
      this.#settleReady();
      await this.#pause();
    }
  }

  /** Waits before the next attempt; after the last one the tools go, and trying goes on at the longest interval. */
  async #pause(): Promise<void> {
    this.#attempts += 1;
    const failed = this.#hopeless || this.#attempts > this.config.reconnectAttempts;
    if (failed) {
      this.#setState('failed');
      this.#removeTools();
    }
    if (this.#closing.signal.aborted) return;
    this.#wake = new AbortController();
    const { signal } = this.#wake;
    if (this.#hopeless)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    else await sleep(failed ? LONGEST_BACKOFF_MS : backoffMs(this.#attempts), signal);
    this.#hopeless = false;
  }

  async #connect(): Promise<Connection> {
    const { onAuthorize } = this.#deps;
    const connection = await openConnection({
      name: this.name,
      config: this.config,
      signal: this.#closing.signal,
      listener: {
        onListChanged: (kind) => this.#onListChanged(kind),
        onStreamError: () => void this.#checkAlive(),
        onLog: (level, message) => this.#log(level, message),
      },
      ...(onAuthorize === undefined ? {} : { onAuthorize }),
    });
    try {
      const lists = await this.#readLists(connection, LIST_KINDS);
      if (this.#closing.signal.aborted) throw new McpClientError('ABORTED', 'closed while connecting');
      this.#connection = connection;
      this.#lastError = undefined;
      this.#adopt(lists, connection);
      this.#setState('connected');
      this.#settleReady();
      for (const kind of LIST_KINDS) if (lists[kind].failed) this.#onListChanged(kind);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async #readLists(connection: Connection, kinds: readonly ListKind[], old?: Lists): Promise<Lists> {
    const options = { timeout: this.config.connectMs, signal: this.#closing.signal };
    const entries = await Promise.all(
      LIST_KINDS.map(async (kind) => {
        if (old !== undefined && !kinds.includes(kind)) return [kind, old[kind]] as const;
        return [kind, await readList(connection.client, kind, options)] as const;
      }),
    );
    return Object.fromEntries(entries) as Lists;
  }

  /** Makes these lists the current generation: all of its tools at once, or none. */
  #adopt(lists: Lists, connection: Connection): void {
    const { registrar, blobs } = this.#deps;
    const { client } = connection;
    const info = client.getServerVersion();
    const title = info?.title ?? info?.name;
    const instructions = client.getInstructions();
    const context = { server: this.name, config: this.config, calls: this.#calls, blobs };
    registrar.replace(toolDefinitions(lists, context));
    this.#generation += 1;
    this.#lists = lists;
    registrar.describe({
      generation: this.#generation,
      ...(title === undefined ? {} : { title }),
      ...(info === undefined ? {} : { version: info.version }),
      ...(instructions === undefined ? {} : { instructions }),
    });
    for (const kind of LIST_KINDS) for (const problem of lists[kind].problems) this.#log('warn', problem);
  }

  #removeTools(): void {
    if (this.#lists === undefined) return;
    this.#lists = undefined;
    this.#deps.registrar.replace([]);
  }

  #onListChanged(kind: ListKind): void {
    this.#changed.add(kind);
    // While it is still connecting the lists are about to be read, or are being read: look again after that.
    this.#refreshSoon.call();
  }

  /** Reads what has changed; a list that fails leaves the generation as it is and is tried again. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshAll().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refreshAll(): Promise<void> {
    for (let attempt = 1; this.#changed.size > 0 && attempt <= REFRESH_ATTEMPTS; ) {
      const connection = this.#connection;
      const old = this.#lists;
      if (connection === undefined || old === undefined) {
        // Connecting reads everything; what comes during that is looked at once it is done.
        if (this.#state === 'connecting' || this.#state === 'reconnecting') await this.#whenConnected();
        if (this.#connection === undefined) return;
        continue;
      }
      const kinds = [...this.#changed];
      this.#changed.clear();
      const lists = await this.#readLists(connection, kinds, old);
      if (connection !== this.#connection || this.#closing.signal.aborted) return;
      const failed = kinds.filter((kind) => lists[kind].failed);
      for (const kind of failed) lists[kind] = { ...old[kind], problems: lists[kind].problems };
      if (failed.length < kinds.length && !sameLists(lists, old)) this.#tryAdopt(lists, connection);
      else this.#lists = lists;
      if (failed.length > 0) {
        this.#log('warn', `refreshing ${failed.join(', ')} failed; what was known stays`);
        for (const kind of failed) this.#changed.add(kind);
        await sleep(backoffMs(attempt), this.#closing.signal);
        attempt += 1;
      }
    }
    this.#changed.clear();
  }

  #tryAdopt(lists: Lists, connection: Connection): void {
    try {
      this.#adopt(lists, connection);
    } catch (error) {
      this.#log('error', `the changed tools were refused, the old ones stay: ${(error as Error).message}`);
    }
  }

  /** Asks an HTTP server whether it is still there, after one of its streams broke. */
  async #checkAlive(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || this.#checking) return;
    this.#checking = true;
    try {
      await connection.client.ping({ timeout: 5_000 });
    } catch (error) {
      connection.markLost(`the server does not answer any more: ${(error as Error).message}`);
    } finally {
      this.#checking = false;
    }
  }

  readonly #calls: ServerCalls = {
    request: (method, params, context) =>
      this.#call(context, ({ client }, options) =>
        mcpRequest(client, method, params as Record<string, unknown>, options),
      ),
    listAll: (method, key, context) =>
      this.#call(context, ({ client }, options) => mcpListAll(client, method, key, options)),
  };

  async #call<Result>(
    context: ToolRunContext,
    ask: (connection: Connection, options: CallOptions) => Promise<Result>,
  ): Promise<Result> {
    const { signal } = context;
    const options: CallOptions = {
      signal,
      timeout: this.config.callMs,
      onprogress: ({ progress, total, message }) => {
        context.update({
          progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message }),
        });
      },
    };
    const once = async () => {
      const connection = await this.#usableConnection(signal);
      try {
        return await ask(connection, options);
      } catch (error) {
        if (!isSessionLost(error)) throw error;
        // The server has not taken the call: it does not know the session, or was not reachable at all.
        connection.markLost((error as Error).message);
        await Promise.resolve();
        return ask(await this.#usableConnection(signal), options);
      }
    };
    try {
      return await (this.config.concurrency === 'server' ? this.#lane.run(signal, once) : once());
    } catch (error) {
      throw callError(error, this.name, this.config.callMs, signal);
    }
  }

  /** The connection; one that is being made is waited for up to `startupMs`. */
  async #usableConnection(signal: AbortSignal): Promise<Connection> {
    if (this.#connection === undefined && (this.#state === 'connecting' || this.#state === 'reconnecting')) {
      const waiting = new AbortController();
      await raceAbort(
        Promise.race([this.#whenConnected(), sleep(this.config.startupMs, waiting.signal)]),
        signal,
      ).finally(() => waiting.abort());
    }
    if (this.#connection !== undefined) return this.#connection;
    const why = this.#lastError === undefined ? '' : `: ${this.#lastError}`;
    throw new McpClientError('NOT_CONNECTED', `the MCP server "${this.name}" is not connected${why}`, {
      server: this.name,
      hint: this.#state === 'closed' ? 'it was shut down' : 'it is being reconnected; try again later',
    });
  }

  /** Resolves at the next change of state to anything but connecting or reconnecting. */
  #whenConnected(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #setState(state: McpServerState): void {
    this.#state = state;
    if (state === 'connecting' || state === 'reconnecting') return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  #fail(message: string): void {
    this.#lastError = message;
    this.#log('warn', message);
  }

  #log(level: McpLogEntry['level'], message: string): void {
    this.#deps.log({ server: this.name, level, message });
  }
}

function describeError(error: unknown): string {
  const { message, hint } = error as { message: string; hint?: string };
  return hint === undefined ? message : `${message}; ${hint}`;
}

/** Servers announce changes that are none, ten at a time when they start. */
function sameLists(one: Lists, other: Lists): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface CallOptions {
  signal: AbortSignal;
  timeout: number;
  onprogress: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** What another attempt cannot help. */
function isHopeless(error: unknown): boolean {
  if (!(error instanceof McpClientError)) return false;
  if (error.code === 'UNAUTHORIZED' || error.code === 'SELF_UPSTREAM') return true;
  const cause = (error.cause as { code?: unknown } | undefined)?.code;
  return error.code === 'START_FAILED' && (cause === 'ENOENT' || cause === 'EACCES');
}
