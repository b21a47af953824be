import type { BenchCase } from '../bench-case.ts';
import { runOurs, runPeer, warmRuntime } from '../contestants.ts';
import { medianTimes } from '../measure.ts';

const PROGRAM = 'return (await Promise.all(Array.from({ length: 1000 }, (_, i) => tools.one(i)))).length;';

const p4: BenchCase = {
  id: 'P4',
  title: '1,000 parallel host calls in one program',
  rounds: 50,
  async measure({ rounds }) {
    const runtime = await warmRuntime();
    const functions = { one: async (i: number) => i };
    const { ours, peer } = await medianTimes(
      { ours: () => runOurs(runtime, PROGRAM, functions), peer: () => runPeer(PROGRAM, functions) },
      rounds,
    );
    await runtime.dispose();
    return [{ what: this.title, unit: 'ms', ours, peer, reach: 'under 30 ms', reached: ours < 30 }];
  },
};

export default p4;
