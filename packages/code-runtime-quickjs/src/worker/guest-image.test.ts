import { expect, test } from 'vitest';
import { engineBytes, engineHash } from '../engine-file.ts';
import { engineParts } from '../engine-module.ts';
import { buildBaseImage } from './base-image.ts';
import { PreludeError } from './build-image.ts';
import { engineForTests, guestForTests, openRun, SETUP } from './fixtures/test-engine.ts';
import type { GuestImage } from './guest-image.ts';
import { readGuestImage, unpackGuestImage, writeGuestImage } from './guest-image-file.ts';
import { VmSlot } from './vm-slot.ts';

const PRELUDE = 'globalThis.double = (n) => n * 2; host.onValue((value) => [value]);';

/** Bytes are compared as such: item by item it takes seconds. */
function expectSame(image: GuestImage, other: GuestImage): void {
  expect(Buffer.compare(image.memory, other.memory)).toBe(0);
  expect(Buffer.compare(image.tail, other.tail)).toBe(0);
  expect({ ...image, memory: 0, tail: 0 }).toEqual({ ...other, memory: 0, tail: 0 });
}

test('the image that the package brings along is the one that a thread would build', async () => {
  const { guestImage } = await engineParts();
  expect(guestImage?.engine).toBe(engineHash(await engineBytes(import.meta.url)));
  expectSame(unpackGuestImage(guestImage!), await guestForTests);
});

test('an image survives its file', async () => {
  const guest = await guestForTests;
  expectSame(unpackGuestImage(readGuestImage(writeGuestImage(guest, 'engine'))), guest);
});

test('base images over it are the same bytes each time, and hold their prelude', async () => {
  const module = await engineForTests;
  const guest = await guestForTests;
  const base = buildBaseImage(module, guest, 'p', PRELUDE);
  expect(base.hash()).toBe(buildBaseImage(module, guest, 'q', PRELUDE).hash());
  expect(base.hash()).not.toBe(buildBaseImage(module, guest, '', undefined).hash());
  expect(base.preludeGlobals).toEqual(['double']);
  const { turn } = openRun(new VmSlot(module), base).start(SETUP, 'return double(21);', performance.now());
  expect(turn.rest?.end).toEqual({ value: '[42]' });
  expect(() => buildBaseImage(module, guest, 'r', 'null.x;')).toThrow(PreludeError);
});

test('leaves room for programs without making images large', async () => {
  const { memory, end, start } = await guestForTests;
  expect(memory.length).toBeLessThan(1_200_000);
  expect(end - start - memory.length).toBeGreaterThan(1_500_000);
});
