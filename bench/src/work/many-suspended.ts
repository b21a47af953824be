// Suspends many programs the way a server keeps them in memory: held and parked, each with 200 small objects.
import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import type { Work } from '../apart.ts';
import { collectGarbage, residentMib } from '../memory.ts';

const PROGRAM = `
  const items = [];
  for (let i = 0; i < 200; i++) items.push({ id: i, name: 'item ' + i, tags: ['a', 'b', String(i)] });
  await tools.ask();
  return items.length;`;

const AT_ONCE = 100;

const manySuspended: Work = async ({ runs = 0 }) => {
  const runtime = await createQuickJsRuntime();
  const request = {
    program: PROGRAM,
    bindings: [{ global: 'tools', functions: Object.freeze({ ask: () => new Promise(() => {}) }) }],
  };
  let bytes = 0;
  const suspended = [];
  for (let started = 0; started < runs; started += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, runs - started) }, () => runtime.start(request));
    for (const run of batch) run.result.catch(() => {});
    await Promise.all(
      batch.map(async (run) => {
        if ((await run.hold()) !== 'waiting') throw new Error('a program did not wait');
        bytes += (await run.park()).bytes;
      }),
    );
    suspended.push(...batch);
  }
  collectGarbage();
  const rssMib = residentMib();
  for (const run of suspended) run.cancel({ kind: 'abort', message: 'enough' });
  await runtime.dispose();
  return { rssMib, bytesEach: bytes / runs };
};

export default manySuspended;
