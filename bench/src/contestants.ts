// The contestants of the runtime cases: our QuickJS provider, the peer `run`, and the bare engine.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CodeBinding, CodeRunLimits, CodeRuntime } from '@codeseam/code-runtime';
import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import { QuickJS } from 'quickjs-wasi';
import { createRunner } from 'run';

type Functions = Record<string, (...args: never[]) => unknown>;

/** Our runtime, with one program run so that it is warm. */
export async function warmRuntime(): Promise<CodeRuntime> {
  const runtime = await createQuickJsRuntime();
  await runtime.run({ program: 'return 1;', bindings: [] });
  return runtime;
}

/** Runs a program on ours and gives its value; a failure is thrown. */
export async function runOurs(
  runtime: CodeRuntime,
  program: string,
  functions?: Functions,
  limits?: Partial<CodeRunLimits>,
): Promise<unknown> {
  const bindings = functions ? [{ global: 'tools', functions: functions as Record<string, CodeBinding> }] : [];
  const result = await runtime.run({ program, bindings, ...(limits ? { limits } : {}) });
  if (result.error) throw new Error(`ours: ${result.error.kind}: ${result.error.message}`);
  return result.value;
}

const runner = createRunner({
  limits: { maxBridgeRequests: 1_000_000, maxInFlightBridgeRequests: 2_000, timeoutMs: 120_000 },
});

/** Runs a program on the peer and gives its value. */
export async function runPeer(source: string, functions?: Functions): Promise<unknown> {
  const result = await runner.run({ source, ...(functions ? { hostFunctions: { tools: functions as never } } : {}) });
  if (result.status !== 'completed') throw new Error(`peer: ${result.status}`);
  return result.value;
}

let engine: Promise<WebAssembly.Module> | undefined;

/** The bare engine: create, evaluate, dispose. */
export async function runFloor(expression: string): Promise<unknown> {
  engine ??= WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')));
  const vm = await QuickJS.create({ wasm: await engine, memoryLimit: 64 << 20, interruptHandler: () => false });
  const value = vm.evalCode(expression).consume((handle) => handle.toNumber());
  vm.dispose();
  return value;
}
