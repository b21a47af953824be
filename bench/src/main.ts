// `pnpm bench [--only P1,P2] [--rounds 30]`: measures and prints the table.
import { parseArgs } from 'node:util';
import { loadCases } from './load-cases.ts';
import { describeMachine } from './machine.ts';
import { makeTable, type TableLine } from './table.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, rounds: { type: 'string' } } });
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
  throw new Error(`--rounds must be a positive whole number, not ${values.rounds}`);
}

console.log(`${describeMachine()}\n`);
const lines: TableLine[] = [];
for (const it of await loadCases(values.only?.split(','))) {
  process.stderr.write(`${it.id} ${it.title} ...\n`);
  for (const row of await it.measure({ rounds: rounds ?? it.rounds })) lines.push({ id: it.id, ...row });
}
console.log(makeTable(lines));
process.exit(0);
