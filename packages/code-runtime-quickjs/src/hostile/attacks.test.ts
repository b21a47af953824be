// Every program of the corpus, and those that were added to it: the outcome of each, and what must hold after it.
import { readFileSync } from 'node:fs';
import type { CodeRunLimits } from '@codeseam/code-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createQuickJsRuntime, type QuickJsRuntime } from '../runtime.ts';
import { attackHost, CANARY } from './attack-host.ts';
import { type HostWatch, hostTextsIn, watchHost } from './host-watch.ts';
import { type AttackRow, judgeOutcome, mayReachLimit } from './judge-outcome.ts';

const MIB = 1024 * 1024;

/** Small where a limit may be the outcome, so that the whole corpus takes little time; else out of the way. */
const SMALL: Partial<CodeRunLimits> = {
  computeMs: 400,
  wallMs: 1_500,
  drainMs: 50,
  abortGraceMs: 20,
  memoryLimitBytes: 48 * MIB,
  maxOutputBytes: MIB,
};
const AMPLE: Partial<CodeRunLimits> = {
  computeMs: 20_000,
  wallMs: 60_000,
  drainMs: 300,
  abortGraceMs: 20,
  memoryLimitBytes: 64 * MIB,
  maxOutputBytes: MIB,
};

function rows(file: string): AttackRow[] {
  const text = readFileSync(new URL(`./fixtures/${file}`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AttackRow);
}

const all = [...rows('attacks.jsonl'), ...rows('more-attacks.jsonl')];
const groups = [...new Set(all.map((row) => row.group))];

let runtime: QuickJsRuntime;
let watch: HostWatch;

beforeAll(async () => {
  process.env['CODESEAM_CANARY'] = CANARY;
  runtime = await createQuickJsRuntime();
  watch = watchHost();
});

afterAll(async () => {
  delete process.env['CODESEAM_CANARY'];
  watch?.stop();
  await runtime?.dispose();
});

async function attack({ program, expect: expected }: AttackRow): Promise<void> {
  const host = attackHost();
  const result = await runtime.run({ ...host.request, program, limits: mayReachLimit(expected) ? SMALL : AMPLE });
  host.ended();
  expect(judgeOutcome(expected, result, host.calls)).toBeUndefined();
  expect(hostTextsIn(result)).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify([result.value, result.error, result.output]))).toBeLessThan(8 * MIB);
  if (expected.after) {
    const next = attackHost();
    const after = await runtime.run({ ...next.request, program: expected.after.program });
    expect(after.error).toBeUndefined();
    expect(after.value).toEqual(expected.after.value);
  }
  const clean = await runtime.run({ program: 'return 1 + 1;', bindings: [] });
  expect([clean.value, clean.error]).toEqual([2, undefined]);
  expect(host.problems).toEqual([]);
  expect(watch.problems()).toEqual([]);
}

describe.each(groups)('hostile programs: %s', (group) => {
  test.concurrent.each(all.filter((row) => row.group === group).map((row) => [row.id, row] as const))(
    '%s',
    { timeout: 60_000 },
    (_id, row) => attack(row),
  );
});

test('every row has an id of its own', () => {
  expect(new Set(all.map((row) => row.id)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(264);
});
