import { runApart } from '../apart.ts';
import type { BenchCase } from '../bench-case.ts';

const RUNS = 10_000;

const p13: BenchCase = {
  id: 'P13',
  title: '10,000 runs one after another',
  rounds: 1,
  async measure() {
    const runs = process.env['BENCH_SMOKE'] ? 200 : RUNS;
    const { growthMib, endMib } = (await runApart('one-after-another', { runs })) as Record<
      'growthMib' | 'endMib',
      number
    >;
    return [
      // Garbage that is not collected yet and fragments of the heap come and go by some MiB.
      {
        what: `${this.title}: growth after the first tenth`,
        unit: 'MiB',
        ours: growthMib,
        reach: 'none (8 MiB of noise)',
        reached: growthMib <= 8,
      },
      { what: 'memory of the process at the end', unit: 'MiB', ours: endMib },
    ];
  },
};

export default p13;
