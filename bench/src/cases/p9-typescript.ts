import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import type { BenchCase } from '../bench-case.ts';
import { runOurs } from '../contestants.ts';
import { median } from '../measure.ts';

/** A cell of 60 lines; `n` makes each text new, so that no cache of sources helps. */
function typescriptCell(n: number): string {
  const functions = Array.from(
    { length: 11 },
    (_, i) => `function pick${i}<T extends Row>(rows: readonly T[], at: number): T | undefined {
  const found: T | undefined = rows[at];
  if (found === undefined) return undefined;
  return found satisfies Row;
}`,
  );
  return `interface Row { id: number; name?: string }
type Rows = readonly Row[];
${functions.join('\n')}
const rows: Rows = [{ id: ${n} }, { id: 2, name: 'two' }];
const texts: string[] = rows.map((row): string => \`\${row.id}\`);
return (pick3(rows, 0) as Row).id + texts.length;`;
}

function javascriptCell(n: number): string {
  const functions = Array.from(
    { length: 11 },
    (_, i) => `function pick${i}(rows, at) {
  const found = rows[at];
  if (found === undefined) return undefined;
  return found;
}`,
  );
  return `// The same without types.

${functions.join('\n')}
const rows = [{ id: ${n} }, { id: 2, name: 'two' }];
const texts = rows.map((row) => \`\${row.id}\`);
return pick3(rows, 0).id + texts.length;`;
}

const p9: BenchCase = {
  id: 'P9',
  title: 'TypeScript cell of 60 lines, over a JavaScript one',
  rounds: 100,
  async measure({ rounds }) {
    const first: number[] = [];
    const later: number[] = [];
    let n = 0;
    const timed = async (work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    // The first cell of a runtime, again and again with new runtimes.
    for (let round = 0; round < Math.max(3, Math.ceil(rounds / 10)); round++) {
      const runtime = await createQuickJsRuntime({ workers: 1 });
      await runOurs(runtime, javascriptCell(++n));
      const plain = await timed(() => runOurs(runtime, javascriptCell(++n)));
      first.push((await timed(() => runOurs(runtime, typescriptCell(++n)))) - plain);
      await runtime.dispose();
    }
    const runtime = await createQuickJsRuntime({ workers: 1 });
    for (let round = -5; round < rounds; round++) {
      const plain = await timed(() => runOurs(runtime, javascriptCell(++n)));
      const typed = await timed(() => runOurs(runtime, typescriptCell(++n)));
      if (round >= 0) later.push(typed - plain);
    }
    await runtime.dispose();
    const [firstMs, laterMs] = [median(first), median(later)];
    return [
      {
        what: `${this.title}: the first of a runtime`,
        unit: 'ms',
        ours: firstMs,
        reach: 'under 350 ms',
        reached: firstMs < 350,
      },
      { what: 'a later one, each text new', unit: 'ms', ours: laterMs, reach: 'under 4 ms', reached: laterMs < 4 },
    ];
  },
};

export default p9;
