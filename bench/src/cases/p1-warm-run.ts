import type { BenchCase } from '../bench-case.ts';
import { runFloor, runOurs, runPeer, warmRuntime } from '../contestants.ts';
import { medianTimes } from '../measure.ts';

/** The smallest program, again and again. */
const p1: BenchCase = {
  id: 'P1',
  title: 'warm run of `return 1`',
  rounds: 300,
  async measure({ rounds }) {
    const runtime = await warmRuntime();
    const { ours, peer, floor } = await medianTimes(
      {
        ours: () => runOurs(runtime, 'return 1;'),
        peer: () => runPeer('return 1;'),
        floor: () => runFloor('1'),
      },
      rounds,
    );
    await runtime.dispose();
    const reached = ours <= peer / 25 && ours <= floor / 5;
    return [{ what: this.title, unit: 'ms', ours, peer, floor, reach: '1/25 of the peer, 1/5 of the floor', reached }];
  },
};

export default p1;
