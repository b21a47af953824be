import { createCodeMode } from '@codeseam/code-mode';
import { createToolRegistry } from '@codeseam/tools';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { BenchCase } from '../bench-case.ts';
import { warmRuntime } from '../contestants.ts';
import { type CorpusTool, readToolCorpus } from '../work/tool-corpus.ts';

/** As a client sends them to a model. */
const tokensOf = (tools: readonly { name: string; description: string; parameters: unknown }[]): number =>
  encode(JSON.stringify(tools.map(({ name, description, parameters }) => ({ name, description, parameters })))).length;

const p12: BenchCase = {
  id: 'P12',
  title: 'tokens of exec and wait over those of the native schemas',
  rounds: 1,
  async measure() {
    const runtime = await warmRuntime();
    const present = async (corpus: readonly CorpusTool[]) => {
      const tools = createToolRegistry({ mode: 'code', transport: 'exec' }, { runtime: () => runtime });
      const servers = new Map<string, CorpusTool[]>();
      for (const tool of corpus) servers.set(tool.owner, [...(servers.get(tool.owner) ?? []), tool]);
      for (const [owner, list] of servers) {
        const definitions = list.map(({ name, description, parameters }) => ({
          name,
          description,
          parameters,
          execute: () => 1,
        }));
        tools.registrar({ source: 'mcp', owner }).replace(definitions);
      }
      const codeMode = createCodeMode({ tools, runtime });
      const { tools: presented } = await tools.present(tools.view({}));
      await codeMode.dispose();
      await tools.dispose();
      return tokensOf(presented);
    };
    const corpus = readToolCorpus();
    const native = tokensOf(corpus);
    const all = await present(corpus);
    // The losing case: one small tool, where the schema itself is cheaper.
    const small = corpus.filter(
      ({ owner, name }) => owner === 'modelcontextprotocol-server-everything' && name === 'get-sum',
    );
    const one = await present(small);
    const breakEven = countUntil(corpus, await present(corpus.slice(0, 16)));
    await runtime.dispose();
    const share = (100 * all) / native;
    return [
      { what: `${this.title}, 2,273 tools`, unit: '%', ours: share, reach: 'at most 2 %', reached: share <= 2 },
      { what: 'exec and wait', unit: 'tokens', ours: all, peer: native },
      { what: 'with one small tool (a native call is cheaper)', unit: 'tokens', ours: one, peer: tokensOf(small) },
      { what: 'tools of usual size from which exec is cheaper', unit: 'tools', ours: breakEven },
    ];
  },
};

/** How many tools of the corpus' usual size cost as much as exec and wait. */
function countUntil(corpus: readonly CorpusTool[], budget: number): number {
  const sizes = corpus.map((tool) => tokensOf([tool])).sort((a, b) => a - b);
  return Math.ceil(budget / sizes[sizes.length >> 1]!);
}

export default p12;
