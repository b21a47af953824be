// Progress notifications while a call runs: what a program calls, what has come back, and that it is still alive.
import type { ToolRegistry } from '@codeseam/tools';
import type { ServerContext } from '@modelcontextprotocol/server';

const HEARTBEAT_MS = 5_000;
const LEAST_GAP_MS = 100;

export interface Progress {
  /** A streaming update of the call itself. */
  update(partial: unknown): void;
  end(): void;
}

const SILENT: Progress = { update() {}, end() {} };

/** Reports to the client if it has asked for it (`_meta.progressToken`); otherwise does nothing. */
export function reportProgress(context: ServerContext, tools: Pick<ToolRegistry, 'on'>, callId: string): Progress {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return SILENT;
  const startedAt = Date.now();
  let step = 0;
  let lastAt = 0;
  let open = 0;
  const send = (message: string, always: boolean) => {
    const now = Date.now();
    // A program may make thousands of calls; who watches needs a few lines a second.
    if (!always && now - lastAt < LEAST_GAP_MS) return;
    lastAt = now;
    step += 1;
    const params = { progressToken, progress: step, message };
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const offs = [
    tools.on('tools/dispatch-start', (event) => {
      if (event.rootCallId !== callId) return;
      open += 1;
      send(`calling ${event.wireName}`, false);
    }),
    tools.on('tools/dispatch', (event) => {
      if (event.rootCallId !== callId) return;
      open -= 1;
      send(`${event.wireName} ${event.isError ? 'failed' : 'done'} in ${Math.round(event.durationMs)} ms`, false);
    }),
  ];
  const beat = setInterval(() => {
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    send(`running for ${seconds} s${open > 0 ? `, ${open} calls pending` : ''}`, false);
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    update(partial) {
      const message = (partial as { message?: unknown } | null)?.message;
      if (typeof message === 'string') send(message.slice(0, 500), false);
    },
    end() {
      clearInterval(beat);
      for (const off of offs) off();
    },
  };
}
