import type { BenchCase } from '../bench-case.ts';
import { runOurs, runPeer, warmRuntime } from '../contestants.ts';
import { medianTimes } from '../measure.ts';

const PROGRAM = 'return await tools.one({ a: 1 });';

const p2: BenchCase = {
  id: 'P2',
  title: 'warm run with one awaited host call',
  rounds: 300,
  async measure({ rounds }) {
    const runtime = await warmRuntime();
    const functions = { one: async ({ a }: { a: number }) => a + 1 };
    const { ours, peer } = await medianTimes(
      { ours: () => runOurs(runtime, PROGRAM, functions), peer: () => runPeer(PROGRAM, functions) },
      rounds,
    );
    await runtime.dispose();
    return [{ what: this.title, unit: 'ms', ours, peer, reach: '1/20 of the peer', reached: ours <= peer / 20 }];
  },
};

export default p2;
