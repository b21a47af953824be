// Rows to running plugins: mounts them, replaces what changes, ends them in order.
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { nearestNames } from '@codeseam/nearest-names';
import type { Context } from 'cordis';
import { fieldPath, findConfigIssues } from './check-plugin-config.ts';
import { LoaderError, messageOf } from './errors.ts';
import { type Environment, ExpressionError, evaluateExpressions } from './evaluate-expression.ts';
import { readConfigFile } from './read-config-file.ts';
import { importPlugin, type ResolvedPlugin, resolvePluginUrl } from './resolve-plugin.ts';
import { RowPlugin, type RowState } from './row-plugin.ts';
import { type CordisRow, type FlatRow, flattenRows } from './rows.ts';
import { watchFile } from './watch-file.ts';

export interface LoaderOptions {
  /** A YAML or JSON file that holds a list of rows. */
  file?: string;
  /** The rows themselves, instead of a file. */
  rows?: readonly CordisRow[];
  /** Where `rows` are from, for messages. */
  rowsFrom?: string;
  /** Folder that names of `rows` resolve from. Default: the file's folder, else the current one. */
  folder?: string;
  /** URLs of modules whose dependencies are looked through next (`import.meta.url` of a command). */
  fallbacks?: readonly string[];
  /** Names of plugins that a row may mean; a misspelt one is told the nearest of them. */
  known?: readonly string[];
  /** What `env` is in `!!js` expressions. Default: `process.env`. */
  env?: Environment;
  /** Takes over changes of the file while it runs. */
  watch?: boolean;
  /** Called when a row's state changes. */
  onChange?: (row: RowStatus) => void;
  /** Called when a changed file cannot be taken over; what runs is left as it is. */
  onError?: (error: LoaderError) => void;
}

/** A row as a person may look at it. */
export interface RowStatus {
  id: string;
  name: string;
  state: RowState;
  /** Why it failed. */
  error?: LoaderError;
  /** Services it waits for. */
  missing?: string[];
  /** The module that was mounted. */
  url?: string;
}

export interface Loader {
  /** The rows in the file's order, groups flattened (`<group>:<row>`), disabled ones too. */
  rows(): RowStatus[];
  /** Replaces the plugins of rows that changed (name included), mounts new ones, ends those that are gone. */
  update(rows: readonly CordisRow[]): Promise<void>;
  /** Reads the file again. Throws `LoaderError` and changes nothing if it cannot be read as rows. */
  reload(): Promise<void>;
  /** Resolves when no row is starting or stopping. Never rejects. */
  settled(): Promise<void>;
  /** Ends every row, the last that became active first, each before the next. Idempotent. */
  dispose(): Promise<void>;
}

interface Entry {
  row: FlatRow;
  /** As given to the plugin; what a change is compared with. */
  config: unknown;
  plugin?: RowPlugin;
  error?: LoaderError;
  /** Counts activations over all rows. */
  activation: number;
  lastState?: string;
}

/**
 * Mounts the rows of a file or a list in `ctx` and resolves when each is mounted (not yet settled: `settled()`).
 * A row that fails is held with its error and the others run. The loader ends with `ctx`.
 * Throws `LoaderError` if the file cannot be read as a list of rows.
 */
export async function createLoader(ctx: Context, options: LoaderOptions): Promise<Loader> {
  const loader = new RowLoader(ctx, options);
  await loader.start();
  return loader;
}

/** Reads a file as rows without mounting anything. Throws `LoaderError`. */
export function loadCordisConfig(file: string): { file: string; rows: CordisRow[] } {
  const { file: path, rows } = readRows(file);
  return { file: path, rows: [...rows] as CordisRow[] };
}

interface RowSource {
  file?: string;
  rows: readonly unknown[];
  lineOf?: (path: readonly PropertyKey[]) => number | undefined;
}

function readRows(path: string): RowSource & { file: string } {
  const { file, value, lineOf } = readConfigFile(path);
  if (!Array.isArray(value)) {
    throw new LoaderError('CONFIG_SYNTAX', `${basename(file)}: a config is a list of rows`, {
      hint: "each row is like - name: '@codeseam/tools'",
    });
  }
  return { file, rows: value, lineOf };
}

class RowLoader implements Loader {
  private readonly ctx: Context;
  private readonly options: LoaderOptions;
  private readonly parents: string[];
  private entries: Entry[] = [];
  private source: RowSource = { rows: [] };
  private queue: Promise<void> = Promise.resolve();
  private activations = 0;
  private ended: Promise<void> | undefined;
  private undo: () => unknown = () => undefined;

