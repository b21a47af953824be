// For tests: a registry, a real sandbox and code mode over them, and everything ended behind the test.

import type { CodeRuntime } from '@codeseam/code-runtime';
import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import { createNamespaceRegistry } from '@codeseam/namespaces';
import { createToolRegistry, type ToolDefinition, type ToolRegistryServices, type ToolsConfig } from '@codeseam/tools';
import { afterAll, afterEach } from 'vitest';
import { createCodeMode } from '../create-code-mode.ts';
import type { CodeModeCallOptions, CodeModeConfig, CodeModeResult, CodeModeServices, WaitingResult } from '../types.ts';

let shared: Promise<CodeRuntime> | undefined;

/** One sandbox for a test file: threads are slow to start. */
export function sharedRuntime(): Promise<CodeRuntime> {
  shared ??= createQuickJsRuntime({ workers: 2, drainMs: 100, abortGraceMs: 50 });
  return shared;
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(async () => {
  await (await shared)?.dispose();
  shared = undefined;
});

export interface HarnessOptions {
  tools?: ToolDefinition[];
  config?: CodeModeConfig;
  registry?: ToolsConfig;
  services?: ToolRegistryServices;
  runtime?: CodeRuntime;
  store?: CodeModeServices['store'];
}

export async function createHarness(options: HarnessOptions = {}) {
  const runtime = options.runtime ?? (await sharedRuntime());
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const tools = createToolRegistry(options.registry ?? {}, { runtime: () => runtime, warn, ...options.services });
  for (const tool of options.tools ?? []) tools.register(tool);
  const namespaces = createNamespaceRegistry();
  const codeMode = createCodeMode({
    tools,
    runtime,
    namespaces,
    warn,
    ...(options.store ? { store: options.store } : {}),
    // Long enough for a machine that is busy with other things.
    config: { timeoutMs: 60_000, ...options.config },
  });
  open.push(async () => {
    await codeMode.dispose();
    await tools.dispose();
  });
  let calls = 0;
  const callOptions = (given: Partial<CodeModeCallOptions> = {}): CodeModeCallOptions => ({
    scope: { sessionId: 'session-1' },
    callId: `call-${++calls}`,
    ...given,
  });
  return {
    runtime,
    tools,
    namespaces,
    codeMode,
    warnings,
    exec: (code: string, given: Partial<CodeModeCallOptions> = {}): Promise<CodeModeResult> =>
      codeMode.exec({ code }, callOptions(given)),
    /** Runs a program up to its first tool call, whatever the speed of the machine; its tools must be `replaySafe`. */
    execUntilCall: async (code: string, given: Partial<CodeModeCallOptions> = {}): Promise<WaitingResult> => {
      const result = await codeMode.exec({ code, restartSafe: true }, callOptions(given));
      if (result.status !== 'waiting') throw new Error(`expected waiting, got ${JSON.stringify(result)}`);
      return result;
    },
    wait: (runId: string, given: Partial<CodeModeCallOptions> & { cancel?: boolean } = {}): Promise<CodeModeResult> => {
      const { cancel, ...rest } = given;
      return codeMode.wait({ runId, ...(cancel === undefined ? {} : { cancel }) }, callOptions(rest));
    },
    callOptions,
  };
}

/** A tool with the shortest possible definition. */
export function tool(
  name: string,
  execute: ToolDefinition['execute'],
  more: Partial<ToolDefinition> = {},
): ToolDefinition {
  return { name, description: `${name}.`, parameters: { type: 'object' }, execute, ...more };
}

/** A read-only tool, for programs that are to be suspended at its call. */
export function readTool(name: string, execute: ToolDefinition['execute']): ToolDefinition {
  return tool(name, execute, { replaySafe: true });
}

/** A promise, and what settles it. */
export function deferred<T = unknown>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}
