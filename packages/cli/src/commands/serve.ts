// `codeseam serve`: code mode as an MCP server, over stdio or HTTP.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CodeMode } from '@codeseam/code-mode';
import { claimServing, createMcpFront, type McpFront, McpFrontError } from '@codeseam/mcp-server';
import type { ToolRegistry } from '@codeseam/tools';
import type { CommandArguments, RunCommand } from '../command-line.ts';
import { CliError, EXIT } from '../errors.ts';
import { findConfig } from '../find-config.ts';
import { type CliIo, say } from '../io.ts';
import { mcpServersOf } from '../mcp-servers-of.ts';
import { CLI_SCOPE, type Host, withHost } from '../open-host.ts';

export const run: RunCommand = async (args, io) => {
  try {
    return await serveConfig(args, io);
  } catch (error) {
    if (error instanceof McpFrontError) throw new CliError('CONFIG', error.message, error.hint);
    throw error;
  }
};

async function serveConfig(args: CommandArguments, io: CliIo): Promise<number> {
  const http = args.text('http');
  const address = http === undefined ? undefined : parseAddress(http);
  const config = args.text('config');
  // Before any server starts: one that leads back here must be refused.
  const release = claimServing(identityOf(io, config), io.env as NodeJS.ProcessEnv);
  try {
    return await withHost(io, { config, waitForTools: false, watch: args.has('watch') }, async (host) => {
      const front = openFront(host, io);
      try {
        const offer = offerOf(host);
        if (address) await serveHttp(front, address, io, offer);
        else await serveStdio(front, io, offer);
        return io.interrupt.aborted ? EXIT.interrupted : EXIT.ok;
      } finally {
        await front.close();
      }
    });
  } finally {
    release();
  }
}

function openFront(host: Host, io: CliIo): McpFront {
  // Asked for once, so that a config that cannot serve says so at once.
  host.codeMode();
  if (host.tools().presentationOf(CLI_SCOPE).mode !== 'native') host.checkRuntime();
  const ready = Promise.all(mcpServersOf(host.ctx).map((servers) => servers.ready));
  void ready.then(() => {
    // Gone where serving ended first.
    const tools = host.ctx.get('tools') as ToolRegistry | undefined;
    if (tools === undefined || tools.view(CLI_SCOPE).tools.length > 0) return;
    say(io, `serve: ${host.label} has no tools, so clients are offered none; codeseam inspect shows why`);
  });
  const { agentId } = CLI_SCOPE;
  const front = createMcpFront({
    tools: host.tools(),
    codeMode: () => host.ctx.get('codeMode') as CodeMode | undefined,
    scope: { agentId },
    ready,
    log: ({ level, message }) => {
      if (level === 'warn' || io.env['CODESEAM_DEBUG']) say(io, `serve: ${message}`);
    },
  });
  // Who calls is the one to ask, unless the config says otherwise.
  if (host.ctx.get('approval') === undefined) host.ctx.provide('approval', front.approvals);
  return front;
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

async function serveHttp(front: McpFront, { host, port }: Address, io: CliIo, offer: string): Promise<void> {
  const token = io.env['CODESEAM_TOKEN'];
  const http = await front.serveHttp({ host, port, ...(token && { token }) });
  say(io, `serving ${offer} at ${http.url}`);
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
  if (port === undefined || Number(port) > 65_535) {
    throw new CliError('USAGE', `--http must be HOST:PORT, got ${JSON.stringify(text)}`, '--http 127.0.0.1:8123');
  }
  return { host: (ipv6 ?? name)!, port: Number(port) };
}

/** What the config is, however it is called. */
function identityOf(io: CliIo, config: string | undefined): string {
  const { file } = findConfig(io, config).options;
  const path = file ?? (config === undefined ? undefined : resolve(io.cwd, config));
  return path === undefined ? 'the built-in config' : realpathSync(path);
}
