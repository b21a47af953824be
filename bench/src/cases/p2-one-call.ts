import type { BenchCase } from '../bench-case.ts';
import { runOurs, runPeer, warmRuntime } from '../contestants.ts';
import { blockMedians } from '../measure.ts';

const PROGRAM = 'return await tools.one({ a: 1 });';

const p2: BenchCase = {
  id: 'P2',
  title: 'warm run with one awaited host call',
  rounds: 300,
  async measure({ rounds }) {
    const runtime = await warmRuntime();
    const functions = { one: async ({ a }: { a: number }) => a + 1 };
    const { warm, first } = await blockMedians(
      { ours: () => runOurs(runtime, PROGRAM, functions), peer: () => runPeer(PROGRAM, functions) },
      rounds,
    );
    await runtime.dispose();
    return [
      { what: this.title, unit: 'ms', ...warm, reach: '1/20 of the peer', reached: warm.ours <= warm.peer / 20 },
      { what: 'the first one after other work and a pause', unit: 'ms', ...first },
    ];
  },
};

export default p2;