  constructor(ctx: Context, options: LoaderOptions) {
    this.ctx = ctx;
    this.options = options;
    const folder = options.folder ?? (options.file ? dirname(resolve(options.file)) : process.cwd());
    this.parents = [`${pathToFileURL(folder).href}/`, ...(options.fallbacks ?? [])];
  }

  async start(): Promise<void> {
    const first = this.options.file === undefined ? { rows: this.options.rows ?? [] } : readRows(this.options.file);
    // One effect for all of it, so that the rows end in our order and not all at once.
    this.undo = this.ctx.effect(() => {
      const stopListening = this.ctx.on('internal/status', () => this.notify());
      const { file, watch } = this.options;
      const stopWatching = watch && file !== undefined ? watchFile(file, () => void this.reloadQuietly()) : undefined;
      return async () => {
        stopWatching?.();
        await this.end();
        stopListening();
      };
    }, 'cordis-loader');
    await this.enqueue(first);
  }

  rows(): RowStatus[] {
    return this.entries.map(statusOf);
  }

  update(rows: readonly CordisRow[]): Promise<void> {
    return this.enqueue({ rows });
  }

  async reload(): Promise<void> {
    if (this.options.file === undefined) return;
    await this.enqueue(readRows(this.options.file));
  }

  async settled(): Promise<void> {
    for (;;) {
      await this.queue;
      const busy = this.entries.filter((entry) => entry.plugin?.state === 'loading');
      if (busy.length === 0) break;
      await Promise.all(busy.map((entry) => entry.plugin!.settled()));
    }
    await Promise.all(this.entries.map((entry) => entry.plugin?.settled()));
    this.notify();
  }

  async dispose(): Promise<void> {
    await this.undo();
    await this.ended;
  }

  private async reloadQuietly(): Promise<void> {
    try {
      await this.reload();
    } catch (error) {
      this.options.onError?.(error instanceof LoaderError ? error : new LoaderError('CONFIG_SYNTAX', messageOf(error)));
    }
  }

