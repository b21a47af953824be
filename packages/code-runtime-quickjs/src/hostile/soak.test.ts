// Thousands of hostile programs through a few pooled instances: no trace from run to run, no growth, no lost run.
import { describe, expect, test } from 'vitest';
import { createQuickJsRuntime } from '../runtime.ts';
import { EventLoopWatch } from './event-loop-watch.ts';

const LONG = process.env['CODESEAM_LONG'] === '1';
const RUNS = LONG ? 20_000 : 1_000;
const AT_ONCE = 4;
/** How long the host may be kept from the next turn of its event loop. */
const LONGEST_STALL_MS = 100;

/** Pieces that leave what they can behind: on globals, prototypes and intrinsics, in jobs, timers and calls. */
const DEEDS = [
  (n: number) => `globalThis.trace${n % 7} = ${n};`,
  (n: number) => `Array.prototype.trace = ${n}; Object.prototype.trace = ${n};`,
  () => 'Promise.prototype.then = () => 1; Promise.resolve = null;',
  () => 'JSON.parse = JSON.stringify = () => "forged"; Object.keys = () => [];',
  () => 'Math.random = () => 4; Date.now = () => 0; globalThis.Map = null; String.prototype.slice = null;',
  () => 'Object.defineProperty(Object.prototype, "seq", { get() { return 1; }, set() {} });',
  () => 'setTimeout(() => { globalThis.late = 1; }, 1); queueMicrotask(() => { globalThis.job = 1; });',
  () => 'tools.one().then(() => { globalThis.after = 1; }, () => {});',
  () => 'console.log = null; tools = null; globalThis.tools = null; delete globalThis.setTimeout;',
  () => 'const big = []; for (let i = 0; i < 20000; i++) big.push({ i }); globalThis.big = big;',
  () => 'globalThis.text = "x".repeat(300000); globalThis.view = new Uint8Array(100000).fill(7);',
  () => 'Error.prototype.name = "Trace"; Error.stackTraceLimit = 0; Symbol.for("trace");',
  () => 'try { const f = () => f(); f(); } catch {}',
  () => 'try { null.x; } catch (e) { globalThis.error = e; }',
  () => 'Proxy = Reflect = undefined; Function.prototype.call = Function.prototype.apply = null;',
];

const ENDINGS = [
  'return 1;',
  'return {};',
  'throw new Error("end");',
  'throw null;',
  'await tools.one();',
  'return new Map();',
  'await new Promise(() => {});',
  'return "x".repeat(5000);',
];

/** Numbers that look random and are the same in every test run. */
function picker(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

const PROBE = `
  const own = Object.getOwnPropertyNames(globalThis).filter((name) => /^(trace|late|job|after|big|text$|view|error$)/.test(name));
  const inherited = ['trace', 'seq'].filter((name) => name in {} || name in []);
  const works = [JSON.stringify([1]), Object.keys({ a: 1 }).length, typeof Map, new Error('e').name, Math.random() < 1, Date.now() > 1e12, await Promise.resolve(2), [1, 2].map((n) => n * 2).join(), 'abc'.slice(1), typeof setTimeout, await tools.one()];
  return [own, inherited, works];`;
const CLEAN = [[], [], ['[1]', 1, 'function', 'Error', true, true, 2, '2,4', 'bc', 'function', 1]];

describe('a soak of hostile programs', () => {
  test(`leaves no trace in ${RUNS} runs, and every run ends`, { timeout: LONG ? 1_800_000 : 120_000 }, async () => {
    const runtime = await createQuickJsRuntime({ workers: 2 });
    const pick = picker(20_261);
    const bindings = [{ global: 'tools', functions: Object.freeze({ one: () => 1 }) }];
    const limits = { memoryLimitBytes: 16 * 1024 * 1024, drainMs: 5, abortGraceMs: 5 };
    let memory = 0;
    const loop = new EventLoopWatch();
    for (let done = 0; done < RUNS; done += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, () => {
        const deeds = Array.from(
          { length: 1 + pick(3) },
          () => `try { ${DEEDS[pick(DEEDS.length)]!(pick(1_000))} } catch {}`,
        );
        return runtime.run({ program: `${deeds.join('\n')}\n${ENDINGS[pick(ENDINGS.length)]}`, bindings, limits });
      });
      for (const result of await Promise.all(batch)) {
        // Broken built-ins may make a program fail in any way of its own, but never the runtime.
        expect(result.error?.kind ?? 'none').not.toMatch(/worker-exit|unavailable|snapshot/);
      }
      if (done % 40 === 0) expect((await runtime.run({ program: PROBE, bindings })).value).toEqual(CLEAN);
      if (done >= RUNS / 5 && memory === 0) memory = process.memoryUsage.rss();
    }
    loop.stop();
    await runtime.dispose();
    const grownMib = (process.memoryUsage.rss() - memory) / 2 ** 20;
    expect(grownMib).toBeLessThan(LONG ? 64 : 128);
    expect(loop.longest.ms).toBeLessThan(LONGEST_STALL_MS);
  });
});
