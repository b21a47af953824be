// What happens to MCP servers, on stderr: each failure once, whichever way it is learnt of.
import type { McpLogEntry, McpServerStatus } from '@codeseam/mcp-client';
import type {} from '@codeseam/mcp-client/cordis';
import type { Context } from 'cordis';
import { type CliIo, isLively, painter, say } from './io.ts';
import { mcpServersOf } from './mcp-servers-of.ts';

/**
 * Takes the servers' log. While servers start, warnings are held back: the state that comes of them is told instead.
 * `CODESEAM_DEBUG` shows everything at once.
 */
export class ServerTeller {
  private readonly io: CliIo;
  private readonly ctx: Context;
  /** Held back; undefined where nothing is. */
  private held: McpLogEntry[] | undefined;
  private readonly told = new Set<string>();

  constructor(ctx: Context, io: CliIo, options: { hold: boolean }) {
    this.ctx = ctx;
    this.io = io;
    this.held = options.hold && !io.env['CODESEAM_DEBUG'] ? [] : undefined;
    ctx.on('mcp/log', (entry) => this.take(entry));
  }

  /** The start is over: tells which servers are not there and why, and what else was held back. */
  tellStates(): void {
    const held = this.held ?? [];
    this.held = undefined;
    const statuses = mcpServersOf(this.ctx).flatMap((servers) => servers.status());
    for (const status of statuses) this.tellState(status);
    // Of a server that is not there the last failure is enough; of one that is there the earlier ones are over.
    const problems = new Set(statuses.flatMap((status) => (status.state === 'connected' ? status.problems : [])));
    for (const entry of held) if (problems.has(entry.message)) this.take(entry);
  }

  /** Drops what was held back: a report tells it. */
  skipStates(): void {
    this.held = undefined;
  }

  private tellState({ name, state, lastError }: McpServerStatus): void {
    if (state === 'connected' || state === 'disabled') return;
    this.tell(name, lastError ?? `is ${state}`);
  }

  private take({ server, level, message }: McpLogEntry): void {
    if (this.io.env['CODESEAM_DEBUG']) say(this.io, `${server}: ${level}: ${oneLine(message)}`);
    else if (level !== 'warn' && level !== 'error') return;
    else if (this.held) this.held.push({ server, level, message });
    else this.tell(server, message);
  }

  private tell(server: string, message: string): void {
    const line = oneLine(message);
    // Most messages name the server by themselves.
    const text = line.includes(`"${server}"`) ? line : `${server}: ${line}`;
    if (this.told.has(text)) return;
    this.told.add(text);
    say(this.io, `${painter(isLively(this.io))('server:', 'yellow')} ${text}`);
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
