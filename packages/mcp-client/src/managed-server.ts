// One configured server over its whole life: connecting, generations of its tools, losing it, getting it back.
import type { OwnerAbsence, ToolDefinition, ToolOwnerInfo, ToolRegistrar } from '@codeseam/tools';
import { backoffMs, LONGEST_BACKOFF_MS, sleep } from './backoff.ts';
import type { BlobStore } from './blob-store.ts';
import { raceAbort } from './call-lane.ts';
import { type Connection, openConnection } from './connection.ts';
import { describeError, McpClientError } from './errors.ts';
import { ListRefresher, readLists, type ServerLists } from './list-refresher.ts';
import type { AskToAuthorize } from './oauth/authorize.ts';
import { createServerCalls } from './server-caller.ts';
import type { ServerConfig } from './server-config.ts';
import { LIST_KINDS } from './server-lists.ts';
import type { McpLogEntry, McpServerState, McpServerStatus } from './status.ts';
import { toolDefinitions } from './tool-definitions.ts';

/** A connection that lived this long was a good one: the count of attempts starts anew. */
const STABLE_MS = 5_000;
const PING_MS = 5_000;

export interface ManagedServerDeps {
  blobs: BlobStore;
  log(entry: McpLogEntry): void;
  onAuthorize?: AskToAuthorize;
}

export class ManagedServer {
  readonly name: string;
  readonly config: ServerConfig;
  /** Resolves when the server is connected, has failed once, or `startupMs` have passed. Never rejects. */
  readonly ready: Promise<void>;

  readonly #deps: ManagedServerDeps;
  /** Where the tools go; none while the registry is away. */
  #registrar: ToolRegistrar | undefined;
  /** What the registry is to know: tools of the current generation, and about their owner. */
  #offer: { definitions: ToolDefinition[]; info: ToolOwnerInfo } = { definitions: [], info: {} };
  readonly #closing = new AbortController();
  readonly #refresher: ListRefresher;
  readonly #calls;
  #settleReady!: () => void;
  #state: McpServerState = 'connecting';
  #connection: Connection | undefined;
  #lists: ServerLists | undefined;
  #generation = 0;
  #attempts = 0;
  /** No attempt can help: a command that is not there, credentials that are refused. */
  #hopeless = false;
  #lastError: string | undefined;
  /** Why the last attempt failed, in our own words. */
  #lastReason: string | undefined;
  #wake = new AbortController();
  #waiters: (() => void)[] = [];
  #life: Promise<void> | undefined;
  #checking = false;

