// Code mode over as many tools of real servers as asked for.
import { type CodeMode, type CodeModeResult, createCodeMode } from '@codeseam/code-mode';
import type { CodeRuntime } from '@codeseam/code-runtime';
import { createToolRegistry, type ToolDefinition, type ToolRegistry } from '@codeseam/tools';
import type { CorpusTool } from './tool-corpus.ts';

export interface Surface {
  readonly tools: ToolRegistry;
  readonly codeMode: CodeMode;
  /** How programs call a tool that takes nothing. */
  readonly callPath: string;
  exec(code: string): Promise<CodeModeResult>;
  wait(runId: string): Promise<CodeModeResult>;
  close(): Promise<void>;
}

/** Real tools with their full descriptions, repeated under other servers until there are enough. */
export function openSurface(runtime: CodeRuntime, corpus: readonly CorpusTool[], count: number): Surface {
  const tools = createToolRegistry({ mode: 'code', transport: 'exec' }, { runtime: () => runtime });
  const execute = () => ({ content: [] });
  const servers = new Map<string, ToolDefinition[]>();
  for (let at = 1; at < count; at++) {
    const { owner, name, description, parameters } = corpus[at % corpus.length]!;
    const server = `${owner}-${Math.floor(at / corpus.length)}`;
    const definitions = servers.get(server) ?? [];
    definitions.push({ name, description, parameters, execute });
    servers.set(server, definitions);
  }
  servers.set('bench', [{ name: 'nothing', description: 'Does nothing.', parameters: { type: 'object' }, execute }]);
  for (const [owner, definitions] of servers) tools.registrar({ source: 'mcp', owner }).replace(definitions);
  const codeMode = createCodeMode({ tools, runtime });
  let calls = 0;
  const options = () => ({ scope: {}, callId: `call-${++calls}` });
  return {
    tools,
    codeMode,
    callPath: 'MCP.bench.nothing',
    exec: (code) => codeMode.exec({ code }, options()),
    wait: (runId) => codeMode.wait({ runId }, options()),
    async close() {
      await codeMode.dispose();
      await tools.dispose();
    },
  };
}
