// One MCP session: what it is shown, its calls, and what ends with it.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { CodeMode } from '@codeseam/code-mode';
import type { ToolRegistry, ToolScope } from '@codeseam/tools';
import { type CallToolResult, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { ApprovalAsker, FrontApprovals } from './approvals.ts';
import { toCallResult } from './call-result.ts';
import { frontInstructions } from './instructions.ts';
import { type PresentedTool, presentTools } from './present-tools.ts';
import { reportProgress } from './progress.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

export interface FrontSessionDeps {
  tools: Pick<ToolRegistry, 'presentationOf' | 'prepareView' | 'present' | 'execute' | 'on'>;
  codeMode: () => CodeMode | undefined;
  approvals: FrontApprovals;
  frontId: string;
  name: string;
  /** Host data of every scope. */
  scope: ToolScope;
  instructions?: string;
  /** Settles when the upstream servers have had their time to connect. */
  ready(): Promise<unknown>;
  /** How long a list or call waits for them while there is nothing to show. */
  listWaitMs: number;
  log(level: 'info' | 'warn', message: string): void;
}

export interface FrontSession {
  readonly server: Server;
  readonly scope: ToolScope;
  /** Tells the client where what it is shown has changed. */
  refresh(): Promise<void>;
  /** Ends the session's runs and drops what was kept for it. Idempotent. */
  end(): Promise<void>;
}

/** Makes the server of a session. `sessionId` given: the scope is shared with other connections and outlives this one. */
export function createFrontSession(deps: FrontSessionDeps, sessionId?: string): FrontSession {
  const { tools, approvals } = deps;
  const scope: ToolScope = Object.freeze({ ...deps.scope, sessionId: sessionId ?? randomUUID() });
  const { mode, transport } = tools.presentationOf(scope);
  const instructions = frontInstructions(mode, transport, deps.instructions);
  const server = new Server(
    { name: deps.name, title: 'codeseam', version },
    {
      capabilities: { tools: { listChanged: true }, experimental: { codeseam: { front: deps.frontId } } },
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  const openCalls = new Map<string, ServerContext>();
  const leave = approvals.join(scope.sessionId!, asker(server, openCalls));
  let shown: string | undefined;
  let calls = 0;
  let ended: Promise<void> | undefined;

  const present = async (): Promise<Map<string, PresentedTool>> => {
    const view = await tools.prepareView(scope);
    return presentTools(await tools.present(view), view);
  };

  /** Waits a moment for upstream servers while there is nothing to show. */
  const presentInTime = async (): Promise<Map<string, PresentedTool>> => {
    const presented = await present();
    if (presented.size > 0) return presented;
    await atMost(deps.ready(), deps.listWaitMs);
    return present();
  };

  server.setRequestHandler('tools/list', async () => {
    // Many clients ask once and never again: an empty first answer would be all that they ever see.
    const presented = await presentInTime();
    shown = listText(presented);
    return { tools: [...presented.values()].map(({ tool }) => tool) };
  });

  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult> => {
    // A client that knows the tools from an earlier connection calls without a list.
    const presented = (await presentInTime()).get(params.name);
    calls += 1;
    const callId = `${scope.sessionId}:${calls}`;
    const progress = reportProgress(context, tools, callId);
    openCalls.set(callId, context);
    try {
      const outcome = await tools.execute({
        callId,
        // What is not shown is refused by the registry, which can say what to do instead.
        ...(presented?.address ?? { name: params.name }),
        arguments: params.arguments ?? {},
        scope,
        signal: context.mcpReq.signal,
        onUpdate: (partial) => progress.update(partial),
      });
      const result = toCallResult(outcome, presented);
      return presented === undefined ? result : server.projectCallToolResult(result, presented.tool.outputSchema);
    } finally {
      openCalls.delete(callId);
      progress.end();
    }
  });

  return {
    server,
    scope,
    async refresh() {
      if (shown === undefined || ended !== undefined) return;
      try {
        const now = listText(await present());
        if (now === shown) return;
        shown = now;
        await server.sendToolListChanged();
      } catch (error) {
        deps.log('warn', `a change of the tools could not be told: ${(error as Error).message}`);
      }
    },
    end() {
      ended ??= (async () => {
        leave();
        // A shared scope lives on: another request may wait for its runs.
        if (sessionId === undefined) await deps.codeMode()?.endSession(scope);
      })();
      return ended;
    },
  };
}

function listText(presented: ReadonlyMap<string, PresentedTool>): string {
  return JSON.stringify([...presented.values()].map(({ tool }) => tool));
}

function asker(server: Server, openCalls: ReadonlyMap<string, ServerContext>): ApprovalAsker {
  return {
    canAsk: () => server.getClientCapabilities()?.elicitation !== undefined && server.transport !== undefined,
    ask(params, { rootCallId, ...options }) {
      // A question of an open call goes out on that call's own stream.
      const open = openCalls.get(rootCallId);
      return open === undefined ? server.elicitInput(params, options) : open.mcpReq.elicitInput(params, options);
    },
  };
}

async function atMost(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise.catch(() => {}), late]);
  clearTimeout(timer);
}
