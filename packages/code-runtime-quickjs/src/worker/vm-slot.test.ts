import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BaseImage, buildBaseImage } from './base-image.ts';
import { PreludeError } from './build-image.ts';
import { engineForTests, guestForTests, openRun, SETUP } from './fixtures/test-engine.ts';
import type { GuestImage } from './guest-image.ts';
import { VmSlot } from './vm-slot.ts';

let module: WebAssembly.Module;
let guest: GuestImage;
let base: BaseImage;
beforeAll(async () => {
  module = await engineForTests;
  guest = await guestForTests;
  base = buildBaseImage(module, guest, '', undefined);
});

/** Thousands of runs in place of hundreds. */
const LONG = process.env['CODESEAM_LONG'] === '1';

/** Things that programs leave behind, where they can. */
const TRACES = [
  'globalThis.trace = 1',
  'Object.prototype.trace = () => 1',
  'Array.prototype.map = null',
  'Promise.prototype.then = function () { return this; }',
  'JSON.parse = JSON.stringify = () => "forged"',
  'Object.defineProperty(globalThis, "fixed", { value: 1, configurable: false })',
  'Object.freeze(Object.prototype)',
  'Symbol.for("trace"); String.prototype.trim = () => "t"',
  'for (let i = 0; i < 200; i++) globalThis["g" + i] = { i }',
  'setTimeout(() => { globalThis.late = 1; }, 5)',
  'tools.wait().then(() => { globalThis.late = 1; })',
  'new Promise(() => {}).finally(() => {})',
  'Error.stackTraceLimit = 0; Error.prepareStackTrace = () => "x"',
  'console.log = () => {}; structuredClone = 1; URL = null',
  'try { (function f() { f(); })(); } catch {}',
  'RegExp.prototype.exec = null; RegExp.prototype[Symbol.match] = () => ["forged"]',
  'throw new Error("left")',
  'return { big: "x".repeat(50000) }',
];
const PROBE = `
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => name !== 'tools').length;
  const patched = [typeof trace, typeof [].trace, [1].map((n) => n + 1)[0], JSON.stringify({ a: 1 }), " t ".trim(), Object.isFrozen(Object.prototype)];
  return [names, patched, typeof fixed, typeof late, typeof console.log, /a/.test("a"), new Error("e").stack.length > 0, await Promise.resolve(7)];`;

function valueIn(slot: VmSlot, of: BaseImage, program: string): unknown {
  const { turn } = openRun(slot, of).start(SETUP, program, performance.now());
  const end = turn.rest?.end;
  if (!end || 'failure' in end || end.value === undefined) throw new Error(JSON.stringify(turn));
  return JSON.parse(end.value);
}

describe('a pooled instance', () => {
  test('shows nothing of thousands of hostile runs to the next one', () => {
    const slot = new VmSlot(module);
    const clean = valueIn(slot, base, PROBE);
    let runs = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TRACES), { minLength: 1, maxLength: 4 }), (traces) => {
        for (let again = 0; again < 10; again++) {
          const { harmed } = openRun(slot, base).start(SETUP, traces.join(';\n'), performance.now());
          if (harmed) slot.discard();
          runs++;
        }
        expect(valueIn(slot, base, PROBE)).toEqual(clean);
      }),
      { numRuns: LONG ? 400 : 25 },
    );
    expect(runs).toBeGreaterThanOrEqual(LONG ? 4000 : 250);
  }, 120_000);

  test('holds the very bytes of the base image after a reset', () => {
    const slot = new VmSlot(module);
    openRun(slot, base).start(SETUP, TRACES.slice(0, 9).join(';'), performance.now());
    slot.reset(base);
    const engine = slot.open(base, { call: () => 0, interrupted: () => false, rejection: () => {} });
    const bytes = engine.bytes.subarray(base.start, base.start + base.memory.length);
    // All but the seed of the run.
    Buffer.from(base.memory).copy(
      bytes,
      base.randomStateAt - base.start,
      base.randomStateAt - base.start,
      base.randomStateAt - base.start + 8,
    );
    expect(bytes.compare(base.memory)).toBe(0);
    const rest = Buffer.alloc(engine.bytes.length - base.start - base.memory.length);
    rest.set(base.tail, base.end - base.start - base.memory.length - base.tail.length);
    expect(engine.bytes.compare(rest, 0, rest.length, base.start + base.memory.length)).toBe(0);
  });

  test('is replaced after a trap, and the next run is clean', () => {
    const slot = new VmSlot(module);
    const program = 'let p = {}; for (let i = 0; i < 200000; i++) p = new Proxy(p, {}); return typeof p.x;';
    const { harmed } = openRun(slot, base).start(SETUP, program, performance.now());
    if (harmed) slot.discard();
    expect(valueIn(slot, base, 'return 2;')).toBe(2);
  });

  test('passes its own check, and gives each run its own random numbers', () => {
    const slot = new VmSlot(module);
    slot.check(base);
    const seen = new Set(Array.from({ length: 20 }, () => valueIn(slot, base, 'return Math.random();')));
    expect(seen.size).toBe(20);
  });
});

describe('a base image', () => {
  test('is the same bytes whenever it is built, and others for another prelude', () => {
    expect(buildBaseImage(module, guest, 'x', undefined).hash()).toBe(base.hash());
    const other = buildBaseImage(module, guest, 'y', 'globalThis.added = 1;');
    expect(other.hash()).not.toBe(base.hash());
    expect(other.preludeGlobals).toEqual(['added']);
    expect(valueIn(new VmSlot(module), other, 'return added;')).toBe(1);
  });

  test('says what was wrong with a prelude', () => {
    expect(() => buildBaseImage(module, guest, 'z', 'throw new RangeError("no");')).toThrow(PreludeError);
    expect(() => buildBaseImage(module, guest, 'z', 'throw new RangeError("no");')).toThrow(/RangeError: no/);
    expect(() => buildBaseImage(module, guest, 'z', 'const = 1')).toThrow(PreludeError);
  });
});
