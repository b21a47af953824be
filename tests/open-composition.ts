// A composition for the tests over the whole: rows in a fresh context, ended after the test.
import { join } from 'node:path';
import type { CodeMode, CodeModeResult } from '@codeseam/code-mode';
import { type CordisRow, createLoader, type Loader } from '@codeseam/cordis-loader';
import { mcpServersOf } from '@codeseam/mcp-client/cordis';
import type { ToolRegistry } from '@codeseam/tools';
import { Context } from 'cordis';
import { onTestFinished } from 'vitest';
import { root } from './read-packages.ts';

export const SCOPE = { agentId: 'tests', sessionId: 'tests' };

export const ROWS: CordisRow[] = [
  { id: 'tools', name: '@codeseam/tools', config: { mode: 'code', transport: 'exec' } },
  { id: 'runtime', name: '@codeseam/code-runtime-quickjs' },
  { id: 'namespaces', name: '@codeseam/namespaces' },
  { id: 'code-mode', name: '@codeseam/code-mode', config: { enabled: true } },
];

/** A server that is installed with this repository, started without npx. */
export function installedServer(name: 'everything' | 'filesystem', ...args: string[]) {
  const program = join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  return { command: process.execPath, args: [program, ...args] };
}

export function serversRow(servers: Record<string, unknown>): CordisRow {
  return { id: 'mcp', name: '@codeseam/mcp-client', config: { servers } };
}

export interface Composition {
  ctx: Context;
  loader: Loader;
  readonly tools: ToolRegistry;
  readonly codeMode: CodeMode;
  exec(code: string, language?: 'typescript' | 'javascript'): Promise<CodeModeResult>;
  /** The value of a program that must complete. */
  value(code: string, language?: 'typescript' | 'javascript'): Promise<unknown>;
}

/** Mounts rows and waits for their servers. */
export async function openComposition(rows: readonly CordisRow[] = ROWS): Promise<Composition> {
  const ctx = new Context();
  onTestFinished(async () => void (await ctx.fiber.dispose()));
  const loader = await createLoader(ctx, { rows, folder: join(root, 'tests') });
  await loader.settled();
  await Promise.all(mcpServersOf(ctx).map((servers) => servers.ready));
  let calls = 0;
  const composition: Composition = {
    ctx,
    loader,
    get tools() {
      return ctx.get('tools') as ToolRegistry;
    },
    get codeMode() {
      return ctx.get('codeMode') as CodeMode;
    },
    exec: (code, language) =>
      composition.codeMode.exec({ code, ...(language && { language }) }, { scope: SCOPE, callId: `call-${++calls}` }),
    async value(code, language) {
      const result = await composition.exec(code, language);
      if (result.status !== 'completed') throw new Error(JSON.stringify(result));
      return result.value;
    },
  };
  return composition;
}
