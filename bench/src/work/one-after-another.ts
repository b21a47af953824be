// Runs one program after another and says how much the process grew after the first tenth, and how much of it is room that the
// JavaScript engine keeps for the host's own objects, used or not.
import { createQuickJsRuntime } from '@codeseam/code-runtime-quickjs';
import type { Work } from '../apart.ts';
import { collectGarbage, residentMib } from '../memory.ts';

const PROGRAM = `
  const rows = await tools.rows();
  console.log('rows', rows.length);
  return rows.filter((row) => row.id % 2 === 0).map((row) => row.name);`;

const oneAfterAnother: Work = async ({ runs = 0 }) => {
  const runtime = await createQuickJsRuntime();
  const rows = Array.from({ length: 20 }, (_, id) => ({ id, name: `row ${id}` }));
  const request = { program: PROGRAM, bindings: [{ global: 'tools', functions: Object.freeze({ rows: () => rows }) }] };
  let before = { mib: 0, heapMib: 0 };
  for (let done = 0; done < runs; done++) {
    if (done === Math.ceil(runs / 10)) {
      collectGarbage();
      before = { mib: residentMib(), heapMib: hostHeapMib() };
    }
    const { error } = await runtime.run(request);
    if (error) throw new Error(error.message);
  }
  collectGarbage();
  const endMib = residentMib();
  const heapGrowthMib = hostHeapMib() - before.heapMib;
  await runtime.dispose();
  return { growthMib: endMib - before.mib, heapGrowthMib, endMib };
};

function hostHeapMib(): number {
  return process.memoryUsage().heapTotal / 2 ** 20;
}

export default oneAfterAnother;