  private enqueue(source: RowSource): Promise<void> {
    const done = this.queue.then(() => this.apply(source));
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async apply(source: RowSource): Promise<void> {
    if (this.ended) return;
    this.source = source;
    const wanted = flattenRows(source.rows).map((row) => this.prepare(row));
    const kept = new Map(this.entries.map((entry) => [entry.row.id, entry]));
    for (const next of wanted) {
      const old = kept.get(next.row.id);
      if (!old || !isSame(old, next)) kept.delete(next.row.id);
    }
    const survivors = new Set(wanted.map((next) => kept.get(next.row.id)).filter((entry) => entry !== undefined));
    await disposeInOrder(this.entries.filter((entry) => !survivors.has(entry)));
    this.entries = wanted.map((next) => {
      const old = kept.get(next.row.id);
      return old ? Object.assign(old, { row: next.row }) : next;
    });
    const fresh = this.entries.filter((entry) => !entry.plugin && !entry.error && !entry.row.disabled);
    const plugins = await Promise.all(fresh.map((entry) => this.load(entry)));
    // In the order of the rows, not in that in which their modules arrived.
    fresh.forEach((entry, index) => {
      const resolved = plugins[index];
      if (resolved && !this.ended) this.mount(entry, resolved);
    });
    this.notify();
  }

  /** A row with its expressions evaluated, or with what is wrong. */
  private prepare(row: FlatRow): Entry {
    const entry: Entry = { row, config: undefined, activation: 0 };
    if (row.problem) {
      entry.error = this.rowError('INVALID_ROW', row, row.problem.message, row.problem.path);
      return entry;
    }
    if (row.disabled) return entry;
    try {
      entry.config = evaluateExpressions(row.config, this.options.env ?? process.env, [...row.path, 'config']);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const field = fieldPath(error.path.slice(row.path.length));
      const unset = /the environment variable (\S+) is not set$/.exec(error.message)?.[1];
      const hint = unset && `set ${unset}, or give a value to fall back to: env.${unset} ?? 'value'`;
      const details = hint === undefined ? {} : { hint };
      entry.error = this.rowError('INVALID_EXPRESSION', row, `${field}: ${error.message}`, error.path, details);
    }
    return entry;
  }

  private async load(entry: Entry): Promise<ResolvedPlugin | undefined> {
    const { row } = entry;
    try {
      const url = resolvePluginUrl(row.name, this.parents);
      if (url) return await importPlugin(url, row.name);
      entry.error = this.rowError('PLUGIN_NOT_FOUND', row, `${row.name} is not installed or not there`, row.path, {
        hint: this.hintFor(row.name),
      });
    } catch (error) {
      const { code, hint, cause } = error as LoaderError;
      entry.error = this.rowError(code ?? 'PLUGIN_FAILED', row, messageOf(error), row.path, { hint, cause });
    }
    return undefined;
  }

  private hintFor(name: string): string {
    if (name.startsWith('.')) return 'the path is relative to the config file';
    const [near] = nearestNames(name, this.options.known ?? [], 1);
    return near === undefined || near === name ? `npm install ${name}` : `did you mean ${near}?`;
  }

  private mount(entry: Entry, resolved: ResolvedPlugin): void {
    const { row } = entry;
    try {
      const issues = findConfigIssues(resolved.plugin, entry.config);
      if (issues.length > 0) {
        entry.error = this.configError(row, issues);
        return;
      }
      entry.plugin = new RowPlugin(this.ctx, row.id, resolved, entry.config);
    } catch (error) {
      const message = `${row.name} failed to start: ${messageOf(error)}`;
      entry.error = this.rowError('PLUGIN_FAILED', row, message, row.path, { cause: error });
    }
  }

  private configError(row: FlatRow, issues: readonly { message: string; path: readonly PropertyKey[] }[]): LoaderError {
    const lines = issues.map(({ message, path }) => {
      const field = fieldPath(path);
      // A schema's message may name the field by itself.
      return field === '' || namesField(message, field) ? message : `${field}: ${message}`;
    });
    return this.rowError('INVALID_CONFIG', row, lines.join('; '), [...row.path, 'config', ...issues[0]!.path]);
  }

  private rowError(
    code: LoaderError['code'],
    row: FlatRow,
    message: string,
    path: readonly PropertyKey[],
    details: { hint?: string; cause?: unknown } = {},
  ): LoaderError {
    const line = this.source.lineOf?.(path);
    const { file = this.options.rowsFrom } = this.source;
    const where = file === undefined ? '' : `${basename(file)}${line ? `:${line}` : ''}: `;
    return new LoaderError(code, `${where}${calledRow(row.id)}: ${message}`, { ...details, row: row.id });
  }

  /** Tells about every row whose state is not what was told last; keeps the order of activation. */
  private notify(): void {
    for (const entry of this.entries) {
      const status = statusOf(entry);
      const state = `${status.state} ${status.missing ?? ''}`;
      if (entry.lastState === state) continue;
      entry.lastState = state;
      if (status.state === 'active') entry.activation = ++this.activations;
      if (status.state === 'failed' && !status.error) void entry.plugin?.settled().then(() => this.tell(entry));
      else this.tell(entry);
    }
  }

  private tell(entry: Entry): void {
    this.options.onChange?.(statusOf(entry));
  }

  private end(): Promise<void> {
    this.ended ??= (async () => {
      // A change that is under way finishes first: it mounts nothing any more.
      await this.queue;
      await disposeInOrder(this.entries);
      this.entries = [];
    })();
    return this.ended;
  }
}

function statusOf({ row, plugin, error }: Entry): RowStatus {
  const base = { id: row.id, name: row.name };
  if (error) return { ...base, state: 'failed', error };
  if (row.disabled) return { ...base, state: 'disabled' };
  if (!plugin) return { ...base, state: 'loading' };
  const failure = plugin.error(row.id, row.name);
  const missing = plugin.missing;
  return {
    ...base,
    state: plugin.state,
    url: plugin.url,
    ...(failure && { error: failure }),
    ...(missing.length > 0 && { missing }),
  };
}

function isSame(a: Entry, b: Entry): boolean {
  if (a.error || b.error) return false;
  return a.row.name === b.row.name && a.row.disabled === b.row.disabled && isDeepStrictEqual(a.config, b.config);
}

/** One after the other, the last that became active first: a dependent always goes before what it depends on. */
async function disposeInOrder(entries: readonly Entry[]): Promise<void> {
  const ordered = [...entries].sort((a, b) => b.activation - a.activation);
  for (const entry of ordered) await entry.plugin?.dispose();
}

/** Whether a message has a field as a word of its own: `mod` is not in `mode`. */
function namesField(message: string, field: string): boolean {
  const quoted = field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w.])${quoted}(?!\\w)`).test(message);
}

/** A row with neither id nor name is called by its number. */
function calledRow(id: string): string {
  return /^row \d+(?:#\d+)?$/.test(id) ? id : `row ${id}`;
}
