// The cordis side: a plugin row that serves the registry of its context as an MCP server.

import type { CodeMode } from '@codeseam/code-mode';
import { strictConfig } from '@codeseam/strict-config';
import type {} from '@codeseam/tools/cordis';
import type { Context } from 'cordis';
import Schema from 'schemastery';
import { createMcpFront } from './create-front.ts';
import type { HttpFrontOptions } from './http-front.ts';

export interface McpFrontRow {
  /** Serve the process's own stdin and stdout. Nothing else may write to stdout then. */
  stdio?: boolean;
  http?: HttpFrontOptions;
  name?: string;
  instructions?: string;
  listWaitMs?: number;
}

const HTTP = Schema.object({
  host: Schema.string().default('127.0.0.1'),
  port: Schema.number().min(0).max(65_535).step(1).required(),
  path: Schema.string().pattern(/^\//).default('/mcp'),
  token: Schema.string(),
  allowedHosts: Schema.array(Schema.string()).default([]),
  allowedOrigins: Schema.array(Schema.string()).default([]),
  sessionIdleMs: Schema.number().min(1).max(2_147_483_647).step(1).default(1_800_000),
  maxSessions: Schema.number().min(1).max(100_000).step(1).default(256),
});

const ROW = Schema.object({
  stdio: Schema.boolean().default(false),
  http: HTTP.default(undefined as never),
  name: Schema.string(),
  instructions: Schema.string(),
  listWaitMs: Schema.number().min(0).max(600_000).step(1).default(5_000),
});

export default {
  name: 'mcp-server',
  inject: ['tools'],
  Config: strictConfig(ROW as Schema<McpFrontRow, McpFrontRow>, { name: 'mcp-server' }),

  async apply(ctx: Context, config: McpFrontRow) {
    const { stdio, http, ...options } = config;
    const front = createMcpFront({
      ...options,
      tools: ctx.tools.core,
      codeMode: () => ctx.get('codeMode') as CodeMode | undefined,
      ready: () => upstreamsReady(ctx),
      log: ({ level, message }) => (level === 'warn' ? ctx.logger.warn(message) : ctx.logger.debug(message)),
    });
    ctx.effect(() => () => front.close(), 'mcp front');
    // Who calls is the one to ask, unless there is another way already.
    if (ctx.get('approval') === undefined) ctx.provide('approval', front.approvals);
    if (http !== undefined) {
      const { url } = await front.serveHttp(http);
      ctx.logger.info(`serving MCP at ${url}`);
    }
    if (stdio === true) front.serveStdio();
  },
};

/** Rows of MCP servers answer this event, whichever package they are of. */
async function upstreamsReady(ctx: Context): Promise<void> {
  const waits: Promise<unknown>[] = [];
  const add = (servers: { ready: Promise<unknown> }) => void waits.push(servers.ready);
  (ctx.emit as (name: string, add: unknown) => void)('mcp/servers', add);
  await Promise.all(waits);
}
