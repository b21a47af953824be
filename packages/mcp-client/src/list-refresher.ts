// Reads a server's lists again when it says that they have changed.
import { backoffMs, sleep } from './backoff.ts';
import type { Connection } from './connection.ts';
import { debounce } from './debounce.ts';
import { LIST_KINDS, type ListKind, readList, type ServerList } from './server-lists.ts';

/** All lists of a server at one time. */
export type ServerLists = Record<ListKind, ServerList>;

/** A burst of `list_changed` is over after this long, or answered anyway after the second figure. */
const QUIET_MS = 200;
const LONGEST_BURST_MS = 2_000;
const ATTEMPTS = 5;

/** Reads these kinds; the others stay as they were. */
export async function readLists(
  connection: Connection,
  options: { timeout: number; signal: AbortSignal },
  kinds: readonly ListKind[] = LIST_KINDS,
  old?: ServerLists,
): Promise<ServerLists> {
  const entries = await Promise.all(
    LIST_KINDS.map(async (kind) => {
      const list =
        old !== undefined && !kinds.includes(kind) ? old[kind] : await readList(connection.client, kind, options);
      return [kind, list] as const;
    }),
  );
  return Object.fromEntries(entries) as ServerLists;
}

export interface RefreshHost {
  /** Connection and lists of now; waits while the server is being connected. Undefined where there is nothing to refresh. */
  current(): Promise<{ connection: Connection; lists: ServerLists } | undefined>;
  isCurrent(connection: Connection): boolean;
  adopt(lists: ServerLists, connection: Connection, changed: boolean): void;
  log(message: string): void;
  timeout: number;
  signal: AbortSignal;
}

/** Takes the announcements of changes, which come in bursts, and reads what has changed once for each burst. */
export class ListRefresher {
  readonly #host: RefreshHost;
  readonly #changed = new Set<ListKind>();
  readonly #soon = debounce(() => this.#start(), QUIET_MS, LONGEST_BURST_MS);
  #running = false;

  constructor(host: RefreshHost) {
    this.#host = host;
  }

  changed(kind: ListKind): void {
    this.#changed.add(kind);
    this.#soon.call();
  }

  stop(): void {
    this.#soon.cancel();
    this.#changed.clear();
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#run().finally(() => {
      this.#running = false;
    });
  }

  /** A list that fails leaves what was known as it is, and is tried again. */
  async #run(): Promise<void> {
    const { signal, timeout } = this.#host;
    for (let attempt = 1; this.#changed.size > 0 && attempt <= ATTEMPTS; ) {
      const now = await this.#host.current();
      if (now === undefined || signal.aborted) return;
      const kinds = [...this.#changed];
      this.#changed.clear();
      const lists = await readLists(now.connection, { timeout, signal }, kinds, now.lists);
      if (!this.#host.isCurrent(now.connection) || signal.aborted) return;
      const failed = kinds.filter((kind) => lists[kind].failed);
      for (const kind of failed) lists[kind] = { ...now.lists[kind], problems: lists[kind].problems };
      this.#host.adopt(lists, now.connection, failed.length < kinds.length && !sameLists(lists, now.lists));
      if (failed.length === 0) continue;
      this.#host.log(`refreshing ${failed.join(', ')} failed; what was known stays`);
      for (const kind of failed) this.#changed.add(kind);
      await sleep(backoffMs(attempt), signal);
      attempt += 1;
    }
    this.#changed.clear();
  }
}

/** Servers announce changes that are none, ten at a time when they start. */
function sameLists(one: ServerLists, other: ServerLists): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
