// A composition that runs: loads the rows, waits until tools are there, and ends everything at the close.
import type { CodeMode } from '@codeseam/code-mode';
import { createLoader, type Loader, type LoaderError, type RowStatus } from '@codeseam/cordis-loader';
import type { ToolRegistry, ToolScope } from '@codeseam/tools';
import { Context } from 'cordis';
import { askOnTerminal } from './ask-on-terminal.ts';
import { KNOWN_PLUGINS } from './default-config.ts';
import { CliError } from './errors.ts';
import { type FoundConfig, findConfig } from './find-config.ts';
import { type CliIo, isLively, painter, say } from './io.ts';
import { exportLog } from './log-exporter.ts';
import { mcpServersOf } from './mcp-servers-of.ts';
import { ServerTeller } from './tell-servers.ts';

/** How long a plugin may take to end before the process goes on without it. */
const CLOSE_MS = 5_000;

export interface Host {
  ctx: Context;
  loader: Loader;
  /** How messages call the config. */
  label: string;
  /** Whether there is no config file. */
  isBuiltIn: boolean;
  /** The registry. Throws `CliError` `CONFIG` with the reason if no row provides one. */
  tools(): ToolRegistry;
  /** Code mode. Throws like `tools`. */
  codeMode(): CodeMode;
  /** Throws `CliError` `CONFIG` with the reason if programs have nowhere to run. */
  checkRuntime(): void;
  /** Whether a person is being asked something on the terminal right now. */
  isAsking(): boolean;
  close(): Promise<void>;
}

export interface HostOptions {
  config: string | undefined;
  /** Whether tools that are still on their way (MCP servers that start) are waited for. Default true. */
  waitForTools?: boolean;
  watch?: boolean;
  /** Whether approvals are asked on the terminal, where there is one and the config has no other way. */
  askOnTerminal?: boolean;
  /** Whether failed rows and servers are told on stderr. Default true. */
  tellFailures?: boolean;
  /** Throws where the command cannot do its work, before servers are waited for. */
  check?: (host: Host) => void;
}

/** Who asks, for everything a command does. */
export const CLI_SCOPE: ToolScope = Object.freeze({ agentId: 'codeseam', sessionId: 'cli' });

/** Loads a composition. Throws `LoaderError` if the file cannot be read as rows, and what `check` throws. */
export async function openHost(io: CliIo, options: HostOptions): Promise<Host> {
  const { waitForTools = true, tellFailures = true } = options;
  const found = await findConfig(io, options.config);
  const { options: source } = found;
  if (options.watch && source.file === undefined) throw notWatched(found);
  const ctx = new Context();
  let loader: Loader | undefined;
  exportLog(ctx, io, () => loader?.rows() ?? []);
  const servers = new ServerTeller(ctx, io, { hold: waitForTools });
  try {
    loader = await createLoader(ctx, {
      ...source,
      env: io.env,
      fallbacks: [import.meta.url],
      known: KNOWN_PLUGINS,
      ...(options.watch && {
        watch: true,
        onError: (error: LoaderError) => say(io, `${error.message}; what runs is left as it is`),
        onChange: (row: RowStatus) => row.error && say(io, row.error.message),
      }),
    });
    await loader.settled();
    const isAsking = options.askOnTerminal ? askOnTerminal(ctx, io) : () => false;
    const host = makeHost(ctx, loader, found, isAsking);
    try {
      options.check?.(host);
    } catch (error) {
      if (tellFailures) tellFailedRows(io, loader, (error as CliError).message);
      throw error;
    }
    if (tellFailures) tellFailedRows(io, loader);
    if (waitForTools) {
      await interruptible(io, serversReady(ctx));
      if (tellFailures) servers.tellStates();
      else servers.skipStates();
    }
    return host;
  } catch (error) {
    await ctx.fiber.dispose();
    throw error;
  }
}

function notWatched({ label, isBuiltIn }: FoundConfig): CliError {
  return isBuiltIn
    ? new CliError('USAGE', '--watch needs a config file', 'codeseam init writes a cordis.yml')
    : new CliError(
        'USAGE',
        `--watch needs a cordis.yml, and ${label} is JSON`,
        `codeseam init --from ${label} makes one`,
      );
}