  constructor(name: string, config: ServerConfig, deps: ManagedServerDeps) {
    this.name = name;
    this.config = config;
    this.#deps = deps;
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    this.#calls = createServerCalls(name, config, {
      usable: (signal) => this.#usableConnection(signal),
      lose: (connection, reason) => this.#lose(connection, reason),
    });
    this.#refresher = new ListRefresher({
      current: () => this.#currentLists(),
      isCurrent: (connection) => connection === this.#connection,
      adopt: (lists, connection, changed) => this.#adoptRefreshed(lists, connection, changed),
      log: (message) => this.#log('warn', message),
      timeout: config.connectMs,
      signal: this.#closing.signal,
    });
  }

  /** Begins to connect. */
  start(): void {
    if (this.config.disabled) {
      this.#state = 'disabled';
      this.#settleReady();
      return;
    }
    this.#tellAbsence('starting');
    const timer = setTimeout(() => {
      this.#tellSlowStart();
      this.#settleReady();
    }, this.config.startupMs);
    void this.ready.then(() => clearTimeout(timer));
    this.#life = this.#live();
  }

  /** Registers what the server offers, now and from now on. */
  attach(registrar: ToolRegistrar): void {
    this.#registrar = registrar;
    this.#publish(this.#offer);
  }

  /** Takes the tools out of their registry, and goes on without one. */
  detach(): void {
    this.#registrar?.dispose();
    this.#registrar = undefined;
  }

  /** Tries at once instead of waiting for the next attempt. */
  reconnectNow(): void {
    this.#wake.abort();
  }

  status(): McpServerStatus {
    const { client, transport } = this.#connection ?? {};
    const version = client?.getServerVersion();
    const protocol = client?.getNegotiatedProtocolVersion();
    const pid = (transport as { pid?: number } | undefined)?.pid;
    const lists = this.#lists;
    return {
      name: this.name,
      transport: this.config.transport,
      state: this.#state,
      generation: this.#generation,
      tools: lists?.tools.count ?? 0,
      resources: lists?.resources.count ?? 0,
      prompts: lists?.prompts.count ?? 0,
      attempts: this.#attempts,
      problems: lists === undefined ? [] : LIST_KINDS.flatMap((kind) => lists[kind].problems),
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
    this.#refresher.stop();
    this.#settleReady();
    await this.#connection?.close();
    await this.#life;
    this.#setState('closed');
    this.detach();
  }

  async #live(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const connection = await this.#connect();
        const since = Date.now();
        const reason = await connection.lost;
        if (!signal.aborted) this.#fail(reason, 'its connection was lost');
        if (Date.now() - since >= STABLE_MS) this.#attempts = 0;
        if (this.#connection === connection) this.#connection = undefined;
        this.#setState('reconnecting');
        await connection.close();
      } catch (error) {
        if (signal.aborted) break;
        this.#fail(describeError(error), error instanceof McpClientError ? error.message : 'it could not be connected');
        this.#setState('reconnecting');
        this.#hopeless = isHopeless(error);
      }
      this.#settleReady();
      await this.#pause();
    }
  }

  /** Waits before the next attempt; after the last one the tools go, and trying goes on at the longest interval. */
  async #pause(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#attempts += 1;
    const failed = this.#hopeless || this.#attempts > this.config.reconnectAttempts;
    if (failed) {
      this.#setState('failed');
      this.#lists = undefined;
    }
    if (this.#lists === undefined) this.#tellAbsence(failed ? 'failed' : 'starting', this.#lastReason);
    this.#wake = new AbortController();
    const { signal } = this.#wake;
    if (this.#hopeless) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    } else await sleep(failed ? LONGEST_BACKOFF_MS : backoffMs(this.#attempts), signal);
    this.#hopeless = false;
  }

  async #connect(): Promise<Connection> {
    const { onAuthorize } = this.#deps;
    const { signal } = this.#closing;
    const connection = await openConnection({
      name: this.name,
      config: this.config,
      signal,
      listener: {
        // While it is still connecting the lists are about to be read, or are being read: it is looked at after that.
        onListChanged: (kind) => this.#refresher.changed(kind),
        onStreamError: () => void this.#checkAlive(),
        onLog: (level, message) => this.#log(level, message),
      },
      ...(onAuthorize === undefined ? {} : { onAuthorize }),
    });
    try {
      const options = { timeout: this.config.connectMs, signal };
      let lists = await readLists(connection, options);
      // A list may be refused until a person has granted more than the handshake needed.
      const refused = LIST_KINDS.some((kind) => lists[kind].failed);
      if (refused && (await connection.authorizeAgain?.(signal)) === true) lists = await readLists(connection, options);
      if (signal.aborted) throw new McpClientError('ABORTED', 'closed while connecting');
      this.#connection = connection;
      this.#lastError = undefined;
      this.#lastReason = undefined;
      this.#adopt(lists, connection);
      this.#setState('connected');
      this.#settleReady();
      for (const kind of LIST_KINDS) if (lists[kind].failed) this.#refresher.changed(kind);
      return connection;
    } catch (error) {
      this.#connection = undefined;
      await connection.close();
      throw error;
    }
  }

  /** Makes these lists the current generation: all of its tools at once, or none. */
  #adopt(lists: ServerLists, { client }: Connection): void {
    const { blobs } = this.#deps;
    const info = client.getServerVersion();
    const title = info?.title ?? info?.name;
    const instructions = client.getInstructions();
    const context = { server: this.name, config: this.config, calls: this.#calls, blobs };
    const definitions = toolDefinitions(lists, context);
    const generation = this.#generation + 1;
    this.#publish({
      definitions,
      info: {
        generation,
        ...(title === undefined ? {} : { title }),
        ...(info === undefined ? {} : { version: info.version }),
        ...(instructions === undefined ? {} : { instructions }),
        ...(definitions.length > 0 ? {} : { absence: emptyAbsence(lists) }),
      },
    });
    this.#generation = generation;
    this.#lists = lists;
    for (const kind of LIST_KINDS) for (const problem of lists[kind].problems) this.#log('warn', problem);
  }

  #adoptRefreshed(lists: ServerLists, connection: Connection, changed: boolean): void {
    if (!changed) {
      this.#lists = lists;
      return;
    }
    try {
      this.#adopt(lists, connection);
    } catch (error) {
      this.#log('error', `the changed tools were refused, the old ones stay: ${(error as Error).message}`);
    }
  }

  /** Nothing changes where the registry refuses it. */
  #publish(offer: { definitions: ToolDefinition[]; info: ToolOwnerInfo }): void {
    this.#registrar?.replace(offer.definitions);
    this.#registrar?.describe(offer.info);
    this.#offer = offer;
  }

  /** It goes on, but those who waited for it should know why they wait no longer, and what would help. */
  #tellSlowStart(): void {
    if (this.#state !== 'connecting') return;
    const { startupMs } = this.config;
    const reason = `is still starting after ${startupMs} ms (startupMs)`;
    this.#fail(`"${this.name}" ${reason}; ${slowStartAdvice(this.config)}`, `it ${reason}`);
    this.#tellAbsence('starting', `it ${reason}`);
  }

  /** What a program that looks for this server's tools is told while there are none. */
  #tellAbsence(state: OwnerAbsence['state'], reason?: string): void {
    this.#publish({ definitions: [], info: { absence: { state, ...(reason === undefined ? {} : { reason }) } } });
  }

  async #currentLists(): Promise<{ connection: Connection; lists: ServerLists } | undefined> {
    if (this.#isConnecting()) await this.#whenConnected();
    return this.#connection && this.#lists && { connection: this.#connection, lists: this.#lists };
  }

  /** Asks an HTTP server whether it is still there, after one of its streams broke. */
  async #checkAlive(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || this.#checking) return;
    this.#checking = true;
    try {
      await connection.client.ping({ timeout: PING_MS });
    } catch (error) {
      this.#lose(connection, `the server does not answer any more: ${(error as Error).message}`);
    } finally {
      this.#checking = false;
    }
  }

  /** The connection; one that is being made is waited for up to `startupMs`. */
  async #usableConnection(signal: AbortSignal): Promise<Connection> {
    if (this.#connection === undefined && this.#isConnecting()) {
      const waiting = new AbortController();
      const late = sleep(this.config.startupMs, waiting.signal);
      await raceAbort(Promise.race([this.#whenConnected(), late]), signal).finally(() => waiting.abort());
    }
    if (this.#connection !== undefined) return this.#connection;
    const why = this.#lastError === undefined ? '' : `: ${this.#lastError}`;
    throw new McpClientError('NOT_CONNECTED', `the MCP server "${this.name}" is not connected${why}`, {
      server: this.name,
      hint: this.#state === 'closed' ? 'it was shut down' : 'it is being reconnected; try again later',
    });
  }

  #lose(connection: Connection, reason: string): void {
    if (this.#connection === connection) {
      this.#connection = undefined;
      this.#setState('reconnecting');
    }
    connection.markLost(reason);
  }

  #isConnecting(): boolean {
    return this.#state === 'connecting' || this.#state === 'reconnecting';
  }

  /** Resolves at the next change of state to anything but connecting or reconnecting. */
  #whenConnected(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #setState(state: McpServerState): void {
    this.#state = state;
    if (this.#isConnecting()) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  #fail(message: string, reason: string): void {
    // One that fails in the same way at each attempt is told of once.
    this.#log(message === this.#lastError ? 'debug' : 'warn', message);
    this.#lastError = message;
    this.#lastReason = reason;
  }

  #log(level: McpLogEntry['level'], message: string): void {
    this.#deps.log({ server: this.name, level, message });
  }
}

