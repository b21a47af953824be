// `codeseam serve`: code mode as an MCP server, over stdio or HTTP.
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CodeMode } from '@codeseam/code-mode';
import { claimServing, createMcpFront, isLoopback, type McpFront, McpFrontError } from '@codeseam/mcp-server';
import type { ToolRegistry } from '@codeseam/tools';
import type { CommandArguments, RunCommand } from '../command-line.ts';
import { CliError, EXIT } from '../errors.ts';
import { findConfig } from '../find-config.ts';
import { followRegistry } from '../follow-registry.ts';
import { type CliIo, say } from '../io.ts';
import { mcpServersOf } from '../mcp-servers-of.ts';
import { noToolsHint } from '../no-tools.ts';
import { CLI_SCOPE, type Host, withHost } from '../open-host.ts';

export const run: RunCommand = async (args, io) => {
  try {
    return await serveConfig(args, io);
  } catch (error) {
    if (!(error instanceof McpFrontError)) throw error;
    const hint = error.code === 'UNSAFE_BIND' ? UNSAFE_HINT : error.hint;
    throw new CliError(error.code === 'LISTEN_FAILED' ? 'USAGE' : 'CONFIG', error.message, hint);
  }
};

const UNSAFE_HINT =
  'set CODESEAM_TOKEN to a long random text, which clients then send as Authorization: Bearer …, or listen on 127.0.0.1';

async function serveConfig(args: CommandArguments, io: CliIo): Promise<number> {
  const http = args.text('http');
  const address = http === undefined ? undefined : parseAddress(http);
  const config = args.text('config');
  const allowedHosts =
    args
      .text('allow-host')
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '') ?? [];
  if (address) checkAddress(address, tokenOf(io));
  else if (args.has('allow-host')) throw new CliError('USAGE', '--allow-host needs --http');
  // Before any server starts: one that leads back here must be refused.
  const release = claimServing(await identityOf(io, config), io.env as NodeJS.ProcessEnv);
  try {
    const options = { config, waitForTools: false, watch: args.has('watch'), check: canServe };
    return await withHost(io, options, async (host) => {
      const front = openFront(host, io);
      const stopWatching = tellEmptiness(host, io);
      try {
        const offer = offerOf(host);
        if (address) await serveHttp(front, { ...address, allowedHosts }, io, offer);
        else await serveStdio(front, io, offer);
        return io.interrupt.aborted ? EXIT.interrupted : EXIT.ok;
      } finally {
        stopWatching();
        await front.close();
      }
    });
  } finally {
    release();
  }
}

/** A config that cannot serve says so at once. */
function canServe(host: Host): void {
  host.codeMode();
  if (host.tools().presentationOf(CLI_SCOPE).mode !== 'native') host.checkRuntime();
}

function openFront(host: Host, io: CliIo): McpFront {
  const ready = Promise.all(mcpServersOf(host.ctx).map((servers) => servers.ready));
  const { agentId } = CLI_SCOPE;
  const front = createMcpFront({
    tools: followRegistry(host.ctx),
    codeMode: () => host.ctx.get('codeMode') as CodeMode | undefined,
    scope: { agentId },
    ready,
    // Nobody but the client can answer here: a program that waited for it would wait for days.
    unaskable: 'deny',
    log: ({ level, message }) => {
      if (level === 'warn' || io.env['CODESEAM_DEBUG']) say(io, `serve: ${message}`);
    },
  });
  // Who calls is the one to ask, unless the config says otherwise.
  if (host.ctx.get('approval') === undefined) host.ctx.provide('approval', front.approvals);
  return front;
}

/** Says so if no tools have come once all servers are ready. Gives the undo: serving may end before that. */
function tellEmptiness(host: Host, io: CliIo): () => void {
  let hasEnded = false;
  void Promise.all(mcpServersOf(host.ctx).map((servers) => servers.ready)).then(() => {
    const tools = host.ctx.get('tools') as ToolRegistry | undefined;
    if (hasEnded || tools === undefined || tools.view(CLI_SCOPE).tools.length > 0) return;
    say(io, `serve: ${host.label} has no tools, so clients are offered none; ${noToolsHint(host)}`);
  });
  return () => {
    hasEnded = true;
  };
}

/** What clients see, in words. */
function offerOf(host: Host): string {
  const { mode } = host.tools().presentationOf(CLI_SCOPE);
  if (mode === 'native') return 'the tools';
  return mode === 'both' ? 'exec, wait and the tools' : 'exec and wait';
}

async function serveStdio(front: McpFront, io: CliIo, offer: string): Promise<void> {
  const stdio = front.serveStdio({ stdin: io.stdin, stdout: io.stdout });
  say(io, `serving ${offer} on stdio`);
  await Promise.race([stdio.closed, interrupted(io)]);
}

async function serveHttp(
  front: McpFront,
  address: Address & { allowedHosts: readonly string[] },
  io: CliIo,
  offer: string,
): Promise<void> {
  const token = tokenOf(io);
  const http = await front.serveHttp({ ...address, ...(token && { token }) });
  const asks = token
    ? 'clients must send Authorization: Bearer and the token of CODESEAM_TOKEN'
    : 'without a token: anybody on this machine may call it; CODESEAM_TOKEN asks for one';
  say(io, `serving ${offer} at ${http.url} (${asks})`);
  await interrupted(io);
}

function interrupted({ interrupt }: CliIo): Promise<void> {
  return new Promise((done) => {
    if (interrupt.aborted) done();
    interrupt.addEventListener('abort', () => done(), { once: true });
  });
}

interface Address {
  host: string;
  port: number;
}

function parseAddress(text: string): Address {
  const [, ipv6, name, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d+)$/i.exec(text) ?? [];
  if (port === undefined) {
    const hint = /^\d+$/.test(text) ? `--http 127.0.0.1:${text}` : '--http 127.0.0.1:8123';
    throw new CliError('USAGE', `--http must be HOST:PORT, got ${JSON.stringify(text)}`, hint);
  }
  if (Number(port) > 65_535) {
    throw new CliError('USAGE', `--http: the port must be from 0 (any that is free) to 65535, got ${port}`);
  }
  return { host: (ipv6 ?? name)!, port: Number(port) };
}

/** Before any server is started for it. */
function checkAddress({ host }: Address, token: string | undefined): void {
  if (token !== undefined || isLoopback(host)) return;
  throw new CliError(
    'CONFIG',
    `${host} can be reached from other machines, and CODESEAM_TOKEN is not set`,
    UNSAFE_HINT,
  );
}

/** An empty variable is none. */
function tokenOf({ env }: CliIo): string | undefined {
  return env['CODESEAM_TOKEN'] || undefined;
}

/** What the config is, however it is called. */
async function identityOf(io: CliIo, config: string | undefined): Promise<string> {
  const { file } = (await findConfig(io, config)).options;
  const path = file ?? (config === undefined ? undefined : resolve(io.cwd, config));
  if (path === undefined) return 'the built-in config';
  // What is not there is told by the loader, as it is for every command.
  return existsSync(path) ? realpathSync(path) : path;
}
