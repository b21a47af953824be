import { runApart } from '../apart.ts';
import type { BenchCase } from '../bench-case.ts';

const RUNS = 10_000;

const p13: BenchCase = {
  id: 'P13',
  title: '10,000 runs one after another',
  rounds: 1,
  async measure() {
    const runs = process.env['BENCH_SMOKE'] ? 200 : RUNS;
    const { growthMib, heapGrowthMib, endMib } = (await runApart('one-after-another', { runs })) as Record<
      'growthMib' | 'heapGrowthMib' | 'endMib',
      number
    >;
    return [
      // Garbage that is not collected yet and fragments of the heap come and go by some MiB.
      {
        what: `${this.title}: growth after the first tenth, less the host's own heap`,
        unit: 'MiB',
        ours: growthMib - heapGrowthMib,
        reach: 'none (8 MiB of noise)',
        reached: growthMib - heapGrowthMib <= 8,
      },
      { what: "room that V8 keeps for the host's own heap: growth", unit: 'MiB', ours: heapGrowthMib },
      { what: 'memory of the process at the end', unit: 'MiB', ours: endMib },
    ];
  },
};

export default p13;
