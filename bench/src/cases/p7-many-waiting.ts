import { runApart } from '../apart.ts';
import type { BenchCase } from '../bench-case.ts';

const PROGRAMS = 10_000;

const p7: BenchCase = {
  id: 'P7',
  title: '10,000 programs at once, each waiting 1 s on a host call',
  rounds: 1,
  async measure() {
    // A smoke run has fewer of everything.
    const programs = process.env['BENCH_SMOKE'] ? 50 : PROGRAMS;
    const { seconds, rssMib, delayMs } = (await runApart('many-waiting', { programs, waitMs: 1_000 })) as Record<
      'seconds' | 'rssMib' | 'delayMs',
      number
    >;
    return [
      { what: this.title, unit: 's', ours: seconds, reach: 'within 20 s', reached: seconds <= 20 },
      { what: 'peak memory of the process', unit: 'MiB', ours: rssMib, reach: 'under 1.5 GB', reached: rssMib < 1_430 },
      {
        what: 'event-loop delay of the host, p99',
        unit: 'ms',
        ours: delayMs,
        reach: 'under 50 ms',
        reached: delayMs < 50,
      },
    ];
  },
};

export default p7;
