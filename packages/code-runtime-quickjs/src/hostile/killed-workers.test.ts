// A worker may have to be killed at any moment: no caller hangs, and no other run is lost.
import { describe, expect, test } from 'vitest';
import { createQuickJsRuntime } from '../runtime.ts';

/** Native work that never asks whether it may go on: only ending the thread stops it. */
const STUCK = 'Array.prototype.join.call({ length: 2 ** 31 }, "");';

const STAGES: [stage: string, program: string][] = [
  ['in its first turn', STUCK],
  ['after a host call', `await tools.one(); ${STUCK}`],
  ['in a timer', `await new Promise((done) => setTimeout(() => { ${STUCK} done(); }, 1));`],
  [
    'in a job while calls are pending',
    `const calls = [tools.slow(5), tools.slow(5)]; await null; ${STUCK} await Promise.all(calls);`,
  ],
  ['after it was parked', `await tools.slow(60); ${STUCK}`],
  ['while its value is read', `return { get value() { ${STUCK} } };`],
  ['while arguments are read', `await tools.one({ get value() { ${STUCK} } });`],
];

describe('killing a worker', () => {
  test.each(STAGES)('%s ends that run alone', { timeout: 60_000 }, async (_stage, program) => {
    const runtime = await createQuickJsRuntime({ workers: 1 });
    const functions = {
      one: () => 1,
      slow: (ms: number) => new Promise((done) => setTimeout(done, ms, ms)),
    };
    const bindings = [{ global: 'tools', functions }];
    const limits = { computeMs: 100, drainMs: 10, abortGraceMs: 10 };
    const others = Array.from({ length: 5 }, (_, index) =>
      runtime.run({
        program: `const kept = ${index}; await tools.slow(20); await tools.slow(40); return kept;`,
        bindings,
      }),
    );
    const { error } = await runtime.run({ program, bindings, limits });
    expect(['timeout', 'memory-limit']).toContain(error?.kind);
    expect((await Promise.all(others)).map((it) => it.value)).toEqual([0, 1, 2, 3, 4]);
    expect((await runtime.run({ program: 'return 1 + 1;', bindings })).value).toBe(2);
    await runtime.dispose();
  });

  test('ends every run and every thread when the runtime is disposed in the middle', { timeout: 60_000 }, async () => {
    const runtime = await createQuickJsRuntime({ workers: 2 });
    const bindings = [{ global: 'tools', functions: { hang: () => new Promise(() => {}) } }];
    const limits = { abortGraceMs: 10 };
    const programs = [
      STUCK,
      'for (;;) {}',
      'await tools.hang();',
      'await new Promise((done) => setTimeout(done, 60000));',
    ];
    const runs = Array.from({ length: 12 }, (_, index) =>
      runtime.start({ program: programs[index % programs.length]!, bindings, limits }),
    );
    const holds = runs.slice(2, 4).map((run) => run.hold());
    await new Promise((resolve) => setTimeout(resolve, 30));
    await runtime.dispose();
    for (const run of runs) expect((await run.result).error?.kind).toBe('abort');
    await Promise.all(holds);
  });
});
