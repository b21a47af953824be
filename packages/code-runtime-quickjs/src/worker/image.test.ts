import { beforeAll, describe, expect, test } from 'vitest';
import { type BaseImage, buildBaseImage } from './base-image.ts';
import { engineForTests, guestForTests, openRun, SETUP } from './fixtures/test-engine.ts';
import type { GuestImage } from './guest-image.ts';
import { applyImage, ImageError } from './image.ts';
import { VmSlot } from './vm-slot.ts';

const QUIET = { call: () => 0, interrupted: () => false, rejection: () => {} };
const PROGRAM = `
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: 'item ' + id, tags: ['a', 'b', String(id)] }));
  const wanted = await tools.wait();
  return rows.filter((row) => row.id % 2 === wanted).length;`;

let module: WebAssembly.Module;
let guest: GuestImage;
let base: BaseImage;
let image: Uint8Array;
beforeAll(async () => {
  module = await engineForTests;
  guest = await guestForTests;
  base = buildBaseImage(module, guest, '', undefined);
  const run = openRun(new VmSlot(module), base);
  expect(run.start(SETUP, PROGRAM, performance.now()).turn.calls.map((it) => it.path)).toEqual(['["wait"]']);
  image = run.takeImage();
});

describe('an image', () => {
  test('brings a waiting program back in another instance, again and again', () => {
    const slot = new VmSlot(module);
    for (let again = 0; again < 3; again++) {
      const run = openRun(slot, base);
      run.restore(image);
      expect(run.deliver('[[1,1]]', 1000).turn.rest?.end).toEqual({ value: '100' });
    }
  });

  test('is small: tens of kilobytes for 200 objects', () => {
    expect(image.length).toBeLessThan(48 * 1024);
  });

  test('holds nothing of what the program has let go of', () => {
    expect(base.heapTopAt).toBeTypeOf('number');
    const run = openRun(new VmSlot(module), base);
    const wasteful = `{ let seed = 1; new Uint32Array(2e5).map(() => (seed = Math.imul(seed, 48271))); } await tools.wait(); return 1;`;
    expect(run.start(SETUP, wasteful, performance.now()).turn.calls.length).toBe(1);
    const small = run.takeImage();
    expect(small.length).toBeLessThan(32 * 1024);
    const again = openRun(new VmSlot(module), base);
    again.restore(small);
    expect(again.deliver('[[1,1]]', 1000).turn.rest?.end).toEqual({ value: '1' });
  });

  test('brings back a program that has outgrown the memory of its base', () => {
    const run = openRun(new VmSlot(module), base);
    const large = `const list = Array.from({ length: 60000 }, (_, i) => 'kept ' + i); await tools.wait(); return list.length + list[59999];`;
    expect(run.start(SETUP, large, performance.now()).turn.calls.length).toBe(1);
    const again = openRun(new VmSlot(module), base);
    again.restore(run.takeImage());
    expect(again.deliver('[[1,1]]', 1000).turn.rest?.end).toEqual({ value: '"60000kept 59999"' });
  });

  test('is refused where it cannot be right, and then nothing was written', () => {
    const slot = new VmSlot(module);
    const damaged = [new Uint8Array(0), image.subarray(0, 10), image.subarray(0, image.length - 1)];
    for (let at = 0; at < 20; at++) {
      const flipped = new Uint8Array(image);
      flipped[at]! ^= 0xff;
      damaged.push(flipped);
    }
    for (const bad of damaged) {
      const engine = slot.open(base, QUIET);
      const before = Buffer.from(engine.bytes);
      try {
        applyImage(engine, base, bad, 64 << 20);
      } catch (error) {
        expect(error).toBeInstanceOf(ImageError);
        expect(engine.bytes.compare(before)).toBe(0);
      }
    }
  });

  test('is refused where it needs more memory than the run may have', () => {
    const engine = new VmSlot(module).open(base, QUIET);
    expect(() => applyImage(engine, base, image, base.start)).toThrow(ImageError);
  });
});
