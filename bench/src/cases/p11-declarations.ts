import { describeMcp } from '@codeseam/mcp-dts';
import type { BenchCase } from '../bench-case.ts';
import { medianTimes } from '../measure.ts';
import { readServerCorpus } from '../work/server-corpus.ts';

const p11: BenchCase = {
  id: 'P11',
  title: 'declarations of 69 servers, 2,273 tools',
  rounds: 30,
  async measure({ rounds }) {
    const servers = readServerCorpus();
    const { ours } = await medianTimes({ ours: async () => describeMcp(servers).files.length }, rounds);
    return [{ what: this.title, unit: 'ms', ours, reach: 'under 1,500 ms', reached: ours < 1_500 }];
  },
};

export default p11;
