// Every program of the corpus, and those that were added to it: the outcome of each, and what must hold after it.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { CodeRunLimits } from '@codeseam/code-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createQuickJsRuntime, type QuickJsRuntime } from '../runtime.ts';
import { attackHost, CANARY } from './attack-host.ts';
import { EventLoopWatch } from './event-loop-watch.ts';
import { type HostWatch, hostTextsIn, watchHost } from './host-watch.ts';
import { type AttackRow, judgeOutcome, mayReachLimit } from './judge-outcome.ts';

const MIB = 1024 * 1024;

/** Small where a limit may be the outcome, so that the whole corpus takes little time; else out of the way. */
const SMALL: Partial<CodeRunLimits> = {
  computeMs: 250,
  wallMs: 1_000,
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

/** Programs that are busy and wait for nothing: with a net of `wallMs` nobody would see that they are not stopped. */
const BUSY_GROUPS = ['cpu', 'nativeloop'];
/** A run ends within its limits and a second; the rest is for a machine that has other work. */
const LATE_MS = 1_000 + 2_000;
/** All threads at their heap limit, each with 32 MiB for its allocator, and something for the host. */
const MOST_GROWTH_MB = 96 + availableParallelism() * (SMALL.memoryLimitBytes! / MIB + 32);
/** How long the host's event loop may stand still by its own doing. */
const LONGEST_STALL_MS = 250;

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
let loop: EventLoopWatch;
/** Programs that run now. */
const live = new Set<string>();

beforeAll(async () => {
  process.env['CODESEAM_CANARY'] = CANARY;
  runtime = await createQuickJsRuntime();
  watch = watchHost();
  loop = new EventLoopWatch(() => [...live].join());
});

afterAll(async () => {
  delete process.env['CODESEAM_CANARY'];
  watch?.stop();
  loop?.stop();
  await runtime?.dispose();
});

function limitsOf({ group, program, expect: expected }: AttackRow): Partial<CodeRunLimits> {
  if (!mayReachLimit(expected)) return AMPLE;
  // Time enough to take all the memory it can get.
  if (expected.rssMaxMb !== undefined) return { ...SMALL, computeMs: 1_500, wallMs: 5_000 };
  if (!BUSY_GROUPS.includes(group) || program.includes('tools.')) return SMALL;
  const { wallMs: _, ...busy } = SMALL;
  return busy;
}

/** How long a row's program may take once it has a thread: what the row says, else what its limits say. */
function longestMs({ expect: { maxMs } }: AttackRow, { wallMs, computeMs }: Partial<CodeRunLimits>): number {
  return Math.min(wallMs ?? computeMs!, maxMs ?? Number.POSITIVE_INFINITY) + LATE_MS;
}

async function attack(row: AttackRow): Promise<void> {
  const { id, program, expect: expected } = row;
  const host = attackHost();
  const limits = limitsOf(row);
  live.add(id);
  const run = runtime.start({ ...host.request, program, limits });
  let begunAt = Number.POSITIVE_INFINITY;
  run.onState(() => {
    begunAt = Math.min(begunAt, performance.now());
  });
  const result = await run.result;
  live.delete(id);
  host.ended();
  expect(performance.now() - begunAt).toBeLessThan(longestMs(row, limits));
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
  const rssMaxMb = Math.min(
    ...all
      .filter((row) => row.group === group)
      .map(({ expect: { rssMaxMb: most } }) => most ?? Number.POSITIVE_INFINITY),
  );
  if (Number.isFinite(rssMaxMb)) {
    let before = 0;
    beforeAll(() => {
      loop.takePeakRss();
      before = process.memoryUsage.rss();
    });
    afterAll(() => {
      expect((loop.takePeakRss() - before) / MIB).toBeLessThan(Math.min(rssMaxMb, MOST_GROWTH_MB));
    });
  }
  test.concurrent.each(all.filter((row) => row.group === group).map((row) => [row.id, row] as const))(
    '%s',
    { timeout: 60_000 },
    (_id, row) => attack(row),
  );
});

test('no program holds up the host', () => {
  expect(loop.longest).toMatchObject({ ms: expect.toSatisfy((ms: number) => ms < LONGEST_STALL_MS) });
});

test('every row has an id of its own', () => {
  expect(new Set(all.map((row) => row.id)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(430);
});
