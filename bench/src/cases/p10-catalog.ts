import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createCodeMode } from '@codeseam/code-mode';
import { createToolRegistry, type ToolDefinition } from '@codeseam/tools';
import type { BenchCase } from '../bench-case.ts';
import { warmRuntime } from '../contestants.ts';
import { readToolCorpus } from '../work/tool-corpus.ts';

const TOOLS = 10_000;

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

/** Real tools with their full descriptions, repeated under other servers until there are ten thousand. */
function manyTools(): Map<string, ToolDefinition[]> {
  const corpus = readToolCorpus();
  const servers = new Map<string, ToolDefinition[]>();
  for (let at = 0; at < TOOLS; at++) {
    const tool = corpus[at % corpus.length]!;
    const owner = `${tool.owner}-${Math.floor(at / corpus.length)}`;
    const { name, description, parameters } = tool;
    servers.set(owner, [
      ...(servers.get(owner) ?? []),
      { name, description, parameters, execute: () => ({ content: [] }) },
    ]);
  }
  return servers;
}

const p10: BenchCase = {
  id: 'P10',
  title: 'catalog of 10,000 tools',
  rounds: 40,
  async measure({ rounds }) {
    const runtime = await warmRuntime();
    const tools = createToolRegistry({ mode: 'code', transport: 'exec' }, { runtime: () => runtime });
    for (const [owner, definitions] of manyTools()) tools.registrar({ source: 'mcp', owner }).replace(definitions);
    const codeMode = createCodeMode({ tools, runtime });
    const options = { scope: {}, limit: 8 };
    tools.view({}).fingerprint;

    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const start = performance.now();
    await codeMode.search('read a file', options);
    const build = performance.now() - start;
    delay.disable();

    const times: number[] = [];
    for (let round = -1; round < rounds; round++) {
      for (const query of QUERIES) {
        const from = performance.now();
        await codeMode.search(query, options);
        if (round >= 0) times.push(performance.now() - from);
      }
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
    const presented = await tools.present(tools.view({}));
    const chars = presented.tools[0]!.description.length;
    await codeMode.dispose();
    await tools.dispose();
    await runtime.dispose();
    const slice = delay.max / 1e6;
    return [
      { what: `${this.title}: index`, unit: 'ms', ours: build, reach: 'under 1 s', reached: build < 1_000 },
      { what: 'its longest slice', unit: 'ms', ours: slice, reach: 'at most 20 ms', reached: slice <= 20 },
      { what: 'search, p50', unit: 'ms', ours: at(0.5), reach: 'under 2 ms', reached: at(0.5) < 2 },
      { what: 'search, p95', unit: 'ms', ours: at(0.95), reach: 'under 30 ms', reached: at(0.95) < 30 },
      {
        what: 'description of exec',
        unit: 'chars',
        ours: chars,
        reach: 'independent of the catalog',
        reached: chars < 12_000,
      },
    ];
  },
};

export default p10;