function makeHost(ctx: Context, loader: Loader, { label, isBuiltIn }: FoundConfig, isAsking: () => boolean): Host {
  let closing: Promise<void> | undefined;
  return {
    ctx,
    loader,
    label,
    isBuiltIn,
    isAsking,
    tools: () => service<ToolRegistry>(ctx, loader, 'tools'),
    codeMode: () => service<CodeMode>(ctx, loader, 'codeMode'),
    checkRuntime: () => void service(ctx, loader, 'codeRuntime'),
    close() {
      closing ??= Promise.race([
        loader.dispose().then(() => ctx.fiber.dispose()),
        new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref()),
      ]);
      return closing;
    },
  };
}

/** Which row usually provides a service. */
const PROVIDERS: Readonly<Record<string, string>> = {
  tools: '@codeseam/tools',
  codeMode: '@codeseam/code-mode',
  codeRuntime: '@codeseam/code-runtime-quickjs',
  namespaces: '@codeseam/namespaces',
};

function service<T>(ctx: Context, loader: Loader, key: string): T {
  const found = ctx.get(key) as T | undefined;
  if (found !== undefined) return found;
  throw noService(loader, key);
}

/** Why a service is not there: what its row failed for, what that row waits for, or which row to add. */
function noService(loader: Loader, key: string): CliError {
  const plugin = PROVIDERS[key];
  // Any runtime will do, and a misspelt one is meant for one.
  const isProvider = ({ name }: RowStatus) =>
    key === 'codeRuntime' ? name.includes('code-runtime') : name === plugin || name.startsWith(`${plugin}/`);
  const row = loader.rows().find(isProvider);
  if (row?.error) return new CliError('CONFIG', row.error.message, row.error.hint);
  if (row?.missing) {
    const cause = row.missing.find((missing) => missing !== key && missing in PROVIDERS);
    if (cause !== undefined) return noService(loader, cause);
    return new CliError('CONFIG', `row ${row.id} waits for ${row.missing.join(', ')}, which no row provides`);
  }
  if (row?.state === 'disabled') return new CliError('CONFIG', `row ${row.id} is disabled, and this command needs it`);
  if (row?.state === 'active')
    return new CliError('CONFIG', `row ${row.id} provides no ${key}: is it enabled?`, 'config: { enabled: true }');
  return new CliError('CONFIG', `no row provides ${key}`, plugin && `add - name: '${plugin}' to the config`);
}

/** @param fatal the message that ends the command: told by itself, and what only waits for it is no news then */
function tellFailedRows(io: CliIo, loader: Loader, fatal?: string): void {
  const paint = painter(isLively(io));
  for (const { id, error, missing } of loader.rows()) {
    if (error && error.message === fatal) continue;
    if (error) say(io, `${paint('config:', 'yellow')} ${error.message}${error.hint ? ` (${error.hint})` : ''}`);
    else if (missing && fatal === undefined) {
      say(io, `${paint('config:', 'yellow')} row ${id} waits for ${missing.join(', ')}, which no row provides`);
    }
  }
}

/** Each MCP server is connected, has failed, or is past its `startupMs`. */
async function serversReady(ctx: Context): Promise<void> {
  await Promise.all(mcpServersOf(ctx).map((servers) => servers.ready));
}

/** Waits for work, or throws when the person interrupts. */
async function interruptible(io: CliIo, work: Promise<void>): Promise<void> {
  const { interrupt } = io;
  await new Promise<void>((resolve, reject) => {
    const stop = () => reject(new CliError('INTERRUPTED', 'interrupted'));
    if (interrupt.aborted) stop();
    interrupt.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => interrupt.removeEventListener('abort', stop));
  });
}

/** The check of commands that run programs. */
export function canRun(host: Host): void {
  host.codeMode();
  host.checkRuntime();
}

/** Runs a command with a composition and closes it whatever happens. */
export async function withHost<T>(io: CliIo, options: HostOptions, work: (host: Host) => Promise<T>): Promise<T> {
  const host = await openHost(io, options);
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}
