import { runApart } from '../apart.ts';
import type { BenchCase } from '../bench-case.ts';

const RUNS = 10_000;

const p8: BenchCase = {
  id: 'P8',
  title: '10,000 suspended runs in memory',
  rounds: 1,
  async measure() {
    const runs = process.env['BENCH_SMOKE'] ? 50 : RUNS;
    const { rssMib, bytesEach } = (await runApart('many-suspended', { runs })) as Record<
      'rssMib' | 'bytesEach',
      number
    >;
    return [
      { what: `${this.title}: the process`, unit: 'MiB', ours: rssMib, reach: 'under 1 GB', reached: rssMib < 954 },
      { what: 'the image of one', unit: 'KB', ours: bytesEach / 1024 },
    ];
  },
};

export default p8;
