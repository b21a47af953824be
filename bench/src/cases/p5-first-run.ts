import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BenchCase } from '../bench-case.ts';
import { median } from '../measure.ts';

const CONTESTANTS = ['ours', 'peer', 'floor'] as const;
const folder = fileURLToPath(new URL('../../first-run/', import.meta.url));

/** A new process each time; what is timed, in the process, is import to result. */
async function firstRun(name: (typeof CONTESTANTS)[number]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [`${folder}${name}.mjs`]);
  return Number(stdout);
}

const p5: BenchCase = {
  id: 'P5',
  title: 'first run in a new process, import to result',
  rounds: 30,
  async measure({ rounds }) {
    const times = { ours: [] as number[], peer: [] as number[], floor: [] as number[] };
    for (let round = -1; round < rounds; round++) {
      for (const name of CONTESTANTS) {
        const ms = await firstRun(name);
        if (round >= 0) times[name].push(ms);
      }
    }
    const [ours, peer, floor] = CONTESTANTS.map((name) => median(times[name])) as [number, number, number];
    return [{ what: this.title, unit: 'ms', ours, peer, floor, reach: '1/2 of the peer', reached: ours <= peer / 2 }];
  },
};

export default p5;
