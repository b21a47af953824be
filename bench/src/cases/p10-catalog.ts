import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CodeMode } from '@codeseam/code-mode';
import type { BenchCase, BenchRow } from '../bench-case.ts';
import { warmRuntime } from '../contestants.ts';
import { medianTimes } from '../measure.ts';
import { openSurface, type Surface } from '../work/open-surface.ts';
import { readToolCorpus } from '../work/tool-corpus.ts';

const TOOLS = 10_000;
/** Medians of the same work with other tools in view may differ by this much from round to round. */
const NOISE = 1.15;

/** Queries as models write them, some of them misspelt. */
const QUERIES = [
  'open a text file and show what is in it',
  'take a screenshot of the page',
  'create an issue',
  'find rows that contain a word',
  'send a message to a group',
  'restart the app',
  'virtual machines that are running',
  'delte documents form a collection',
  'translate a sentence',
  'schedule a meeting with my team next week and invite everybody',
  'weather',
  'stock price history',
  'which organisation does an ip address belong to',
  'qurey the databse',
  '查询车票',
];

const p10: BenchCase = {
  id: 'P10',
  title: 'catalog of 10,000 tools',
  rounds: 40,
  async measure({ rounds }) {
    const runtime = await warmRuntime();
    const corpus = readToolCorpus();
    const rows: BenchRow[] = [];

    const large = openSurface(runtime, corpus, TOOLS);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const build = await timed(() => large.codeMode.search('read a file', { scope: {}, limit: 8 }));
    const first = await timed(() => run(large, 'return 1'));
    delay.disable();
    const slice = delay.max / 1e6;
    rows.push(
      { what: `${this.title}: view and index`, unit: 'ms', ours: build, reach: 'under 1 s', reached: build < 1_000 },
      { what: 'first exec after it', unit: 'ms', ours: first },
      { what: 'longest slice of both', unit: 'ms', ours: slice, reach: 'at most 20 ms', reached: slice <= 20 },
      ...(await searches(large.codeMode, rounds)),
    );
    const one = openSurface(runtime, corpus, 1);
    const whole = openSurface(runtime, corpus, corpus.length);
    const chars = await Promise.all([large, whole].map(describedIn));
    rows.push({
      what: 'description of exec',
      unit: 'chars',
      ours: chars[0]!,
      reach: `independent of the catalog; with ${corpus.length} tools ${chars[1]}`,
      reached: chars[0]! < chars[1]! * NOISE,
    });
    const later = await medianTimes({ large: () => run(large, 'return 1') }, rounds);
    rows.push({ what: 'later exec', unit: 'ms', ours: later.large });
    await large.close();

    for (const [what, work] of Object.entries(WORKS)) {
      const times = await medianTimes({ one: () => work(one), whole: () => work(whole) }, Math.max(30, rounds));
      rows.push({
        what: `${what}, ${corpus.length} tools in view`,
        unit: 'ms',
        ours: times.whole,
        reach: `no worse than with one tool: ${times.one.toPrecision(3)} ms`,
        reached: times.whole <= times.one * NOISE,
      });
    }
    await one.close();
    await whole.close();
    await runtime.dispose();
    return rows;
  },
};

/** The same as P1, P2 and P6, through `exec` and `wait`. */
const WORKS: Readonly<Record<string, (surface: Surface) => Promise<unknown>>> = {
  'P1 through exec': (surface) => run(surface, 'return 1'),
  'P2 through exec': (surface) => run(surface, `return await ${surface.callPath}({})`),
  'P6 through exec and wait': async (surface) => {
    const waiting = await surface.exec(
      'const kept = Array.from({ length: 200 }, (_, id) => ({ id })); await yield_control(); return kept.length',
    );
    if (waiting.status !== 'waiting') throw new Error(`the program did not wait: ${JSON.stringify(waiting)}`);
    const result = await surface.wait(waiting.runId);
    if (result.status !== 'completed' || result.value !== 200) throw new Error(JSON.stringify(result));
  },
};

async function run(surface: Surface, code: string): Promise<unknown> {
  const result = await surface.exec(code);
  if (result.status !== 'completed') throw new Error(`the program did not complete: ${JSON.stringify(result)}`);
  return result.value;
}

async function searches(codeMode: CodeMode, rounds: number): Promise<BenchRow[]> {
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    for (const query of QUERIES) {
      const ms = await timed(() => codeMode.search(query, { scope: {}, limit: 8 }));
      if (round >= 0) times.push(ms);
    }
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  return [
    { what: 'search, p50', unit: 'ms', ours: at(0.5), reach: 'under 2 ms', reached: at(0.5) < 2 },
    { what: 'search, p95', unit: 'ms', ours: at(0.95), reach: 'under 30 ms', reached: at(0.95) < 30 },
  ];
}

async function describedIn({ tools }: Surface): Promise<number> {
  const presented = await tools.present(await tools.prepareView({}));
  return presented.tools.find(({ name }) => name === 'exec')!.description.length;
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export default p10;
