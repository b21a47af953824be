// Runs one program after another and says how much the process grew after the first tenth.
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
  let before = 0;
  for (let done = 0; done < runs; done++) {
    if (done === Math.ceil(runs / 10)) {
      collectGarbage();
      before = residentMib();
    }
    const { error } = await runtime.run(request);
    if (error) throw new Error(error.message);
  }
  collectGarbage();
  const endMib = residentMib();
  await runtime.dispose();
  return { growthMib: endMib - before, endMib };
};

export default oneAfterAnother;
