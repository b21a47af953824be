// Programs that never let go of their thread: what they wait for is there at once, again and again. Others get a turn.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createQuickJsRuntime, type QuickJsRuntime } from '../runtime.ts';

let runtime: QuickJsRuntime;
beforeAll(async () => {
  runtime = await createQuickJsRuntime({ workers: 1 });
});
afterAll(() => runtime?.dispose());

const limits = { computeMs: 20_000, wallMs: 5_000 };

describe('a program whose calls settle at once', () => {
  test('gives its thread to one that has not had a turn', { timeout: 30_000 }, async () => {
    let over = false;
    const bindings = [{ global: 'tools', functions: { isOver: () => over } }];
    const greedy = runtime.run({ program: 'while (!(await tools.isOver())) {} return "saw it";', bindings, limits });
    const modest = runtime.run({ program: 'return 1;', bindings, limits });
    expect((await modest).value).toBe(1);
    over = true;
    expect((await greedy).value).toBe('saw it');
  });

  test('takes turns with others of its kind', { timeout: 30_000 }, async () => {
    const rounds = [0, 0, 0];
    const functions = {
      turn: (who: number) => {
        rounds[who]!++;
        return Math.min(...rounds);
      },
    };
    const programs = rounds.map((_, who) => `while ((await tools.turn(${who})) < 20) {} return 'done';`);
    const runs = programs.map((program) =>
      runtime.run({ program, bindings: [{ global: 'tools', functions }], limits }),
    );
    expect((await Promise.all(runs)).map((it) => it.value)).toEqual(['done', 'done', 'done']);
  });

  test('gives its thread to one that was parked', { timeout: 30_000 }, async () => {
    let over = false;
    let woken: (value: string) => void = () => {};
    const functions = {
      isOver: () => over,
      sleep: () =>
        new Promise((resolve) => {
          woken = resolve;
        }),
    };
    const bindings = [{ global: 'tools', functions }];
    const parked = runtime.start({ program: 'return await tools.sleep();', bindings, limits });
    await parked.hold();
    await parked.park();
    parked.release();
    const greedy = runtime.run({ program: 'while (!(await tools.isOver())) {} return "saw it";', bindings, limits });
    woken('woken');
    expect((await parked.result).value).toBe('woken');
    over = true;
    expect((await greedy).value).toBe('saw it');
  });
});
