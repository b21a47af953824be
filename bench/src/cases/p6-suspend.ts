import type { CodeRuntime, FrozenRun } from '@codeseam/code-runtime';
import type { BenchCase } from '../bench-case.ts';
import { warmRuntime } from '../contestants.ts';
import { median } from '../measure.ts';

const PROGRAM = `
  const items = [];
  for (let i = 0; i < 200; i++) items.push({ id: i, name: 'item ' + i, tags: ['a', 'b', String(i)] });
  const wanted = await tools.ask();
  return items.filter((item) => item.id % 2 === wanted).length;`;

/** From a waiting program to its frozen run in a store, and from there to its value in the same runtime. */
async function suspendAndResume(
  runtime: CodeRuntime,
  store: Map<string, FrozenRun>,
): Promise<{ ms: number; bytes: number }> {
  let asked!: () => void;
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const ask = () => {
    asked();
    return new Promise(() => {});
  };
  const bindings = [{ global: 'tools', functions: { ask } }];
  const run = runtime.start({ program: PROGRAM, bindings });
  run.result.catch(() => {});
  await waiting;
  const start = performance.now();
  await run.hold();
  const [pending] = run.pending();
  store.set('run', structuredClone(await run.freeze()));
  const frozen = store.get('run')!;
  const settlements = { [pending!.id]: { ok: true as const, value: 1 } };
  const { value, error } = await runtime.thaw!(frozen, { bindings, settlements }).result;
  const ms = performance.now() - start;
  if (value !== 100) throw new Error(`the resumed program gave ${JSON.stringify(value ?? error)}`);
  return { ms, bytes: frozen.image.length + Buffer.byteLength(frozen.state) };
}

const p6: BenchCase = {
  id: 'P6',
  title: 'suspend, store and resume: 200 small objects, one pending call',
  rounds: 100,
  async measure({ rounds }) {
    const runtime = await warmRuntime();
    const store = new Map<string, FrozenRun>();
    const seen: { ms: number; bytes: number }[] = [];
    for (let round = -10; round < rounds; round++) {
      const one = await suspendAndResume(runtime, store);
      if (round >= 0) seen.push(one);
    }
    await runtime.dispose();
    const ours = median(seen.map((it) => it.ms));
    const size = Math.max(...seen.map((it) => it.bytes)) / 1024;
    return [
      { what: this.title, unit: 'ms', ours, reach: 'under 4 ms', reached: ours < 4 },
      { what: 'its stored size', unit: 'KB', ours: size, reach: 'at most 48 KB', reached: size <= 48 },
    ];
  },
};

export default p6;
