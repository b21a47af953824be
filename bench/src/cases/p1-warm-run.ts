import type { BenchCase } from '../bench-case.ts';
import { runFloor, runOurs, runPeer, warmRuntime } from '../contestants.ts';
import { blockMedians } from '../measure.ts';

/** The smallest program, again and again, and after other work has had the processor. */
const p1: BenchCase = {
  id: 'P1',
  title: 'warm run of `return 1`',
  rounds: 300,
  async measure({ rounds }) {
    const runtime = await warmRuntime();
    const { warm, first } = await blockMedians(
      {
        ours: () => runOurs(runtime, 'return 1;'),
        peer: () => runPeer('return 1;'),
        floor: () => runFloor('1'),
      },
      rounds,
    );
    await runtime.dispose();
    const reached = warm.ours <= warm.peer / 25 && warm.ours <= warm.floor / 5;
    return [
      { what: this.title, unit: 'ms', ...warm, reach: '1/25 of the peer, 1/5 of the floor', reached },
      { what: 'the first one after other work and a pause', unit: 'ms', ...first },
    ];
  },
};

export default p1;
