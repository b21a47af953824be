import type { BenchCase } from '../bench-case.ts';
import { runOurs, runPeer, warmRuntime } from '../contestants.ts';
import { medianTimes } from '../measure.ts';

const CALLS = process.env['BENCH_SMOKE'] ? 50 : 2_000;
const PROGRAM = `let sum = 0; for (let i = 0; i < ${CALLS}; i++) sum += await tools.one(i); return sum;`;

/** Alone, and with as many programs of the same kind beside it as the machine has threads for. */
const p3: BenchCase = {
  id: 'P3',
  title: '2,000 sequential awaited host calls in one program',
  rounds: 30,
  async measure({ rounds }) {
    const runtime = await warmRuntime();
    const functions = { one: async (i: number) => i };
    const run = () => runOurs(runtime, PROGRAM, functions);
    const { ours, peer } = await medianTimes({ ours: run, peer: () => runPeer(PROGRAM, functions) }, rounds);
    const { contended } = await medianTimes(
      { contended: () => Promise.all([run(), run(), run(), run()]) },
      Math.max(3, Math.ceil(rounds / 5)),
    );
    await runtime.dispose();
    const perCall = (ours / CALLS) * 1_000;
    return [
      { what: this.title, unit: 'ms', ours, peer, reach: '1/6 of the peer', reached: ours <= peer / 6 },
      {
        what: 'one of them',
        unit: 'µs',
        ours: perCall,
        peer: (peer / CALLS) * 1_000,
        reach: 'under 70 µs',
        reached: perCall < 70,
      },
      { what: 'one of them, four such programs at once', unit: 'µs', ours: (contended / CALLS / 4) * 1_000 },
    ];
  },
};

export default p3;