/** Commands that fetch what they run before they run it. */
const FETCHES_FIRST = /(?:^|[\\/])(?:npx|pnpx|bunx|uvx|pipx|docker|podman|npm|pnpm|yarn)(?:\.cmd|\.exe)?$/;

function slowStartAdvice(config: ServerConfig): string {
  if (config.transport !== 'stdio') return 'is its address right? Raise startupMs for a server that is slow to answer';
  if (!FETCHES_FIRST.test(config.command)) return 'raise startupMs for a server that needs longer';
  const line = [config.command, ...config.args].join(' ');
  const shown = line.length > 120 ? `${line.slice(0, 119)}…` : line;
  return `${config.command} may be downloading it: run \`${shown}\` once by hand, or raise startupMs`;
}

function emptyAbsence(lists: ServerLists): OwnerAbsence {
  return lists.tools.failed ? { state: 'empty', reason: 'its list of tools could not be read' } : { state: 'empty' };
}

/** What another attempt cannot help. */
function isHopeless(error: unknown): boolean {
  if (!(error instanceof McpClientError)) return false;
  if (error.code === 'UNAUTHORIZED' || error.code === 'SELF_UPSTREAM') return true;
  const cause = (error.cause as { code?: unknown } | undefined)?.code;
  return error.code === 'START_FAILED' && (cause === 'ENOENT' || cause === 'EACCES');
}
