// Starts many programs at once, each of which waits on a host call; watches memory and the host's event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import type { Work } from '../apart.ts';
import { watchMemory } from '../memory.ts';

const manyWaiting: Work = async ({ programs = 0, waitMs = 0 }) => {
  const runtime = await createQuickJsRuntime();
  await runtime.run({ program: 'return 1;', bindings: [] });
  const functions = Object.freeze({ wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, ms)) });
  const request = { program: `return await tools.wait(${waitMs});`, bindings: [{ global: 'tools', functions }] };
  const memory = watchMemory();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const start = performance.now();
  const results = await Promise.all(Array.from({ length: programs }, () => runtime.run(request)));
  const seconds = (performance.now() - start) / 1_000;
  delay.disable();
  const failed = results.find((it) => it.value !== waitMs);
  if (failed) throw new Error(`a program gave ${JSON.stringify(failed)}`);
  await runtime.dispose();
  // The histogram counts the interval of its own timer as delay.
  return { seconds, rssMib: memory.peakMib(), delayMs: Math.max(0, delay.percentile(99) / 1e6 - 10) };
};

export default manyWaiting;
